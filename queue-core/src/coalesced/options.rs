//! The options of a coalesced queue.

use std::time::Duration;

use backon::ExponentialBuilder;

use super::batcher::Pace;

#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) publish_linger: Duration,
    pub(super) settle_linger: Duration,
    pub(super) deadline: Duration,
    pub(super) retries: usize,
    /// How many tasks settle at a time, at most.
    pub(super) concurrency: usize,
}

impl Options {
    /// The pause before an entry is sent again, doubled from one time to the next, plus up to as much at random.
    const FIRST_PAUSE: Duration = Duration::from_millis(100);

    pub(super) fn publishing(self) -> Pace {
        self.pace(self.publish_linger)
    }

    pub(super) fn settling(self) -> Pace {
        self.pace(self.settle_linger)
    }

    fn pace(self, linger: Duration) -> Pace {
        Pace { linger, deadline: self.deadline, pauses: self.pauses() }
    }

    fn pauses(self) -> ExponentialBuilder {
        ExponentialBuilder::new().with_min_delay(Self::FIRST_PAUSE).with_max_times(self.retries).with_jitter()
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            publish_linger: Duration::from_millis(5),
            settle_linger: Duration::from_millis(50),
            deadline: Duration::from_secs(30),
            retries: 3,
            concurrency: usize::MAX,
        }
    }
}
