//! The seam to a queue service: how an account's queues are made.

mod memory;

use std::sync::Arc;

use async_trait::async_trait;
use clap::ValueEnum;
use queue_core::{Inspect, Queue, QueueName};

use memory::MemoryBackend;

/// Where the queues are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendKind {
    /// In this process; they end with it.
    Memory,
}

impl BackendKind {
    /// As it stands on the command line.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
        }
    }

    /// Makes the backend.
    pub(crate) fn open(self) -> Box<dyn Backend> {
        match self {
            Self::Memory => Box::new(MemoryBackend::new()),
        }
    }
}

/// A queue service.
#[async_trait]
pub(crate) trait Backend: std::fmt::Debug + Send + Sync {
    /// Makes the queue `name`, or finds it. Its messages stay hidden for ten seconds after a receive, and one that is
    /// received too often goes to the quarantine.
    async fn queue(&self, name: &QueueName) -> anyhow::Result<Place>;

    /// The one queue for what can't be handled.
    fn quarantine(&self) -> Place;
}

/// A queue by its two faces.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// To publish and receive.
    pub(crate) queue: Arc<dyn Queue>,
    /// To look into it.
    pub(crate) inspect: Arc<dyn Inspect>,
}
