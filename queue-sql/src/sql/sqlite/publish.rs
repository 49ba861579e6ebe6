//! Publishing: storing messages.

use std::collections::{BTreeSet, HashSet};

use async_trait::async_trait;
use queue_core::QueueError;
use uuid::Uuid;

use super::errors::write_failed;
use super::operation::{On, Operation};
use super::receive::uuid;
use super::{groups, json};
use crate::micros;
use crate::store::{Letter, QueueRecord};

/// Stores messages, all or none.
#[derive(Debug)]
pub(super) struct Publish {
    pub(super) queue: QueueRecord,
    pub(super) letters: Vec<Letter>,
}

#[async_trait]
impl Operation for Publish {
    type Answer = Vec<Uuid>;

    const WHAT: &'static str = "publish";

    fn is_single(&self) -> bool {
        !self.queue.settings.ordered
    }

    async fn run(&self, mut on: On<'_>) -> Result<Vec<Uuid>, sqlx::Error> {
        store(&mut on, &self.queue, &self.letters).await
    }
}

/// Stores messages in a transaction of the caller's.
pub(super) async fn publish_in(
    mut on: On<'_>,
    queue: &QueueRecord,
    letters: &[Letter],
) -> Result<Vec<Uuid>, QueueError> {
    store(&mut on, queue, letters).await.map_err(|error| write_failed(Publish::WHAT, None, error))
}

async fn store(on: &mut On<'_>, queue: &QueueRecord, letters: &[Letter]) -> Result<Vec<Uuid>, sqlx::Error> {
    if queue.settings.ordered {
        return store_ordered(on, queue, letters).await;
    }
    let mut rest = letters;
    while !rest.is_empty() {
        let (text, count) = on.statements.standard.insert(rest.len());
        let (now, later) = rest.split_at(count);
        let mut query = text.query();
        for letter in now {
            query = query.bind(queue.id).bind(letter.id.as_bytes().to_vec()).bind(micros::of(letter.delay));
            query = query.bind(letter.group.as_deref()).bind(&letter.attributes).bind(&*letter.body);
        }
        query.execute(&mut *on.connection).await?;
        rest = later;
    }
    Ok(letters.iter().map(|letter| letter.id).collect())
}

/// Stores what was not sent before (Q9), and answers the id of each: of a duplicate the first one's.
async fn store_ordered(
    on: &mut On<'_>,
    queue: &QueueRecord,
    letters: &[Letter],
) -> Result<Vec<Uuid>, sqlx::Error> {
    let new = remember(on, queue, letters).await?;
    for letter in letters.iter().filter(|letter| new.contains(&letter.id)) {
        insert(on, queue, letter).await?;
    }
    let groups: BTreeSet<&str> = letters.iter().filter_map(|letter| letter.group.as_deref()).collect();
    if !new.is_empty() {
        groups::enter(on, queue.id, groups).await?;
    }
    let mut ids = Vec::with_capacity(letters.len());
    for letter in letters {
        ids.push(if new.contains(&letter.id) { letter.id } else { known(on, queue, letter).await? });
    }
    Ok(ids)
}

/// Remembers the identities, and answers the ids of the messages that are the first of theirs.
async fn remember(
    on: &mut On<'_>,
    queue: &QueueRecord,
    letters: &[Letter],
) -> Result<HashSet<Uuid>, sqlx::Error> {
    let pairs = letters.iter().map(|letter| (letter.identity.as_deref().unwrap_or_default(), letter.id));
    let query = on.statements.ordered.remember.query().bind(queue.id).bind(json::pairs(pairs));
    query.fetch_all(&mut *on.connection).await?.iter().map(|row| uuid(row, 0)).collect()
}

async fn insert(on: &mut On<'_>, queue: &QueueRecord, letter: &Letter) -> Result<(), sqlx::Error> {
    let query = on.statements.ordered.insert.query().bind(queue.id).bind(letter.group.as_deref());
    let query = query.bind(letter.id.as_bytes().to_vec()).bind(micros::of(letter.delay));
    let query = query.bind(&letter.attributes).bind(&*letter.body);
    query.execute(&mut *on.connection).await?;
    Ok(())
}

/// The id of the message that was the first of its identity.
async fn known(on: &mut On<'_>, queue: &QueueRecord, letter: &Letter) -> Result<Uuid, sqlx::Error> {
    let query = on.statements.ordered.known.query().bind(queue.id).bind(&letter.identity);
    let rows = query.fetch_all(&mut *on.connection).await?;
    rows.first().map_or(Ok(letter.id), |row| uuid(row, 0))
}
