//! The state of the database, and what happened so far.

/// The row of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    /// The grant that holds it or held it last; `None`: it was released, or never held.
    pub(crate) token: Option<usize>,
    pub(crate) until: u8,
    pub(crate) fence: u8,
}

/// A grant, by its token. What is true of it, whatever the rows say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Grant {
    pub(crate) slot: usize,
    pub(crate) fence: u8,
    /// When its lease ends, by the database's clock.
    pub(crate) until: u8,
    /// For how long its holder believes that it holds it.
    pub(crate) trusted: u8,
}

/// A try, between two statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Half {
    Chose(usize),
    ReadFloor(u8),
}

/// Everything there is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The database's clock.
    pub(crate) now: u8,
    pub(crate) floor: u8,
    pub(crate) rows: Vec<Option<Row>>,
    /// By token.
    pub(crate) grants: Vec<Grant>,
    pub(crate) halves: Vec<Half>,
    /// Whether a stale token ever changed anything.
    pub(crate) stale: bool,
}

impl State {
    /// A new key, at a time when no lease can have ended.
    pub(crate) fn new(max: usize) -> Self {
        Self { now: 1, floor: 0, rows: vec![None; max], grants: vec![], halves: vec![], stale: false }
    }

    /// Whether a slot's row is there and not held.
    pub(crate) fn is_free(&self, slot: usize) -> bool {
        self.rows[slot].is_some_and(|row| row.until <= self.now)
    }

    /// The lowest free slot.
    pub(crate) fn lowest_free(&self) -> Option<usize> {
        (0..self.rows.len()).find(|slot| self.is_free(*slot))
    }

    /// Whether the lease of a grant has not ended.
    pub(crate) fn is_live(&self, token: usize) -> bool {
        self.now < self.grants[token].until
    }

    /// The grants whose leases have not ended.
    pub(crate) fn live(&self) -> impl Iterator<Item = &Grant> {
        self.grants.iter().filter(|grant| self.now < grant.until)
    }
}
