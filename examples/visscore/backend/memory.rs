//! Queues in memory.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use queue_core::{MemoryQueue, QueueName};

use super::{Backend, Place};

/// How long a received message stays hidden, as in the original.
const VISIBILITY: Duration = Duration::from_secs(10);
/// How often a message is received at most. Handlers give up earlier; this is for what never reaches one alive.
const RECEIVES: u32 = 10;

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
    async fn queue(&self, _name: &QueueName) -> anyhow::Result<Place> {
        let builder = MemoryQueue::builder().visibility(VISIBILITY);
        Ok(place(builder.dead_letter(self.quarantine.clone(), RECEIVES).build()?))
    }

    fn quarantine(&self) -> Place {
        place(self.quarantine.clone())
    }
}

fn place(queue: MemoryQueue) -> Place {
    Place { queue: Arc::new(queue.clone()), inspect: Arc::new(queue) }
}
