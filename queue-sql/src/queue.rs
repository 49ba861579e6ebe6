//! A queue in a SQL database.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use queue_core::{
    Consumer, Delivery, Depth, Inspect, Limits, MessageId, Outgoing, Publisher, QueueError, ReceiveLimits,
    ReceiveOptions, Rejected,
};

use crate::counts::Tally;
use crate::database::Inner;
use crate::store::{QueueRecord, Store};
use crate::upkeep::Due;
use crate::{SqlDatabase, SqlQueueBuilder, SqlQueueCounts};

/// A queue in a SQL database, with the semantics of an Amazon SQS queue: standard, or ordered (FIFO) if it was set up so.
///
/// Messages come in the order in which they became visible, once per visibility timeout. The database's clock decides
/// all times. Clones are the same queue; any number of processes may use it.
///
/// # Guarantees
/// Q3 to Q7, Q10 to Q12; Q8 and Q9 when it is ordered. A receipt stays good after its time ran out until somebody else
/// receives the message; on an ordered queue it is *lost* then (P1). There is no limit to how many messages are in flight.
///
/// # Drop
/// Nothing: the messages are in the database.
pub struct SqlQueue<S: Store> {
    pub(crate) shared: Arc<Shared<S>>,
}

/// What the clones of a queue, and its deliveries, share.
#[derive(Debug)]
pub(crate) struct Shared<S: Store> {
    pub(crate) database: Arc<Inner<S>>,
    pub(crate) record: QueueRecord,
    pub(crate) tally: Tally,
    pub(crate) swept: Due,
}

impl<S: Store> SqlQueue<S> {
    pub(crate) fn with_record(database: Arc<Inner<S>>, record: QueueRecord) -> Self {
        let shared = Shared { database, record, tally: Tally::default(), swept: Due::default() };
        Self { shared: Arc::new(shared) }
    }

    /// Starts to set up a queue of the name "default" in a database.
    pub fn builder(database: impl Into<SqlDatabase<S>>) -> SqlQueueBuilder<S> {
        database.into().queue("default")
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.shared.record.name
    }

    /// What became of messages other than being deleted, as this process saw it.
    pub fn counts(&self) -> SqlQueueCounts {
        self.shared.tally.read()
    }

    /// Wakes a receive of this process that waits at this queue: after the commit of a transaction in which
    /// [`publish_in`](Self::publish_in) stored something. Without it the message is seen at the next look.
    pub fn wake(&self) {
        self.shared.announce();
    }
}

impl<S: Store> Shared<S> {
    /// Tells whoever waits, here and elsewhere, that there may be something to receive.
    pub(crate) fn announce(&self) {
        self.database.hub.wake(self.record.id);
        self.database.store.published(self.record.id);
    }
}

#[async_trait]
impl<S: Store> Publisher for SqlQueue<S> {
    /// Publishes a batch, all of it in one transaction: see [`Publisher::publish`].
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        self.shared.publish(batch).await
    }

    fn limits(&self) -> Limits {
        self.shared.limits()
    }
}

#[async_trait]
impl<S: Store> Consumer for SqlQueue<S> {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        self.shared.receive(options).await
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.shared.record.settings.receive_limits()
    }
}

#[async_trait]
impl<S: Store> Inspect for SqlQueue<S> {
    async fn depth(&self) -> Result<Depth, QueueError> {
        self.shared.database.store.depth(&self.shared.record).await
    }

    async fn purge(&self) -> Result<(), QueueError> {
        self.shared.database.store.purge(&self.shared.record).await
    }
}

impl<S: Store> Clone for SqlQueue<S> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<S: Store> fmt::Debug for SqlQueue<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqlQueue").field("name", &self.name()).finish_non_exhaustive()
    }
}
