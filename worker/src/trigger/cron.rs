//! The cron pattern: a rhythm on the wall clock.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Unit, Zoned};
use tokio::time::{Instant, sleep};

use super::{CronError, Grid, Rhythm};
use crate::clock::WallClock;

/// How often a waiting trigger looks whether the system's clock was set.
const LOOK: Duration = Duration::from_mins(1);

/// A clock set back by more than this was wrong before: points that it repeats are points again.
const CORRECTION: Duration = Duration::from_hours(3);

/// How many points are counted one by one before the count ends and the grid jumps to now.
const COUNTED: u64 = 10_000;

/// A pattern in a time zone.
#[derive(Clone, Debug)]
pub(crate) struct Cron {
    pattern: croner::Cron,
    zone: TimeZone,
}

impl Cron {
    pub(crate) fn in_utc(pattern: &str) -> Result<Self, CronError> {
        let parsed =
            pattern.parse().map_err(|error: croner::errors::CronError| CronError::new(pattern, error))?;
        Ok(Self { pattern: parsed, zone: TimeZone::UTC })
    }

    pub(crate) fn in_zone(zone: &str, pattern: &str) -> Result<Self, CronError> {
        let found = TimeZone::get(zone).map_err(|error| CronError::new(zone, error))?;
        Ok(Self { zone: found, ..Self::in_utc(pattern)? })
    }

    /// The first point at `time` or after it.
    fn at_or_after(&self, time: SystemTime) -> Option<SystemTime> {
        let time = self.zoned(time)?;
        let second =
            time.round(jiff::ZonedRound::new().smallest(Unit::Second).mode(jiff::RoundMode::Ceil)).ok()?;
        self.find(&second, true)
    }

    /// The first point after `point`.
    fn after(&self, point: SystemTime) -> Option<SystemTime> {
        self.find(&self.zoned(point)?, false)
    }

    fn find(&self, from: &Zoned, inclusive: bool) -> Option<SystemTime> {
        Some(self.pattern.find_next_occurrence(from, inclusive).ok()?.timestamp().into())
    }

    fn zoned(&self, time: SystemTime) -> Option<Zoned> {
        Some(Timestamp::try_from(time).ok()?.to_zoned(self.zone.clone()))
    }
}

impl Rhythm for Cron {
    fn grid(&self, start: Instant, clock: &Arc<WallClock>) -> Box<dyn Grid> {
        let clock = Arc::clone(clock);
        let mut calendar = Calendar { cron: self.clone(), clock, start, last: None, next: None };
        calendar.next = calendar.upcoming();
        Box::new(calendar)
    }
}

/// The grid of a pattern on the wall clock.
#[derive(Debug)]
struct Calendar {
    cron: Cron,
    clock: Arc<WallClock>,
    start: Instant,
    last: Option<SystemTime>,
    next: Option<SystemTime>,
}

impl Calendar {
    /// The first point that is neither past nor before the start, and is not the last one again.
    fn upcoming(&self) -> Option<SystemTime> {
        let floor = self.clock.now().max(self.clock.at(self.start));
        match self.last {
            Some(last) if last >= floor && last < floor + CORRECTION => self.cron.after(last),
            _ => self.cron.at_or_after(floor),
        }
    }

    /// How long it is until `lag` after the next point; `None` if there is none.
    fn remaining(&self, lag: Duration) -> Option<Duration> {
        let until = self.next? + lag;
        Some(until.duration_since(self.clock.now()).unwrap_or_default())
    }

    fn has_passed(&self, lag: Duration) -> bool {
        self.next.is_some_and(|next| next + lag < self.clock.now())
    }
}

#[async_trait]
impl Grid for Calendar {
    fn point(&self) -> Option<SystemTime> {
        self.next
    }

    async fn reached(&mut self, lag: Duration) {
        while let Some(remaining) = self.remaining(lag) {
            if remaining.is_zero() {
                return;
            }
            sleep(remaining.min(LOOK)).await;
            // Earlier than before only if the clock was set back.
            self.next = self.next.into_iter().chain(self.upcoming()).min();
        }
        std::future::pending::<()>().await;
    }

    fn advance(&mut self) {
        self.last = self.next;
        self.next = self.next.and_then(|point| self.cron.after(point));
    }

    fn skip(&mut self, lag: Duration) -> u64 {
        let mut passed = 0;
        while self.has_passed(lag) {
            passed += 1;
            if passed >= COUNTED {
                self.next = self.upcoming();
                break;
            }
            self.next = self.next.and_then(|point| self.cron.after(point));
        }
        passed
    }
}
