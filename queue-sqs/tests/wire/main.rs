//! What goes over the wire, by recorded answers.

#[path = "../support/client.rs"]
mod client;
mod publishing;
mod receiving;
mod recorded;
mod setting_up;
mod settling;
mod time_outs;
