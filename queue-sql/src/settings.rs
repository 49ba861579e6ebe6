//! A queue's settings: what was asked for, what is stored, and the ranges that are allowed.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use queue_core::{Limits, QueueError, ReceiveLimits};

use crate::store::{DeadLetter, QueueRecord, Settings};

/// `MessageRetentionPeriod` of `CreateQueue` in the Amazon SQS API reference: 60 s to 14 days, 4 days by default.
const RETENTION: (Duration, Duration) = (Duration::from_mins(1), Duration::from_hours(14 * 24));
const DEFAULT_RETENTION: Duration = Duration::from_hours(4 * 24);
/// `maxReceiveCount` of a redrive policy (`CreateQueue` in the Amazon SQS API reference).
const MAX_RECEIVE_COUNT: (u32, u32) = (1, 1_000);
/// The most characters of a queue's name: that of Amazon SQS (`CreateQueue`), so that a queue can move there.
const LONGEST_NAME: usize = 80;

/// What was asked for. What was not is `None`: a queue that is there keeps its own, a new one takes the default.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wished {
    pub(crate) visibility: Option<Duration>,
    pub(crate) retention: Option<Duration>,
    pub(crate) delay: Option<Duration>,
    pub(crate) ordered: Option<bool>,
    pub(crate) content_deduplication: Option<bool>,
    pub(crate) dead_letter: Option<DeadLetter>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            ordered: false,
            content_deduplication: false,
            visibility: ReceiveLimits::default().visibility,
            delay: Duration::ZERO,
            retention: DEFAULT_RETENTION,
            dead_letter: None,
        }
    }
}

impl Wished {
    /// The settings `base` with what was asked for over them.
    pub(crate) fn over(&self, base: &Settings) -> Settings {
        Settings {
            ordered: self.ordered.unwrap_or(base.ordered),
            content_deduplication: self.content_deduplication.unwrap_or(base.content_deduplication),
            visibility: self.visibility.unwrap_or(base.visibility),
            delay: self.delay.unwrap_or(base.delay),
            retention: self.retention.unwrap_or(base.retention),
            dead_letter: self.dead_letter.or(base.dead_letter),
        }
    }

    /// The first setting that the stored queue has otherwise, in words.
    pub(crate) fn conflict(&self, stored: &Settings) -> Option<String> {
        differs("ordered", self.ordered, stored.ordered)
            .or_else(|| {
                let (wished, is) = (self.content_deduplication, stored.content_deduplication);
                differs("deduplication by content", wished, is)
            })
            .or_else(|| differs("visibility timeout", self.visibility, stored.visibility))
            .or_else(|| differs("retention", self.retention, stored.retention))
            .or_else(|| differs("delay", self.delay, stored.delay))
            .or_else(|| differs("dead-letter queue", self.dead_letter.map(Some), stored.dead_letter))
    }
}

fn differs<T: PartialEq + Debug + Copy>(what: &str, wished: Option<T>, stored: T) -> Option<String> {
    let wished = wished?;
    (wished != stored).then(|| format!("its {what} is {stored:?}, {wished:?} was asked for"))
}

impl Settings {
    /// Checks the ranges.
    pub(crate) fn check(&self) -> Result<(), QueueError> {
        within(
            "the visibility timeout",
            self.visibility,
            (Duration::ZERO, self.receive_limits().max_visibility),
        )?;
        within("the retention", self.retention, RETENTION)?;
        within("the delay", self.delay, (Duration::ZERO, Limits::default().max_delay))?;
        if let Some(dead_letter) = &self.dead_letter {
            within("the maximum receive count", dead_letter.max_receive_count, MAX_RECEIVE_COUNT)?;
        }
        if self.content_deduplication && !self.ordered {
            let why = "deduplication by content needs an ordered queue; this one is standard";
            return Err(QueueError::permanent(why));
        }
        Ok(())
    }

    /// What can be asked for.
    pub(crate) fn receive_limits(&self) -> ReceiveLimits {
        ReceiveLimits::default().with_visibility(self.visibility).with_ordered(self.ordered)
    }

    /// For how long a message is hidden at first.
    pub(crate) fn delay_of(&self, asked: Option<Duration>) -> Duration {
        asked.unwrap_or(self.delay)
    }
}

/// Checks a queue's name: 1 to 80 of `A-Z a-z 0-9 - _ .`.
pub(crate) fn check_name(name: &str) -> Result<Arc<str>, QueueError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(allowed) {
        return Ok(Arc::from(name));
    }
    Err(QueueError::permanent(format!(
        "{name:?} can't be a queue's name: it needs 1 to {LONGEST_NAME} ASCII letters, digits, '-', '_' and '.'"
    )))
}

/// Refuses a dead-letter queue of the other kind, and a queue as its own.
pub(crate) fn check_dead_letter(settings: &Settings, dead: &QueueRecord) -> Result<(), QueueError> {
    if settings.ordered == dead.settings.ordered {
        return Ok(());
    }
    let kind = |ordered: bool| if ordered { "ordered" } else { "standard" };
    let (ours, theirs) = (kind(settings.ordered), kind(dead.settings.ordered));
    Err(QueueError::permanent(format!(
        "the dead-letter queue {:?} is {theirs}; that of an {ours} queue has to be {ours} too",
        dead.name
    )))
}

fn within<T: PartialOrd + Debug + Copy>(
    what: &str,
    value: T,
    (least, most): (T, T),
) -> Result<(), QueueError> {
    if value < least || value > most {
        return Err(QueueError::permanent(format!("{what} is {value:?}; {least:?} to {most:?} are allowed")));
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A queue's record.
    pub(crate) fn record(ordered: bool) -> QueueRecord {
        let settings = Settings { ordered, ..Settings::default() };
        QueueRecord { id: 1, tag: 17, name: Arc::from("jobs"), settings }
    }

    #[test]
    fn a_setting_outside_its_range_is_refused_by_name_and_value() {
        let defaults = Settings::default();
        assert!(defaults.check().is_ok());
        let hours = Duration::from_hours;
        for (bad, word) in [
            (Settings { visibility: hours(13), ..defaults.clone() }, "visibility"),
            (Settings { retention: Duration::from_secs(59), ..defaults.clone() }, "retention"),
            (Settings { retention: hours(15 * 24), ..defaults.clone() }, "retention"),
            (Settings { delay: hours(1), ..defaults.clone() }, "delay"),
            (Settings { content_deduplication: true, ..defaults.clone() }, "content"),
        ] {
            let error = bad.check().unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }

    #[test]
    fn what_was_not_asked_for_conflicts_with_nothing() {
        let stored = Settings { visibility: Duration::from_secs(5), ..Settings::default() };
        assert_eq!(Wished::default().conflict(&stored), None);
        assert_eq!(Wished::default().over(&stored), stored);
        let wished = Wished { visibility: Some(Duration::from_secs(7)), ..Wished::default() };
        assert!(wished.conflict(&stored).unwrap().contains("5s, 7s was asked for"));
        assert_eq!(wished.over(&stored).visibility, Duration::from_secs(7));
    }

    // Q1
    #[test]
    fn a_name_that_another_service_would_refuse_is_refused() {
        for good in ["a", "visscore_main_c-a-cubed-uk", "x.fifo", &"n".repeat(80)] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", "a b", "ä", "a/b", &"n".repeat(81)] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }
}
