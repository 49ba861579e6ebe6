//! The table of slots of a broken semaphore.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use semaphore::PermitToken;
use tokio::time::Instant;
use uuid::Uuid;

/// A slot.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) id: Option<Uuid>,
    pub(crate) context: Option<Arc<str>>,
    pub(crate) since: Instant,
    pub(crate) until: Instant,
    pub(crate) fence: u64,
}

impl Row {
    pub(crate) fn new(fence: u64) -> Self {
        let now = Instant::now();
        Self { id: None, context: None, since: now, until: now, fence }
    }

    pub(crate) fn is_held(&self) -> bool {
        self.id.is_some() && Instant::now() < self.until
    }

    /// Whether it is held by that grant.
    pub(crate) fn is_held_by(&self, id: Uuid) -> bool {
        self.id == Some(id) && self.is_held()
    }

    pub(crate) fn free(&mut self) {
        self.id = None;
        self.until = self.until.min(Instant::now());
    }

    pub(crate) fn is_idle(&self, idle: Duration) -> bool {
        !self.is_held() && self.until + idle <= Instant::now()
    }
}

/// All slots, by the name of their key as this semaphore sees it.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) rows: BTreeMap<(String, u16), Row>,
    pub(crate) floor: u64,
    /// The maximum that was named first.
    pub(crate) first_maximum: Option<u16>,
    /// How many tries are under way.
    pub(crate) tries: u32,
}

impl Table {
    pub(crate) fn row(&mut self, key: &str, slot: u16) -> &mut Row {
        let floor = self.floor;
        self.rows.entry((key.to_owned(), slot)).or_insert_with(|| Row::new(floor))
    }

    pub(crate) fn is_held(&self, key: &str, slot: u16) -> bool {
        self.rows.get(&(key.to_owned(), slot)).is_some_and(Row::is_held)
    }

    /// The slot that a token names.
    pub(crate) fn named(&mut self, token: &PermitToken) -> Option<&mut Row> {
        self.rows.get_mut(&(token.key().as_str().to_owned(), token.slot()))
    }
}
