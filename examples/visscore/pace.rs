//! The pace of a replay: when each visit is due.

use std::time::Duration;

use tokio::time::Instant;

/// The longest wait for one visit.
const LONGEST: Duration = Duration::from_hours(7 * 24);

/// Says when a visit is due, so that visits come as they came, `speed` times as fast.
#[derive(Debug)]
pub(crate) struct Pace {
    speed: f64,
    start: Option<(i64, Instant)>,
}

impl Pace {
    pub(crate) fn new(speed: f64) -> Self {
        Self { speed, start: None }
    }

    /// When a visit of the second `created` is due, counted from the first one. One from before the first is due at
    /// once, and so is one that would have to wait for more than a week: its clock is not believed.
    pub(crate) fn due(&mut self, created: i64) -> Instant {
        let (first, start) = *self.start.get_or_insert_with(|| (created, Instant::now()));
        let seconds = (i128::from(created) - i128::from(first)).max(0) as f64 / self.speed;
        let offset = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        start.checked_add(offset).filter(|due| *due - Instant::now() < LONGEST).unwrap_or(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_shrink_by_the_speed_and_disorder_is_due_at_once() {
        let mut pace = Pace::new(10.0);
        let start = pace.due(1_000);
        assert_eq!(pace.due(1_020) - start, Duration::from_secs(2));
        assert_eq!([pace.due(900), pace.due(i64::MIN), pace.due(i64::MAX)], [start, start, start]);
    }
}
