//! A queue's record: reading it, and storing it.

use std::sync::Arc;

use queue_core::QueueError;
use sqlx::mysql::MySqlRow;
use sqlx::{MySqlConnection, Row};

use super::MySqlStore;
use super::rows;
use super::text::Statement;
use crate::call::call;
use crate::micros;
use crate::store::{DeadLetter, NewQueue, QueueRecord, Settings};

pub(super) const FIND: &str = "
SELECT id, tag, name, ordered, content_deduplication, visibility_us, delay_us, retention_us, max_receive_count, dead_letter_id
FROM q_queue WHERE name = ?";

pub(super) const CREATE: &str = "
INSERT INTO q_queue (name, tag, ordered, content_deduplication, visibility_us, delay_us, retention_us,
  max_receive_count, dead_letter_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE id = id";

pub(super) const UPDATE: &str = "
UPDATE q_queue SET content_deduplication = ?, visibility_us = ?, delay_us = ?, retention_us = ?,
  max_receive_count = ?, dead_letter_id = ?
WHERE name = ?";

impl MySqlStore {
    pub(super) async fn find_record(&self, name: &str) -> Result<Option<QueueRecord>, QueueError> {
        call!(self, "find", connection => self.read_record(connection, name))
    }

    async fn read_record(
        &self,
        connection: &mut MySqlConnection,
        name: &str,
    ) -> Result<Option<QueueRecord>, sqlx::Error> {
        let row = self.sql.find.query().bind(name.as_bytes()).fetch_optional(connection).await?;
        row.as_ref().map(record).transpose()
    }

    pub(super) async fn create_record(&self, queue: &NewQueue) -> Result<(), QueueError> {
        let create = || {
            let query = self.sql.create.query().bind(queue.name.as_bytes()).bind(queue.tag);
            bind_settings(query.bind(queue.settings.ordered), &queue.settings)
        };
        call!(self, "create", connection => create().execute(connection))?;
        Ok(())
    }

    pub(super) async fn update_record(&self, queue: &NewQueue) -> Result<(), QueueError> {
        let update = || bind_settings(self.sql.update.query(), &queue.settings).bind(queue.name.as_bytes());
        call!(self, "update", connection => update().execute(connection))?;
        Ok(())
    }
}

fn bind_settings<'q>(query: Statement<'q>, settings: &Settings) -> Statement<'q> {
    let dead = settings.dead_letter;
    query
        .bind(settings.content_deduplication)
        .bind(micros::of(settings.visibility))
        .bind(micros::of(settings.delay))
        .bind(micros::of(settings.retention))
        .bind(dead.map(|dead| i64::from(dead.max_receive_count)))
        .bind(dead.map(|dead| dead.queue))
}

fn record(row: &MySqlRow) -> Result<QueueRecord, sqlx::Error> {
    let (most, dead): (Option<i64>, Option<i64>) = (row.try_get(8)?, row.try_get(9)?);
    let dead_letter = most.zip(dead).map(|(most, queue)| DeadLetter {
        queue,
        max_receive_count: u32::try_from(most).unwrap_or(u32::MAX),
    });
    let settings = Settings {
        ordered: row.try_get(3)?,
        content_deduplication: row.try_get(4)?,
        visibility: micros::duration(row.try_get(5)?),
        delay: micros::duration(row.try_get(6)?),
        retention: micros::duration(row.try_get(7)?),
        dead_letter,
    };
    let name = rows::text(row, 2)?;
    Ok(QueueRecord { id: row.try_get(0)?, tag: row.try_get(1)?, name: Arc::from(name), settings })
}
