//! Receiving: taking what is visible.

mod ordered;
mod standard;

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use queue_core::QueueError;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::SqliteStore;
use super::operation::{On, Operation};
use super::outlook::Outlook;
use crate::store::{QueueId, QueueRecord, Received, Taken, Wanted};

pub(super) use ordered::{Hidden, hide};

/// The queues of which the last receive brought all that it asked for, so that the next is likely to find something.
#[derive(Debug, Default)]
pub(super) struct Eager(Mutex<HashSet<QueueId>>);

impl Eager {
    fn expects_more(&self, queue: QueueId) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&queue)
    }

    fn note(&self, queue: QueueId, was_full: bool) {
        let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if was_full {
            queues.insert(queue);
        } else {
            queues.remove(&queue);
        }
    }
}

/// Receives. Unless something is to be expected it looks first: a look takes no lock, and an empty queue costs the writers
/// of the file nothing.
pub(super) async fn receive(
    store: &SqliteStore,
    queue: &QueueRecord,
    wanted: &Wanted,
) -> Result<Received, QueueError> {
    let is_blind = store.eager.expects_more(queue.id) || wanted.attempt.is_some() || !store.reads_beside;
    if !is_blind && !is_due(store, queue.id).await? {
        return Ok(Received::default());
    }
    let received = store.write(Receive { queue: queue.clone(), wanted: wanted.clone() }).await?;
    store.eager.note(queue.id, received.taken.len() as u64 >= u64::from(wanted.max));
    Ok(received)
}

async fn is_due(store: &SqliteStore, queue: QueueId) -> Result<bool, QueueError> {
    let outlook = store.read(Outlook { queues: vec![queue] }).await?;
    Ok(outlook.iter().any(|&(_, ready_in)| ready_in == Some(Duration::ZERO)))
}

/// Takes messages.
#[derive(Debug)]
struct Receive {
    queue: QueueRecord,
    wanted: Wanted,
}

#[async_trait]
impl Operation for Receive {
    type Answer = Received;

    const WHAT: &'static str = "receive";

    fn is_single(&self) -> bool {
        !self.queue.settings.ordered
    }

    async fn run(&self, mut on: On<'_>) -> Result<Received, sqlx::Error> {
        if self.queue.settings.ordered {
            ordered::take(&mut on, &self.queue, &self.wanted).await
        } else {
            standard::take(&mut on, &self.queue, &self.wanted).await
        }
    }
}

/// Reads a message that was taken: the first columns of what every receive returns.
pub(super) fn taken(row: &SqliteRow, receipt: Uuid) -> Result<Taken, sqlx::Error> {
    Ok(Taken {
        number: row.try_get(0)?,
        id: uuid(row, 1)?,
        receipt,
        group: row.try_get(2)?,
        attributes: row.try_get(3)?,
        body: row.try_get(4)?,
        receive_count: row.try_get(5)?,
        sent_us: row.try_get(6)?,
    })
}

/// Reads a UUID.
pub(super) fn uuid(row: &SqliteRow, column: usize) -> Result<Uuid, sqlx::Error> {
    let bytes: Vec<u8> = row.try_get(column)?;
    Uuid::from_slice(&bytes).map_err(|error| sqlx::Error::Decode(Box::new(error)))
}
