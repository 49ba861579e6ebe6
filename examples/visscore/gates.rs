//! The gates of this run, one for each queue.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{MasterGate, OpenGate, PollGate};
use worker::{Cluster, ClusterOptions};

use crate::company::Registry;
use crate::options::GateKind;

/// How often a process looks whether a burst has begun in another one. A thousand visits without work are handled within
/// a second, so this is shorter than a cluster's default.
const INTERVAL: Duration = Duration::from_millis(250);

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

    /// The gates of a process among others.
    pub(crate) fn cluster(registry: Arc<dyn Registry>) -> Self {
        Self::Cluster(Cluster::with_options(registry, ClusterOptions::default().with_interval(INTERVAL)))
    }

    /// A gate for the queue `name`.
    pub(crate) fn gate(&self, name: &str) -> Arc<dyn PollGate> {
        match self {
            Self::Master => Arc::new(MasterGate::new()),
            Self::Open => Arc::new(OpenGate),
            Self::Cluster(cluster) => Arc::new(cluster.gate(name)),
        }
    }

    /// How often the semaphore behind them was called, but for renewals.
    pub(crate) fn semaphore_calls(&self) -> Option<u64> {
        let Self::Cluster(cluster) = self else { return None };
        let calls = cluster.calls();
        Some(calls.looks + calls.tries + calls.publications + calls.releases)
    }

    /// Lets another process go on at once.
    pub(crate) async fn stop(&self) {
        if let Self::Cluster(cluster) = self {
            cluster.stop().await;
        }
    }
}
