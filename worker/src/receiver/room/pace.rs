//! How long a run of the handler takes.

use std::time::Duration;

use tokio::time::Instant;

/// The newest run's weight in the moving average is one in so many.
const NEWEST: u32 = 10;

/// How long runs take: a moving average of those that ended, and the mean age of those under way.
#[derive(Debug)]
pub(super) struct Pace {
    since: Instant,
    /// When the runs under way started, as nanoseconds after `since`, added up.
    started: u128,
    running: u32,
    average: Option<Duration>,
}

impl Pace {
    pub(super) fn new(now: Instant) -> Self {
        Self { since: now, started: 0, running: 0, average: None }
    }

    pub(super) fn begin(&mut self, now: Instant) {
        self.running += 1;
        self.started += self.offset(now);
    }

    pub(super) fn end(&mut self, started: Instant, now: Instant) {
        self.running -= 1;
        self.started -= self.offset(started);
        let took = now - started;
        self.average = Some(self.average.map_or(took, |known| (known * (NEWEST - 1) + took) / NEWEST));
    }

    /// How many runs are under way.
    pub(super) fn running(&self) -> usize {
        self.running as usize
    }

    /// Whether any run has ended.
    pub(super) fn is_known(&self) -> bool {
        self.average.is_some()
    }

    /// How many messages `places` are likely to start within `within`; `None` before any run was seen. Runs that are
    /// under way for longer than the average count by their age.
    pub(super) fn starts(&self, places: usize, within: Duration, now: Instant) -> Option<usize> {
        let average = self.average.map(|average| average.as_nanos());
        let run = average.into_iter().chain(self.mean_age(now)).max()?;
        let starts = (places as u128).saturating_mul(within.as_nanos()) / run.max(1);
        Some(usize::try_from(starts).unwrap_or(usize::MAX))
    }

    fn mean_age(&self, now: Instant) -> Option<u128> {
        let running = u128::from(self.running);
        (self.offset(now) * running - self.started).checked_div(running)
    }

    fn offset(&self, instant: Instant) -> u128 {
        (instant - self.since).as_nanos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    // W9
    #[test]
    fn nothing_is_known_before_the_first_run() {
        let now = Instant::now();
        assert_eq!(Pace::new(now).starts(10, SECOND, now), None);
    }

    // W9
    #[test]
    fn quick_runs_start_many_and_slow_ones_few() {
        let now = Instant::now();
        let mut pace = Pace::new(now);
        pace.begin(now);
        pace.end(now, now + SECOND / 10);
        assert_eq!(pace.starts(2, SECOND, now), Some(20));
        for _ in 0..100 {
            pace.begin(now);
            pace.end(now, now + SECOND * 10);
        }
        assert_eq!(pace.starts(2, SECOND, now), Some(0));
    }

    // W9
    #[test]
    fn a_run_that_does_not_end_counts_by_its_age() {
        let now = Instant::now();
        let mut pace = Pace::new(now);
        pace.begin(now);
        assert_eq!(pace.starts(2, SECOND, now + SECOND * 4), Some(0));
        assert_eq!(pace.starts(40, SECOND, now + SECOND * 4), Some(10));
    }
}
