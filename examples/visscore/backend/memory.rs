//! Queues in memory.

use std::sync::Arc;

use async_trait::async_trait;
use queue_core::{MemoryQueue, QueueName};
use semaphore::MemorySemaphore;

use super::kind::QUARANTINE;
use super::{Backend, Place, RECEIVES, VISIBILITY};
use crate::company::Registry;

/// Makes queues that end with the process.
#[derive(Debug)]
pub(super) struct MemoryBackend {
    quarantine: MemoryQueue,
    semaphore: MemorySemaphore,
}

impl MemoryBackend {
    pub(super) fn new() -> Self {
        Self { quarantine: MemoryQueue::new(), semaphore: MemorySemaphore::new() }
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

    fn registry(&self) -> Arc<dyn Registry> {
        Arc::new(self.semaphore.clone())
    }
}
