//! The seam between a queue and its database: what each database does in its own SQL.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use queue_core::{Depth, QueueError};
use uuid::Uuid;

use crate::hub::Hub;

/// One database with the tables of this crate in it.
///
/// Every method is one call: it ends by its deadline, retries deadlocks and serialization failures inside, and leaves no
/// connection in the middle of something, also when it is dropped. Times are the database's own.
#[doc(hidden)]
#[async_trait]
pub trait Store: Debug + Send + Sync + 'static {
    /// A connection of the caller's, for [`publish_in`](Self::publish_in).
    type Connection: Send;
    /// What it is made of: a pool of the caller's.
    type Source: Send;

    /// Takes over a pool.
    fn open(source: Self::Source, options: StoreOptions) -> Self;

    /// Makes the tables, or brings them up to date.
    async fn migrate(&self) -> Result<(), QueueError>;

    /// Reads a queue's record.
    async fn find(&self, name: &str) -> Result<Option<QueueRecord>, QueueError>;

    /// Stores a queue's record unless one of that name is there.
    async fn create(&self, queue: &NewQueue) -> Result<(), QueueError>;

    /// Stores other settings over a queue's own; name and kind stay.
    async fn update(&self, queue: &NewQueue) -> Result<(), QueueError>;

    /// Stores messages, all or none, and answers their ids in order: of a duplicate the first one's (Q9).
    async fn publish(&self, queue: &QueueRecord, letters: &[Letter]) -> Result<Vec<Uuid>, QueueError>;

    /// The same within the caller's own transaction.
    async fn publish_in(
        &self,
        connection: &mut Self::Connection,
        queue: &QueueRecord,
        letters: &[Letter],
    ) -> Result<Vec<Uuid>, QueueError>;

    /// Takes messages that are visible, in order, and moves those that were received too often (Q7).
    async fn receive(&self, queue: &QueueRecord, wanted: &Wanted) -> Result<Received, QueueError>;

    /// Deletes by receipt, with an answer for each.
    async fn delete(&self, queue: &QueueRecord, handles: &[Handle]) -> Result<Vec<Settled>, QueueError>;

    /// Hides for as long from now on, with an answer for each. The longest in all is `longest` from the receive.
    async fn change_visibility(
        &self,
        queue: &QueueRecord,
        changes: &[(Handle, Duration)],
        longest: Duration,
    ) -> Result<Vec<Settled>, QueueError>;

    /// For each queue: in how long a receive would bring something; zero is now, `None` is not by time alone. One
    /// statement, a read.
    async fn outlook(&self, queues: &[QueueId]) -> Result<Vec<(QueueId, Option<Duration>)>, QueueError>;

    /// Counts messages by state; those past their retention do not count.
    async fn depth(&self, queue: &QueueRecord) -> Result<Depth, QueueError>;

    /// Removes every message.
    async fn purge(&self, queue: &QueueRecord) -> Result<(), QueueError>;

    /// Removes up to `limit` messages that are past their retention, and old deduplication ids and attempts; answers
    /// how many messages went (Q10).
    async fn sweep(&self, queue: &QueueRecord, limit: u32) -> Result<u64, QueueError>;

    /// Moves up to `limit` visible messages to `to`, visible at once and with a count begun anew; answers how many.
    async fn redrive(&self, from: &QueueRecord, to: &QueueRecord, limit: u32) -> Result<u64, QueueError>;

    /// How long the oldest open transaction has been open, where it holds back the clean-up of what was received
    /// (see the advice in the crate's documentation); `None` where the database has no such thing.
    async fn oldest_transaction(&self) -> Result<Option<Duration>, QueueError>;

    /// Hears that there may be something to receive, so that other processes can be told. It must not wait.
    fn published(&self, _queue: QueueId) {}

    /// Hears that receives of this process begin to wait, so that it can wake them when other processes tell of
    /// messages. It must not wait; it is called on a runtime, and more than once.
    fn watching(&self, _hub: &Arc<Hub>) {}
}

/// What goes for every call at a database.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// How the names of the tables begin; checked.
    pub prefix: String,
    /// How long a call may take, retries included.
    pub deadline: Duration,
}

/// The number of a queue's record.
pub(crate) type QueueId = i64;

/// A queue's record, as the database keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueRecord {
    /// Its number.
    pub id: QueueId,
    /// A random number that its receipts carry, so that those of another database are told apart.
    pub tag: i64,
    /// Its name.
    pub name: Arc<str>,
    /// How it was set up.
    pub settings: Settings,
}

/// How a queue is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether it orders the messages of a group (Q8).
    pub ordered: bool,
    /// Whether a message without a deduplication id is identified by its body.
    pub content_deduplication: bool,
    /// The visibility timeout in force when a receive names none.
    pub visibility: Duration,
    /// The delay of messages that name none.
    pub delay: Duration,
    /// How long messages are kept.
    pub retention: Duration,
    /// Where messages go that were received too often.
    pub dead_letter: Option<DeadLetter>,
}

/// Where messages go that were received too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadLetter {
    /// The queue they go to.
    pub queue: QueueId,
    /// After how many receives.
    pub max_receive_count: u32,
}

/// A queue that is to be stored.
#[derive(Clone, Debug)]
pub struct NewQueue {
    /// Its name.
    pub name: Arc<str>,
    /// See [`QueueRecord::tag`].
    pub tag: i64,
    /// How it is set up.
    pub settings: Settings,
}

/// A message that is to be stored; it was checked.
#[derive(Clone, Debug)]
pub struct Letter {
    /// The id it will have.
    pub id: Uuid,
    /// Its body.
    pub body: Arc<str>,
    /// Its attributes, written by [`attributes`](crate::attributes).
    pub attributes: Option<String>,
    /// How long it is hidden at first.
    pub delay: Duration,
    /// Its group; always there on an ordered queue.
    pub group: Option<Arc<str>>,
    /// What tells it from others, on an ordered queue: at most 133 ASCII characters.
    pub identity: Option<String>,
}

/// What a receive wants.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// How many messages at most.
    pub max: u32,
    /// How long they are hidden.
    pub visibility: Duration,
    /// The receipt of all that it takes: with the message's number it names one delivery (Q4).
    pub receipt: Uuid,
    /// Under which id it can be repeated, on an ordered queue (Q8).
    pub attempt: Option<Arc<str>>,
}

/// What a receive took.
#[derive(Clone, Debug, Default)]
pub struct Received {
    /// The messages, in order.
    pub taken: Vec<Taken>,
    /// How many were moved to the dead-letter queue instead.
    pub dead: u64,
}

/// A message that was taken.
#[derive(Clone, Debug)]
pub struct Taken {
    /// Its number in the table.
    pub number: i64,
    /// Its id.
    pub id: Uuid,
    /// Its receipt: the attempt's first one if this repeats an attempt.
    pub receipt: Uuid,
    /// Its body.
    pub body: String,
    /// Its attributes, as they were written.
    pub attributes: Option<String>,
    /// Its group.
    pub group: Option<String>,
    /// How often it was taken, this time included.
    pub receive_count: u32,
    /// When it was first stored, in microseconds since 1970, by the database's clock.
    pub sent_us: i64,
}

/// What a receipt says: which delivery of which message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handle {
    /// The message's number.
    pub number: i64,
    /// The receipt of the receive that took it.
    pub receipt: Uuid,
    /// The message's group, on an ordered queue.
    pub group: Option<Arc<str>>,
}

/// What became of one settlement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It was done.
    Done,
    /// The message is not in this queue any longer, nor in its dead-letter queue.
    Gone,
    /// The message was moved to the dead-letter queue.
    Moved,
    /// The message was given to another consumer.
    Superseded,
    /// The message is visible: its time ran out or it was released. Ordered queues also refuse to delete it then.
    Visible,
    /// It would be hidden for longer than allowed in all; so long ago it was received.
    TooLong(Duration),
}
