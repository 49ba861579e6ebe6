//! The outlook: in how long there will be something to receive.

use std::time::Duration;

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::json;
use super::operation::{On, Operation};
use crate::micros;
use crate::store::QueueId;

/// Looks at queues: in how long each has something to receive.
#[derive(Debug)]
pub(super) struct Outlook {
    pub(super) queues: Vec<QueueId>,
}

#[async_trait]
impl Operation for Outlook {
    type Answer = Vec<(QueueId, Option<Duration>)>;

    const WHAT: &'static str = "look for messages";

    fn is_single(&self) -> bool {
        true
    }

    async fn run(&self, on: On<'_>) -> Result<Self::Answer, sqlx::Error> {
        let query = on.statements.shared.outlook.query().bind(json::numbers(&self.queues));
        let read = |row: &SqliteRow| {
            let ready_in: Option<i64> = row.try_get(1)?;
            Ok((row.try_get(0)?, ready_in.map(micros::duration)))
        };
        query.fetch_all(on.connection).await?.iter().map(read).collect()
    }
}
