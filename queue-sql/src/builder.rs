//! How a queue is set up, and opened.

use std::sync::Arc;
use std::time::Duration;

use queue_core::QueueError;

use crate::settings::{Wished, check_dead_letter, check_name};
use crate::store::{DeadLetter, NewQueue, QueueRecord, Settings, Store};
use crate::{SqlDatabase, SqlQueue};

/// Sets up a queue: a new one, or one that is there already.
///
/// What is not set is left as it is in a queue that is there, and takes the default in a new one.
#[must_use = "a builder builds nothing until `build` is called"]
#[derive(Debug)]
pub struct SqlQueueBuilder<S: Store> {
    database: SqlDatabase<S>,
    name: String,
    wished: Wished,
    dead_letter: Option<QueueRecord>,
    overwrite: bool,
}

impl<S: Store> SqlQueueBuilder<S> {
    pub(crate) fn new(database: SqlDatabase<S>, name: String) -> Self {
        Self { database, name, wished: Wished::default(), dead_letter: None, overwrite: false }
    }

    /// Names the queue: 1 to 80 ASCII letters, digits, `-`, `_` and `.`. A [`QueueName`](queue_core::QueueName) fits.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the visibility timeout of receives that name none: 0 s to 12 h, 30 s by default.
    pub fn visibility(mut self, visibility: Duration) -> Self {
        self.wished.visibility = Some(visibility);
        self
    }

    /// Sets how long a message is kept, counted from when it was first stored: 60 s to 14 days, 4 days by default
    /// (Q10).
    pub fn retention(mut self, retention: Duration) -> Self {
        self.wished.retention = Some(retention);
        self
    }

    /// Sets the delay of messages that name none: 0 s to 15 min, 0 s by default.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.wished.delay = Some(delay);
        self
    }

    /// Moves messages to `queue`, of the same database, instead of delivering them more often than
    /// `max_receive_count` times: 1 to 1,000 (Q7).
    pub fn dead_letter(mut self, queue: &SqlQueue<S>, max_receive_count: u32) -> Self {
        let record = queue.shared.record.clone();
        self.wished.dead_letter = Some(DeadLetter { queue: record.id, max_receive_count });
        self.dead_letter = Some(record);
        self
    }

    /// Makes it an ordered queue, what Amazon SQS calls FIFO: it keeps the messages of a group in order (Q8) and stores
    /// once what is sent twice (Q9). Every message needs a group key and a deduplication id.
    pub fn ordered(mut self) -> Self {
        self.wished.ordered = Some(true);
        self
    }

    /// Lets an ordered queue tell messages apart by their bodies where they carry no deduplication id (Q9).
    pub fn content_deduplication(mut self) -> Self {
        self.wished.content_deduplication = Some(true);
        self
    }

    /// Stores these settings over those of a queue that is there. Processes that have it open keep theirs until they
    /// open it again. What a queue orders by can't be changed.
    pub fn overwrite(mut self) -> Self {
        self.overwrite = true;
        self
    }

    /// Opens the queue, and makes it if it is not there.
    ///
    /// # Cancel safety
    /// Safe: the queue may have been made.
    ///
    /// # Errors
    /// *Permanent*: a name or a setting that is not allowed; a queue of that name with other settings, unless
    /// [`overwrite`](Self::overwrite) is said; tables that are missing. It says which, and what would be right.
    /// *Transient*, *indeterminate*: try again.
    pub async fn build(self) -> Result<SqlQueue<S>, QueueError> {
        let name = check_name(&self.name)?;
        let store = &self.database.inner.store;
        let mut record = store.find(&name).await?;
        if record.is_none() {
            let settings = self.checked(&Settings::default())?;
            store.create(&NewQueue { name: Arc::clone(&name), tag: fastrand::i64(..), settings }).await?;
            record = store.find(&name).await?;
        }
        let missing =
            || QueueError::transient(format!("queue {name:?} was removed while it was being opened"));
        let record = self.reconcile(record.ok_or_else(missing)?).await?;
        Ok(SqlQueue::with_record(self.database.inner, record))
    }

    /// The settings that result, checked.
    fn checked(&self, base: &Settings) -> Result<Settings, QueueError> {
        let settings = self.wished.over(base);
        settings.check()?;
        if let Some(dead) = &self.dead_letter {
            if *dead.name == *self.name {
                return Err(QueueError::permanent("a queue can't be its own dead-letter queue"));
            }
            check_dead_letter(&settings, dead)?;
        }
        Ok(settings)
    }

    /// Holds what is stored against what was asked for.
    async fn reconcile(&self, mut record: QueueRecord) -> Result<QueueRecord, QueueError> {
        let Some(conflict) = self.wished.conflict(&record.settings) else { return Ok(record) };
        let settings = self.checked(&record.settings)?;
        if !self.overwrite || settings.ordered != record.settings.ordered {
            let hint = if self.overwrite {
                "what a queue orders by can't be changed"
            } else {
                "`overwrite` changes it"
            };
            let name = &record.name;
            return Err(QueueError::permanent(format!(
                "queue {name:?} is there already, and {conflict}; {hint}"
            )));
        }
        let changed =
            NewQueue { name: Arc::clone(&record.name), tag: record.tag, settings: settings.clone() };
        self.database.inner.store.update(&changed).await?;
        record.settings = settings;
        Ok(record)
    }
}
