//! A meter's counts as metrics.

use std::time::Duration;

use ::metrics::{Counter, Label, SharedString, counter};
use queue_core::{Calls, CancellationToken, Meter};
use tokio::time::{MissedTickBehavior, interval};

use super::names;

/// Tells the recorder what a [`Meter`] has counted: the calls to a queue by operation, what they brought, and what was
/// dropped unsettled. For the names see [the table](super).
///
/// # Guarantees
/// G10, Q12: as exact as the meter, and as fresh as the last [`publish`](Self::publish).
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use queue_core::{CancellationToken, MemoryQueue, Metered};
/// use worker::metrics::MeterExport;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let queue = Metered::new(MemoryQueue::new());
/// let stop = CancellationToken::new();
/// let export = MeterExport::new("orders", queue.meter());
/// let exporting = export.run(Duration::from_secs(5), stop.clone());   // spawn it beside the receiver
/// # stop.cancel();
/// # exporting.await;
/// # }
/// ```
#[derive(Debug)]
#[must_use = "it exports when it is run or told to publish"]
pub struct MeterExport {
    meter: Meter,
    counters: Vec<(Counter, Read)>,
}

/// Where a number is read.
type Read = fn(&Calls) -> u64;

/// A metric's name, its operation if it has that label, and where it is read.
type Row = (&'static str, Option<&'static str>, Read);

const ROWS: [Row; 14] = [
    (names::CALLS, Some("publish"), |calls| calls.publish),
    (names::CALLS, Some("receive"), |calls| calls.receive),
    (names::CALLS, Some("delete"), |calls| calls.delete),
    (names::CALLS, Some("change_visibility"), |calls| calls.change_visibility),
    (names::CALLS, Some("inspect"), |calls| calls.inspect),
    (names::FAILED_CALLS, Some("publish"), |calls| calls.failed_publish),
    (names::FAILED_CALLS, Some("receive"), |calls| calls.failed_receive),
    (names::FAILED_CALLS, Some("delete"), |calls| calls.failed_delete),
    (names::FAILED_CALLS, Some("change_visibility"), |calls| calls.failed_change_visibility),
    (names::FAILED_CALLS, Some("inspect"), |calls| calls.failed_inspect),
    (names::SENT, None, |calls| calls.published),
    (names::EMPTY_RECEIVES, None, |calls| calls.empty_receive),
    (names::ABANDONED, None, |calls| calls.abandoned),
    (names::BILLED, None, |calls| calls.billed),
];

impl MeterExport {
    /// Exports `meter` under the label `queue`, to the recorder that is installed by now.
    pub fn new(queue: impl Into<String>, meter: Meter) -> Self {
        names::describe();
        let queue = SharedString::from(queue.into());
        let counter = |(name, operation, read): Row| {
            let mut labels = vec![Label::new("queue", queue.clone())];
            labels.extend(operation.map(|operation| Label::new("operation", operation)));
            (counter!(name, labels), read)
        };
        Self { meter, counters: ROWS.into_iter().map(counter).collect() }
    }

    /// Tells the recorder what the meter stands at.
    pub fn publish(&self) {
        let calls = self.meter.calls();
        for (counter, read) in &self.counters {
            counter.absolute(read(&calls));
        }
    }

    /// Publishes at once and then `every` so often, and a last time when `stop` is cancelled.
    ///
    /// # Cancel safety
    /// Safe.
    ///
    /// # Panics
    /// If `every` is zero.
    pub async fn run(self, every: Duration, stop: CancellationToken) {
        let mut ticks = interval(every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            self.publish();
        }
        self.publish();
    }
}
