//! The names of the metrics, and their descriptions.

use ::metrics::{Unit, describe_counter, describe_gauge, describe_histogram};

pub(super) const RECEIVED: &str = "messaging.client.consumed.messages";
pub(super) const HANDLING: &str = "messaging.process.duration";
pub(super) const SETTLED: &str = "worker.messages.settled";
pub(super) const PANICKED: &str = "worker.messages.panicked";
pub(super) const OVERRAN: &str = "worker.messages.overran";
pub(super) const AGE: &str = "worker.messages.age";
pub(super) const IN_FLIGHT: &str = "worker.messages.in_flight";
pub(super) const BUFFERED: &str = "worker.messages.buffered";
pub(super) const RENEWALS: &str = "worker.renewals";
pub(super) const RENEWALS_LOST: &str = "worker.renewals.lost";
pub(super) const FAILED_RECEIVES: &str = "worker.poller.receives.failed";
pub(super) const CONSECUTIVE_ERRORS: &str = "worker.poller.consecutive_errors";
pub(super) const LAST_SUCCESS: &str = "worker.poller.last_success.timestamp";
pub(super) const SENT: &str = "messaging.client.sent.messages";
pub(super) const CALLS: &str = "queue.calls";
pub(super) const FAILED_CALLS: &str = "queue.calls.failed";
pub(super) const EMPTY_RECEIVES: &str = "queue.receives.empty";
pub(super) const ABANDONED: &str = "queue.deliveries.abandoned";
pub(super) const BILLED: &str = "queue.requests.billed";

const COUNTERS: [(&str, &str); 13] = [
    (RECEIVED, "Deliveries received."),
    (SETTLED, "What became of messages, by outcome."),
    (PANICKED, "Messages whose handler panicked."),
    (OVERRAN, "Messages whose handler ran past its deadline."),
    (RENEWALS, "Renewal calls."),
    (RENEWALS_LOST, "Messages whose renewal came too late, or found them lost."),
    (FAILED_RECEIVES, "Receives that failed."),
    (SENT, "Messages published."),
    (CALLS, "Calls to the queue, by operation."),
    (FAILED_CALLS, "Calls to the queue that failed, by operation."),
    (EMPTY_RECEIVES, "Receives that brought nothing."),
    (ABANDONED, "Deliveries dropped unsettled."),
    (BILLED, "Requests as a queue service bills them."),
];

const GAUGES: [(&str, &str, Unit); 4] = [
    (IN_FLIGHT, "Messages in a handler or waiting for one.", Unit::Count),
    (BUFFERED, "Messages waiting for a free slot.", Unit::Count),
    (CONSECUTIVE_ERRORS, "Failed receives since the last success.", Unit::Count),
    (LAST_SUCCESS, "When a receive last succeeded, in seconds since 1970.", Unit::Seconds),
];

const HISTOGRAMS: [(&str, &str); 2] =
    [(HANDLING, "How long runs of the handler take."), (AGE, "From a message's sending to its receive.")];

/// Tells the recorder what each metric is.
pub(super) fn describe() {
    for (name, text) in COUNTERS {
        describe_counter!(name, Unit::Count, text);
    }
    for (name, text, unit) in GAUGES {
        describe_gauge!(name, unit, text);
    }
    for (name, text) in HISTOGRAMS {
        describe_histogram!(name, Unit::Seconds, text);
    }
}
