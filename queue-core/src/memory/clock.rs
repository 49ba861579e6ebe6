//! The clock of memory queues, which can be moved forward.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::time::Instant;

use crate::clock::WallClock;

/// How far a clock can be moved in all: a hundred years, so that no sum of times overflows.
const FURTHEST: Duration = Duration::from_hours(100 * 365 * 24);

/// The clock of a [`MemoryQueue`](super::MemoryQueue): tokio's, and whatever it was moved forward.
///
/// A test on a paused clock needs none of it. It is for a queue that lives in real time, such as that of a test
/// server, where a visibility timeout of hours shall end now. Clones are the same clock, and queues that are built
/// with one share it; a queue that is built without has one of its own, or its dead-letter queue's.
///
/// Moved, the queue's time has passed: visibility timeouts, delays, retention, the window of deduplication and the
/// waits of receives end, and those who wait are woken. The times of messages move with it. What isn't the queue's
/// doesn't move: tokio's timers, and [`Delivery::hidden_until`](crate::Delivery::hidden_until), which is what a
/// consumer believes.
///
/// # Guarantees
/// None of its own; it never goes back.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use queue_core::{Consumer, MemoryClock, MemoryQueue, Outgoing, PublisherExt, ReceiveOptions};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let clock = MemoryClock::new();
/// let queue = MemoryQueue::builder().clock(clock.clone()).build()?;
/// queue.publish_one(Outgoing::new("in a quarter").with_delay(Duration::from_secs(900))).await?;
/// clock.advance(Duration::from_secs(900));
/// assert_eq!(queue.receive(ReceiveOptions::default()).await?.len(), 1);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct MemoryClock {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    start: WallClock,
    /// How far it was moved, in nanoseconds.
    moved: AtomicU64,
    moving: Notify,
}

impl MemoryClock {
    /// Makes a clock that was not moved. It is made where tokio's clock is the one to follow: within the runtime that
    /// the queues are used in.
    pub fn new() -> Self {
        let shared = Shared { start: WallClock::start(), moved: AtomicU64::new(0), moving: Notify::new() };
        Self { shared: Arc::new(shared) }
    }

    /// Moves the clock forward and wakes the receives that wait. In all it can be moved by a hundred years; what is
    /// beyond that is ignored.
    pub fn advance(&self, by: Duration) {
        let most = nanos(FURTHEST);
        let further = |moved: u64| Some(moved.saturating_add(nanos(by)).min(most));
        let _before = self.shared.moved.fetch_update(Ordering::AcqRel, Ordering::Acquire, further);
        self.shared.moving.notify_waiters();
    }

    /// The time by this clock. It is ahead of tokio's by what the clock was moved.
    pub fn now(&self) -> Instant {
        Instant::now() + self.moved()
    }

    /// The wall-clock time at `instant` of this clock.
    pub fn at(&self, instant: Instant) -> SystemTime {
        self.shared.start.at(instant)
    }

    /// Waits until this clock is at `until`, also when it is moved there.
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn sleep_until(&self, until: Instant) {
        while self.now() < until {
            self.sleep_or_move(until).await;
        }
    }

    /// Waits until this clock is at `until` if nobody moves it, and no longer than until somebody does.
    pub(super) async fn sleep_or_move(&self, until: Instant) {
        // It hears of every move from now on, and what came before is in what the next line reads.
        let moving = self.moving();
        tokio::select! {
            () = moving => {}
            () = tokio::time::sleep_until(self.unmoved(until)) => {}
        }
    }

    /// Whether both are the same clock.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    fn moving(&self) -> Notified<'_> {
        self.shared.moving.notified()
    }

    /// The same moment by tokio's clock.
    fn unmoved(&self, instant: Instant) -> Instant {
        instant.checked_sub(self.moved()).unwrap_or_else(Instant::now)
    }

    fn moved(&self) -> Duration {
        Duration::from_nanos(self.shared.moved.load(Ordering::Acquire))
    }
}

impl Default for MemoryClock {
    fn default() -> Self {
        Self::new()
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
