//! A counting semaphore for a cluster: how many may do a thing at once, by leases that a database's clock decides.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod error;
mod fencing_token;
mod grant;
mod holder;
mod holders;
mod key;
mod lessor;
mod permit;
mod permit_token;
mod renewal;
mod request;
mod semaphore;

pub use error::{SemaphoreError, SemaphoreErrorKind};
pub use fencing_token::FencingToken;
pub use grant::Grant;
pub use holder::Holder;
pub use holders::Holders;
pub use key::SemaphoreKey;
pub use lessor::Lessor;
pub use permit::Permit;
pub use permit_token::PermitToken;
pub use renewal::Renewal;
pub use request::{Lease, Max, PermitRequest, lease, max};
pub use semaphore::Semaphore;

pub use async_trait::async_trait;
pub use tokio_util::sync::CancellationToken;
