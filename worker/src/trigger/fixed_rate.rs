//! The fixed rate: a rhythm with one interval.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use tokio::time::{Instant, sleep_until};

use super::{Grid, Rhythm};
use crate::clock::WallClock;

/// A rhythm with the same interval from each point to the next.
#[derive(Debug)]
pub(crate) struct FixedRate {
    interval: Duration,
}

impl FixedRate {
    /// Thirty years: what is longer counts as this, so that adding it to a time never overflows.
    pub(crate) const LONGEST: Duration = Duration::from_hours(30 * 365 * 24);

    pub(crate) fn new(interval: Duration) -> Self {
        Self { interval: interval.min(Self::LONGEST) }
    }
}

impl Rhythm for FixedRate {
    fn grid(&self, start: Instant, clock: &Arc<WallClock>) -> Box<dyn Grid> {
        Box::new(Even { interval: self.interval, next: start, clock: Arc::clone(clock) })
    }
}

/// An even grid on tokio's clock.
#[derive(Debug)]
struct Even {
    interval: Duration,
    next: Instant,
    clock: Arc<WallClock>,
}

#[async_trait]
impl Grid for Even {
    fn point(&self) -> Option<SystemTime> {
        Some(self.clock.at(self.next))
    }

    async fn reached(&mut self, lag: Duration) {
        sleep_until(self.next + lag).await;
    }

    fn advance(&mut self) {
        self.next += self.interval;
    }

    fn skip(&mut self, lag: Duration) -> u64 {
        let behind = Instant::now().saturating_duration_since(self.next + lag);
        let passed = behind.as_nanos().div_ceil(self.interval.as_nanos());
        self.next += Duration::from_nanos_u128(passed * self.interval.as_nanos());
        u64::try_from(passed).unwrap_or(u64::MAX)
    }
}
