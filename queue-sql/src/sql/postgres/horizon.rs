//! The horizon: from where on receives look for messages while walking past all that were received before is slow.
//!
//! Index entries of messages that were received stay for as long as an older transaction is open, and a receive that starts
//! at the beginning walks past all of them. As long as that is quick, every receive does. Once it is slow, receives start
//! a little before the last message that was found, and a few, at intervals, at the beginning.
//!
//! What can be behind the horizon is only what was not to be had when the horizon passed: a message whose transaction
//! committed more than [`SLACK`] after it was published, or one that a receive held and let go. It waits for the next
//! receive that starts at the beginning: at most [`LONGEST_PAUSE`].

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::micros;
use crate::store::QueueId;

/// From what time on a receive that started at the beginning was slow.
const SLOW: Duration = Duration::from_millis(3);
/// Slow ones may take this share of the time, one part in so many: small enough to be less than one in a hundred receives of a
/// busy queue.
const SHARE: u32 = 200;
/// The longest time between two receives that start at the beginning.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How far the horizon stays behind the last message: longer than most transactions take from publishing to commit.
const SLACK: Duration = Duration::from_secs(1);

/// The horizon of each queue where receiving is slow.
#[derive(Debug, Default)]
pub(super) struct Horizon(Mutex<HashMap<QueueId, Line>>);

#[derive(Debug)]
struct Line {
    low_us: i64,
    /// Which receive last started at the beginning.
    round: u64,
    next_walk: Instant,
    next_look: Instant,
}

/// Where a receive starts.
#[derive(Debug)]
pub(super) struct Bound {
    queue: QueueId,
    round: u64,
    started: Instant,
    /// In microseconds since 1970; zero is the beginning.
    pub(super) low_us: i64,
}

/// What a receive found.
#[derive(Debug)]
pub(super) struct Found {
    /// When its last message became visible, in microseconds since 1970.
    pub(super) latest_us: i64,
    /// How long it took, by the server: neither the network nor the disk is meant.
    pub(super) took: Duration,
}

impl Horizon {
    /// Where the next receive starts.
    pub(super) fn bound(&self, queue: QueueId) -> Bound {
        let started = Instant::now();
        let mut lines = self.lock();
        let Some(line) = lines.get_mut(&queue) else { return Bound { queue, round: 0, started, low_us: 0 } };
        if line.next_walk > started {
            return Bound { queue, round: line.round, started, low_us: line.low_us };
        }
        line.round += 1;
        line.next_walk = started + LONGEST_PAUSE; // those that come meanwhile don't walk too
        Bound { queue, round: line.round, started, low_us: 0 }
    }

    /// Where waiting receives look for messages: at the beginning now and then, apart from the receives.
    pub(super) fn look(&self, queue: QueueId) -> i64 {
        let now = Instant::now();
        let mut lines = self.lock();
        let Some(line) = lines.get_mut(&queue) else { return 0 };
        if line.next_look > now {
            return line.low_us;
        }
        line.next_look = now + LONGEST_PAUSE;
        0
    }

    /// Notes how a receive went, and the last message that it found.
    pub(super) fn found(&self, bound: &Bound, found: Option<Found>) {
        let low_us = found.as_ref().map(|found| (found.latest_us - micros::of(SLACK)).max(0));
        let mut lines = self.lock();
        if bound.low_us != 0 {
            if let Some(line) = lines.get_mut(&bound.queue).filter(|line| line.round == bound.round) {
                line.low_us = line.low_us.max(low_us.unwrap_or(0));
            }
            return;
        }
        let now = Instant::now();
        let took = found.map_or(now - bound.started, |found| found.took);
        if took < SLOW {
            lines.remove(&bound.queue);
            return;
        }
        let next = now + (took * SHARE).min(LONGEST_PAUSE);
        let line = lines.entry(bound.queue).or_insert(Line {
            low_us: 0,
            round: 0,
            next_walk: next,
            next_look: next,
        });
        line.next_walk = next;
        // What was found may be old, and there may be more of the kind: the horizon goes back.
        line.low_us = low_us.unwrap_or(line.low_us);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<QueueId, Line>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000;

    fn found(took_ms: u64, latest: i64) -> Found {
        Found { latest_us: latest * SECOND, took: Duration::from_millis(took_ms) }
    }

    /// A receive that starts where it should, and takes a while.
    fn receive(horizon: &Horizon, took_ms: u64, latest: i64) -> i64 {
        let bound = horizon.bound(1);
        horizon.found(&bound, Some(found(took_ms, latest)));
        bound.low_us / SECOND
    }

    // B24
    #[tokio::test(start_paused = true)]
    async fn there_is_a_horizon_only_while_receiving_from_the_beginning_is_slow() {
        let horizon = Horizon::default();
        assert_eq!(receive(&horizon, 1, 100), 0);
        assert_eq!(receive(&horizon, 50, 100), 0);
        assert_eq!(receive(&horizon, 1, 50), 99);
        assert_eq!(receive(&horizon, 1, 101), 99, "it does not go back");
        assert_eq!((receive(&horizon, 1, 102), horizon.look(1)), (100, 101 * SECOND));
        assert_eq!(horizon.bound(2).low_us, 0);
        tokio::time::advance(Duration::from_millis(50) * SHARE).await;
        assert_eq!((horizon.look(1), horizon.look(1)), (0, 101 * SECOND), "a look has its own turn");
        assert_eq!(receive(&horizon, 1, 103), 0);
        assert_eq!((receive(&horizon, 1, 104), horizon.look(1)), (0, 0), "it is quick again");
    }

    // B24
    #[tokio::test(start_paused = true)]
    async fn what_was_found_behind_the_horizon_takes_it_back_and_a_receive_from_before_does_not_undo_that() {
        let horizon = Horizon::default();
        receive(&horizon, 100, 100);
        let before = horizon.bound(1);
        tokio::time::advance(LONGEST_PAUSE).await;
        assert_eq!(receive(&horizon, 100, 10), 0);
        horizon.found(&before, Some(found(1, 101)));
        assert_eq!(receive(&horizon, 1, 10), 9);
    }
}
