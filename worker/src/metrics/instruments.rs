//! The instruments of one receiver: what it counts on.

use ::metrics::{Histogram, SharedString, counter, gauge, histogram};
use queue_core::{Delivery, WorkerName};

use super::levels::Levels;
use super::timing::Timing;
use super::{PollerInstruments, Tally, names};
use crate::Account;
use crate::clock::WallClock;

/// What a receiver counts on. Its handles are made once, with the recorder that is installed by then.
#[derive(Debug)]
pub(crate) struct Instruments {
    queue: SharedString,
    clock: WallClock,
    age: Histogram,
    handling: Histogram,
    levels: Levels,
}

impl Instruments {
    pub(crate) fn new(queue: &str) -> Self {
        names::describe();
        let queue = SharedString::from(queue.to_owned());
        let gauge = |name: &'static str| gauge!(name, "queue" => queue.clone());
        let histogram = |name: &'static str| histogram!(name, "queue" => queue.clone());
        Self {
            age: histogram(names::AGE),
            handling: histogram(names::HANDLING),
            levels: Levels::new(gauge(names::IN_FLIGHT), gauge(names::BUFFERED)),
            clock: WallClock::start(),
            queue,
        }
    }

    pub(crate) fn received(&self) -> Tally {
        self.tally(names::RECEIVED)
    }

    /// Counts messages that ended in one way.
    pub(crate) fn settled(&self, outcome: &'static str) -> Tally {
        Tally::new(counter!(names::SETTLED, "queue" => self.queue.clone(), "outcome" => outcome))
    }

    pub(crate) fn panicked(&self) -> Tally {
        self.tally(names::PANICKED)
    }

    pub(crate) fn overran(&self) -> Tally {
        self.tally(names::OVERRAN)
    }

    pub(crate) fn renewals(&self) -> Tally {
        self.tally(names::RENEWALS)
    }

    pub(crate) fn renewals_lost(&self) -> Tally {
        self.tally(names::RENEWALS_LOST)
    }

    pub(crate) fn poller(&self, name: &WorkerName) -> PollerInstruments {
        PollerInstruments::new(&self.queue, name)
    }

    /// Notes how old the messages are that a poll brought.
    pub(crate) fn ages(&self, deliveries: &[Delivery]) {
        let now = self.clock.now();
        for sent_at in deliveries.iter().filter_map(|delivery| delivery.message().sent_at()) {
            self.age.record(now.duration_since(sent_at).unwrap_or_default());
        }
    }

    /// Times a run of the handler, until the answer is dropped.
    pub(crate) fn handling(&self) -> Timing {
        Timing::start(self.handling.clone())
    }

    /// Reports how many messages are where, after that has changed.
    pub(crate) fn observe(&self, account: impl FnOnce() -> Account) {
        self.levels.follow(account);
    }

    fn tally(&self, name: &'static str) -> Tally {
        Tally::new(counter!(name, "queue" => self.queue.clone()))
    }
}
