//! The gates of this run, one for each queue.

use std::sync::Arc;

use queue_core::{MasterGate, OpenGate, PollGate};
use worker::Cluster;

use crate::options::GateKind;

/// Makes gates.
#[derive(Clone, Debug)]
pub(crate) enum Gates {
    /// One worker of this process polls a quiet queue.
    Master,
    /// All do.
    Open,
    /// One worker of all processes does.
    Cluster(Cluster),
}

impl Gates {
    /// The gates of a process by itself.
    pub(crate) fn alone(kind: GateKind) -> Self {
        match kind {
            GateKind::Master | GateKind::Cluster => Self::Master,
            GateKind::Open => Self::Open,
        }
    }

    /// A gate for the queue `name`.
    pub(crate) fn gate(&self, name: &str) -> Arc<dyn PollGate> {
        match self {
            Self::Master => Arc::new(MasterGate::new()),
            Self::Open => Arc::new(OpenGate),
            Self::Cluster(cluster) => Arc::new(cluster.gate(name)),
        }
    }

    /// Lets another process go on at once.
    pub(crate) async fn stop(&self) {
        if let Self::Cluster(cluster) = self {
            cluster.stop().await;
        }
    }
}
