//! What a memory queue can be set to, and the ranges that the service allows.

use std::fmt::Debug;
use std::time::Duration;

use super::engine::{Rules, Wanted};
use super::{MemoryClock, MemoryQueue};
use crate::{Limits, QueueError, ReceiveLimits, ReceiveOptions};

/// `MessageRetentionPeriod` of `CreateQueue` in the Amazon SQS API reference: 60 s to 14 days, 4 days by default.
const RETENTION: (Duration, Duration) = (Duration::from_mins(1), Duration::from_hours(14 * 24));
const DEFAULT_RETENTION: Duration = Duration::from_hours(4 * 24);
/// In-flight messages (Amazon SQS Developer Guide, "Amazon SQS standard queue quotas" and "Amazon SQS FIFO queue
/// quotas").
const IN_FLIGHT: (usize, usize) = (1, 120_000);
/// `maxReceiveCount` of a redrive policy (`CreateQueue` in the Amazon SQS API reference).
const MAX_RECEIVE_COUNT: (u32, u32) = (1, 1_000);

/// The settings of a queue.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) visibility: Duration,
    pub(super) retention: Duration,
    pub(super) delay: Duration,
    pub(super) max_in_flight: usize,
    pub(super) ordered: bool,
    pub(super) content_deduplication: bool,
    pub(super) limits: Limits,
    pub(super) dead_letter: Option<DeadLetter>,
    pub(super) clock: Option<MemoryClock>,
}

/// Where messages go that were delivered too often.
#[derive(Clone, Debug)]
pub(super) struct DeadLetter {
    pub(super) queue: MemoryQueue,
    pub(super) max_receive_count: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            visibility: ReceiveLimits::default().visibility,
            retention: DEFAULT_RETENTION,
            delay: Duration::ZERO,
            max_in_flight: IN_FLIGHT.1,
            ordered: false,
            content_deduplication: false,
            limits: Limits::default(),
            dead_letter: None,
            clock: None,
        }
    }
}

impl Settings {
    pub(super) fn check(&self) -> Result<(), QueueError> {
        let max_visibility = self.receive_limits().max_visibility;
        within("the visibility timeout", self.visibility, (Duration::ZERO, max_visibility))?;
        within("the retention", self.retention, RETENTION)?;
        within("the delay", self.delay, (Duration::ZERO, self.limits.max_delay))?;
        within("the number of messages in flight", self.max_in_flight, IN_FLIGHT)?;
        if let Some(dead_letter) = &self.dead_letter {
            within("the maximum receive count", dead_letter.max_receive_count, MAX_RECEIVE_COUNT)?;
        }
        self.check_kind()?;
        self.check_clock()
    }

    /// The dead-letter queue's clock unless it was set.
    pub(super) fn clock(&self) -> MemoryClock {
        let dead_letter = || self.dead_letter.as_ref().map(|to| to.queue.shared().clock.clone());
        self.clock.clone().or_else(dead_letter).unwrap_or_default()
    }

    /// A message that moves takes its age along, which only means something by the same clock.
    fn check_clock(&self) -> Result<(), QueueError> {
        match &self.dead_letter {
            Some(dead_letter) if !self.clock().is(&dead_letter.queue.shared().clock) => Err(
                QueueError::permanent("a dead-letter queue has the clock of the queue that it belongs to"),
            ),
            _ => Ok(()),
        }
    }

    /// Refuses what belongs to the other kind of queue.
    fn check_kind(&self) -> Result<(), QueueError> {
        let refuse = |reason: &'static str| Err(QueueError::permanent(reason));
        if !self.ordered && self.limits.ordered {
            return refuse("the limits are an ordered queue's; this one is standard");
        }
        if !self.ordered && self.content_deduplication {
            return refuse("deduplication by content needs an ordered queue; this one is standard");
        }
        match self.dead_letter.as_ref().map(|dead_letter| dead_letter.queue.shared().settings().ordered) {
            Some(false) if self.ordered => {
                refuse("an ordered queue needs a dead-letter queue that is ordered too")
            }
            Some(true) if !self.ordered => {
                refuse("a standard queue needs a dead-letter queue that is standard too")
            }
            _ => Ok(()),
        }
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits.clone().with_ordered(self.ordered)
    }

    pub(super) fn receive_limits(&self) -> ReceiveLimits {
        ReceiveLimits::default().with_visibility(self.visibility).with_ordered(self.ordered)
    }

    /// What a receive wants, with what it leaves to the queue.
    pub(super) fn wanted(&self, options: &ReceiveOptions) -> Wanted {
        Wanted {
            max: options.max_messages,
            visibility: options.visibility.unwrap_or(self.visibility),
            attempt: options.attempt_id.clone().filter(|_| self.ordered),
        }
    }

    pub(super) fn rules(&self) -> Rules {
        Rules {
            delay: self.delay,
            retention: self.retention,
            max_in_flight: self.max_in_flight,
            max_visibility: self.receive_limits().max_visibility,
            max_receive_count: self.dead_letter.as_ref().map(|dead_letter| dead_letter.max_receive_count),
            ordered: self.ordered,
            content_deduplication: self.content_deduplication,
        }
    }
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
