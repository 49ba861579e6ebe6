//! The count of deliveries that are outstanding: handed out and not settled yet.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// Knows whether anybody is left who could settle another delivery soon.
#[derive(Debug)]
pub(super) struct Outstanding {
    /// The most tasks that settle at a time.
    concurrency: usize,
    deliveries: AtomicUsize,
    /// How many of them are being settled now: their callers wait for an answer.
    awaited: AtomicUsize,
}

impl Outstanding {
    pub(super) fn new(concurrency: usize) -> Self {
        Self { concurrency, deliveries: AtomicUsize::new(0), awaited: AtomicUsize::new(0) }
    }

    pub(super) fn add(&self) {
        self.deliveries.fetch_add(1, SeqCst);
    }

    pub(super) fn remove(&self) {
        self.deliveries.fetch_sub(1, SeqCst);
    }

    /// Counts `entries` as being settled, until the answer is dropped.
    pub(super) fn awaiting(&self, entries: usize) -> Awaiting<'_> {
        self.awaited.fetch_add(entries, SeqCst);
        Awaiting { outstanding: self, entries }
    }

    /// Everybody who could bring another entry waits for an answer already.
    pub(super) fn all_wait(&self) -> bool {
        self.deliveries.load(SeqCst).min(self.concurrency) <= self.awaited.load(SeqCst)
    }
}

/// A caller that waits for the answers to its entries.
#[derive(Debug)]
pub(super) struct Awaiting<'a> {
    outstanding: &'a Outstanding,
    entries: usize,
}

impl Drop for Awaiting<'_> {
    fn drop(&mut self) {
        self.outstanding.awaited.fetch_sub(self.entries, SeqCst);
    }
}
