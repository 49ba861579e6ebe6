//! The records of queues.

use std::sync::Arc;

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::operation::{On, Operation};
use super::statements::Text;
use crate::micros;
use crate::store::{DeadLetter, NewQueue, QueueRecord, Settings};

/// Reads a queue's record.
#[derive(Debug)]
pub(super) struct Find {
    pub(super) name: String,
}

#[async_trait]
impl Operation for Find {
    type Answer = Option<QueueRecord>;

    const WHAT: &'static str = "find queue";

    fn is_single(&self) -> bool {
        true
    }

    async fn run(&self, on: On<'_>) -> Result<Self::Answer, sqlx::Error> {
        let query = on.statements.shared.find.query().bind(&self.name);
        query.fetch_all(on.connection).await?.first().map(record).transpose()
    }
}

/// Stores a queue's record unless one of that name is there.
#[derive(Debug)]
pub(super) struct Create {
    pub(super) queue: NewQueue,
}

#[async_trait]
impl Operation for Create {
    type Answer = ();

    const WHAT: &'static str = "create queue";

    fn is_single(&self) -> bool {
        true
    }

    async fn run(&self, on: On<'_>) -> Result<(), sqlx::Error> {
        let text = &on.statements.shared.create;
        write(text, &self.queue, on.connection).await
    }
}

/// Stores other settings over a queue's own; name and kind stay.
#[derive(Debug)]
pub(super) struct Update {
    pub(super) queue: NewQueue,
}

#[async_trait]
impl Operation for Update {
    type Answer = ();

    const WHAT: &'static str = "update queue";

    fn is_single(&self) -> bool {
        true
    }

    async fn run(&self, on: On<'_>) -> Result<(), sqlx::Error> {
        let text = &on.statements.shared.update;
        write(text, &self.queue, on.connection).await
    }
}

/// Runs a statement with all that is stored of a queue.
async fn write(
    text: &Text,
    queue: &NewQueue,
    connection: &mut sqlx::SqliteConnection,
) -> Result<(), sqlx::Error> {
    let NewQueue { name, tag, settings } = queue;
    let query = text.query().bind(&**name).bind(tag).bind(settings.ordered);
    let query = query.bind(settings.content_deduplication).bind(micros::of(settings.visibility));
    let query = query.bind(micros::of(settings.delay)).bind(micros::of(settings.retention));
    let query = query.bind(settings.dead_letter.map(|dead| dead.max_receive_count));
    query.bind(settings.dead_letter.map(|dead| dead.queue)).execute(connection).await?;
    Ok(())
}

fn record(row: &SqliteRow) -> Result<QueueRecord, sqlx::Error> {
    let dead_letter: (Option<u32>, Option<i64>) = (row.try_get(8)?, row.try_get(9)?);
    let settings = Settings {
        ordered: row.try_get(3)?,
        content_deduplication: row.try_get(4)?,
        visibility: micros::duration(row.try_get(5)?),
        delay: micros::duration(row.try_get(6)?),
        retention: micros::duration(row.try_get(7)?),
        dead_letter: match dead_letter {
            (Some(max_receive_count), Some(queue)) => Some(DeadLetter { queue, max_receive_count }),
            _ => None,
        },
    };
    let name: Arc<str> = Arc::from(row.try_get::<&str, _>(2)?);
    Ok(QueueRecord { id: row.try_get(0)?, tag: row.try_get(1)?, name, settings })
}
