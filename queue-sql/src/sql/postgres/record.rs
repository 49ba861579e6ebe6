//! A queue's record: reading it, and storing it.

use std::sync::Arc;

use queue_core::QueueError;
use sqlx::Row;
use sqlx::postgres::PgRow;

use super::PgStore;
use super::mode::Statement;
use crate::call::call;
use crate::micros;
use crate::store::{DeadLetter, NewQueue, QueueRecord, Settings};

pub(super) const FIND: &str = "
SELECT id, tag, name, ordered, content_deduplication, visibility_us, delay_us, retention_us, max_receive_count, dead_letter_id
FROM q_queue WHERE name = $1";

pub(super) const CREATE: &str = "
INSERT INTO q_queue (name, tag, ordered, content_deduplication, visibility_us, delay_us, retention_us,
  max_receive_count, dead_letter_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (name) DO NOTHING";

pub(super) const UPDATE: &str = "
UPDATE q_queue SET content_deduplication = $2, visibility_us = $3, delay_us = $4, retention_us = $5,
  max_receive_count = $6, dead_letter_id = $7
WHERE name = $1";

impl PgStore {
    pub(super) async fn find_record(&self, name: &str) -> Result<Option<QueueRecord>, QueueError> {
        let find = || self.mode.query(&self.sql.find).bind(name.to_owned());
        let rows = call!(self, "find", connection => self.mode.rows(connection, find()))?;
        rows.first().map(|row| record(row).map_err(|error| self.unreadable("find", error))).transpose()
    }

    pub(super) async fn create_record(&self, queue: &NewQueue) -> Result<(), QueueError> {
        let create = || {
            let query = self.mode.query(&self.sql.create).bind(queue.name.to_string()).bind(queue.tag);
            bind_settings(query.bind(queue.settings.ordered), &queue.settings)
        };
        call!(self, "create", connection => self.mode.rows(connection, create()))?;
        Ok(())
    }

    pub(super) async fn update_record(&self, queue: &NewQueue) -> Result<(), QueueError> {
        let update = || {
            let query = self.mode.query(&self.sql.update).bind(queue.name.to_string());
            bind_settings(query, &queue.settings)
        };
        call!(self, "update", connection => self.mode.rows(connection, update()))?;
        Ok(())
    }
}

fn bind_settings(query: Statement, settings: &Settings) -> Statement {
    let dead = settings.dead_letter;
    query
        .bind(settings.content_deduplication)
        .bind(micros::of(settings.visibility))
        .bind(micros::of(settings.delay))
        .bind(micros::of(settings.retention))
        .bind(most(dead))
        .bind(dead.map(|dead| dead.queue))
}

/// After how many receives a message is moved, as it is bound.
pub(super) fn most(dead: Option<DeadLetter>) -> Option<i32> {
    dead.map(|dead| i32::try_from(dead.max_receive_count).unwrap_or(i32::MAX))
}

fn record(row: &PgRow) -> Result<QueueRecord, sqlx::Error> {
    let (most, dead): (Option<i32>, Option<i64>) = (row.try_get(8)?, row.try_get(9)?);
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
    let name: String = row.try_get(2)?;
    Ok(QueueRecord { id: row.try_get(0)?, tag: row.try_get(1)?, name: Arc::from(name), settings })
}
