//! How many messages are where, as the recorder knows it.

use std::sync::{Mutex, PoisonError};

use ::metrics::Gauge;

use crate::Account;

/// How many messages a receiver has. Several receivers of one name add up, as only differences are reported.
///
/// # Drop
/// Takes back what was reported.
#[derive(Debug)]
pub(super) struct Levels {
    in_flight: Gauge,
    buffered: Gauge,
    reported: Mutex<Account>,
}

impl Levels {
    pub(super) fn new(in_flight: Gauge, buffered: Gauge) -> Self {
        Self { in_flight, buffered, reported: Mutex::default() }
    }

    /// Reads the account and reports its levels. It is read under a lock, so that the last to change it reports last.
    pub(super) fn follow(&self, read: impl FnOnce() -> Account) {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        let now = read();
        step(&self.in_flight, reported.in_flight, now.in_flight);
        step(&self.buffered, reported.buffered, now.buffered);
        *reported = now;
    }
}

impl Drop for Levels {
    fn drop(&mut self) {
        self.follow(Account::default);
    }
}

fn step(gauge: &Gauge, from: u64, to: u64) {
    if to > from {
        gauge.increment(float(to - from));
    } else if from > to {
        gauge.decrement(float(from - to));
    }
}

/// A gauge is a float; the messages of one receiver are few enough.
fn float(n: u64) -> f64 {
    u32::try_from(n).unwrap_or(u32::MAX).into()
}
