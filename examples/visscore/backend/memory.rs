//! Queues in memory.

use async_trait::async_trait;
use queue_core::{MemoryQueue, QueueName};
use semaphore::MemorySemaphore;
use worker::Cluster;

use super::kind::QUARANTINE;
use super::{Backend, Place, RECEIVES, VISIBILITY};
use crate::gates::cluster_options;

/// Makes queues that end with the process.
#[derive(Debug)]
pub(super) struct MemoryBackend {
    quarantine: MemoryQueue,
}

impl MemoryBackend {
    pub(super) fn new() -> Self {
        Self { quarantine: MemoryQueue::new() }
    }
}

#[async_trait]
impl Backend for MemoryBackend {
    async fn queue(&self, name: &QueueName) -> anyhow::Result<Place> {
        let builder = MemoryQueue::builder().visibility(VISIBILITY);
        Ok(Place::new(name.to_string(), builder.dead_letter(self.quarantine.clone(), RECEIVES).build()?))
    }

    fn quarantine(&self) -> Place {
        Place::new(QUARANTINE, self.quarantine.clone())
    }

    fn cluster(&self) -> Cluster {
        Cluster::with_options(MemorySemaphore::new(), cluster_options())
    }
}
