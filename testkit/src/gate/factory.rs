//! What makes a fresh gate for each clause.

use std::sync::Arc;

use queue_core::PollGate;

/// Makes a fresh gate for each clause: any closure that takes nothing and answers a gate.
pub trait GateFactory: Send + Sync + 'static {
    /// Makes a gate.
    fn make(&self) -> Arc<dyn PollGate>;
}

impl<F, G> GateFactory for F
where
    F: Fn() -> G + Send + Sync + 'static,
    G: PollGate + 'static,
{
    fn make(&self) -> Arc<dyn PollGate> {
        Arc::new(self())
    }
}
