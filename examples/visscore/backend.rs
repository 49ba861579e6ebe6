//! The seam to a queue service: how an account's queues are made.

mod kind;
mod memory;
#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "sqs")]
mod sqs;

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use queue_core::{Inspect, Queue, QueueName};

use crate::company::Registry;

pub(crate) use kind::BackendKind;

/// How long a received message stays hidden, as in the original.
const VISIBILITY: Duration = Duration::from_secs(10);
/// How often a message is received at most. Handlers give up earlier; this is for what never reaches one alive.
const RECEIVES: u32 = 10;

/// A queue service.
#[async_trait]
pub(crate) trait Backend: Debug + Send + Sync {
    /// Makes the queue `name`, or finds it. Its messages stay hidden for ten seconds after a receive, and one that is
    /// received too often goes to the quarantine.
    async fn queue(&self, name: &QueueName) -> anyhow::Result<Place>;

    /// The one queue for what can't be handled.
    fn quarantine(&self) -> Place;

    /// Where the processes that share these queues see each other.
    fn registry(&self) -> Arc<dyn Registry>;

    /// How long nothing may happen until what a queue says of its depth can be believed.
    fn patience(&self) -> Duration {
        Duration::from_secs(1)
    }
}

/// A queue by its two faces.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Its name.
    pub(crate) name: Arc<str>,
    /// To publish and receive.
    pub(crate) queue: Arc<dyn Queue>,
    /// To look into it.
    pub(crate) inspect: Arc<dyn Inspect>,
}

impl Place {
    fn new(name: impl Into<Arc<str>>, queue: impl Queue + Inspect + Clone + 'static) -> Self {
        Self { name: name.into(), queue: Arc::new(queue.clone()), inspect: Arc::new(queue) }
    }
}
