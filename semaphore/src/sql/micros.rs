//! Microseconds: how durations and times go to and from a database.

use std::time::{Duration, SystemTime};

/// A duration in microseconds.
pub(super) fn of(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// The duration of so many microseconds; none if there are fewer than none.
pub(super) fn duration(micros: i64) -> Duration {
    Duration::from_micros(u64::try_from(micros).unwrap_or(0))
}

/// The time so many microseconds after 1970.
pub(super) fn time(micros: i64) -> SystemTime {
    SystemTime::UNIX_EPOCH + duration(micros)
}
