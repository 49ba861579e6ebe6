//! The face of the metrics without the feature `metrics`: it does nothing and takes no room.

use std::time::SystemTime;

use queue_core::{Delivery, WorkerName};

use crate::Account;

#[derive(Debug)]
pub(crate) struct Instruments;

#[derive(Debug, Default)]
pub(crate) struct Tally;

#[derive(Debug)]
pub(crate) struct PollerInstruments;

#[derive(Debug)]
pub(crate) struct Timing;

#[expect(clippy::unused_self, reason = "the face is that of the feature")]
impl Instruments {
    pub(crate) fn new(_queue: &str) -> Self {
        Self
    }

    pub(crate) fn received(&self) -> Tally {
        Tally
    }

    pub(crate) fn settled(&self, _outcome: &'static str) -> Tally {
        Tally
    }

    pub(crate) fn panicked(&self) -> Tally {
        Tally
    }

    pub(crate) fn overran(&self) -> Tally {
        Tally
    }

    pub(crate) fn renewals(&self) -> Tally {
        Tally
    }

    pub(crate) fn renewals_lost(&self) -> Tally {
        Tally
    }

    pub(crate) fn poller(&self, _name: &WorkerName) -> PollerInstruments {
        PollerInstruments
    }

    pub(crate) fn ages(&self, _deliveries: &[Delivery]) {}

    pub(crate) fn handling(&self) -> Timing {
        Timing
    }

    pub(crate) fn observe(&self, _account: impl FnOnce() -> Account) {}
}

#[expect(clippy::unused_self, reason = "the face is that of the feature")]
impl Tally {
    pub(crate) fn add(&self, _n: usize) {}
}

#[expect(clippy::unused_self, reason = "the face is that of the feature")]
impl PollerInstruments {
    pub(crate) fn succeeded(&self, _at: SystemTime) {}

    pub(crate) fn failed(&self, _consecutive: u32) {}
}
