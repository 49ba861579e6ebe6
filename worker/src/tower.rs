//! Handlers behind `tower` layers (feature `tower`): a handler as a service, and a service as a handler.

mod from_service;
mod service;

pub use from_service::{FromService, from_service};
pub use service::{HandlerService, service};
