//! Faults by script: which call of a service goes wrong, and how.

mod catalogue;
mod fault;
mod player;
mod rule;
mod script;

pub use fault::{Cut, Fault};
pub use rule::Rule;
pub use script::{FaultScript, FaultScriptError};

pub(super) use catalogue::refusal;
pub(super) use player::{Called, End, Faults};
