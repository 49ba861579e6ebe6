//! Publishing to standard queues, in one statement, and what ordered ones have in common with it.

use queue_core::QueueError;
use sqlx::{MySql, MySqlConnection};
use uuid::Uuid;

use super::MySqlStore;
use super::session::{Session, begin};
use crate::call::call;
use crate::error::{Moment, classify};
use crate::micros;
use crate::store::{Letter, QueueRecord};

/// Ids are given out in the order of the rows, in every mode of `innodb_autoinc_lock_mode`.
pub(super) const PUBLISH: &str = "
INSERT INTO q_message (queue_id, visible_us, sent_us, message_id, group_id, attributes, body)
VALUES {(?, :now + ?, :now, ?, ?, ?, ?)}";

impl MySqlStore {
    pub(super) async fn publish_letters(
        &self,
        queue: &QueueRecord,
        letters: &[Letter],
    ) -> Result<Vec<Uuid>, QueueError> {
        if queue.settings.ordered {
            call!(self, "publish", connection => self.publish_alone(connection, queue, letters))
        } else {
            call!(self, "publish", connection => self.insert(connection, queue, letters))
        }
    }

    pub(super) async fn publish_within(
        &self,
        connection: &mut MySqlConnection,
        queue: &QueueRecord,
        letters: &[Letter],
    ) -> Result<Vec<Uuid>, QueueError> {
        let published = async {
            if queue.settings.ordered {
                Session::new(connection, &self.sql).publish_ordered(queue, letters).await
            } else {
                self.insert(connection, queue, letters).await
            }
        };
        let published = tokio::time::timeout(self.deadline, published).await.map_err(|_| {
            QueueError::indeterminate(format!(
                "publish: no answer within the deadline of {:?}",
                self.deadline
            ))
        })?;
        published.map_err(|error| classify::<MySql>("publish", Moment::Working, error))
    }

    async fn insert(
        &self,
        connection: &mut MySqlConnection,
        queue: &QueueRecord,
        letters: &[Letter],
    ) -> Result<Vec<Uuid>, sqlx::Error> {
        let mut insert = self.sql.publish.query(letters.len());
        for letter in letters {
            insert = insert
                .bind(queue.id)
                .bind(micros::of(letter.delay))
                .bind(&letter.id.as_bytes()[..])
                .bind(letter.group.as_deref().map(str::as_bytes))
                .bind(letter.attributes.as_deref().map(str::as_bytes))
                .bind(letter.body.as_bytes());
        }
        insert.execute(connection).await?;
        Ok(letters.iter().map(|letter| letter.id).collect())
    }

    async fn publish_alone(
        &self,
        connection: &mut MySqlConnection,
        queue: &QueueRecord,
        letters: &[Letter],
    ) -> Result<Vec<Uuid>, sqlx::Error> {
        let mut transaction = begin(connection).await?;
        let ids = Session::new(&mut transaction, &self.sql).publish_ordered(queue, letters).await?;
        transaction.commit().await?;
        Ok(ids)
    }
}
