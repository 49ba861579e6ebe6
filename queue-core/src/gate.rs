//! The role of gating polls: who may poll while a queue is idle.

mod master;
mod open;

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use crate::{Turn, WorkerName};

pub use master::MasterGate;
pub use open::OpenGate;

/// Stands before the polls of one queue's workers.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait PollGate: Debug + Send + Sync {
    /// Waits for leave to make one poll, without polling anything and without a timer (G4).
    ///
    /// # Cancel safety
    /// Safe: a dropped call gives up its place, and a turn that was already its own goes to the next.
    async fn enter(&self, who: &WorkerName) -> Turn;
}

macro_rules! delegate {
    ($pointer:ident) => {
        #[async_trait]
        impl<G: PollGate + ?Sized> PollGate for $pointer<G> {
            async fn enter(&self, who: &WorkerName) -> Turn {
                (**self).enter(who).await
            }
        }
    };
}

delegate!(Arc);
delegate!(Box);
