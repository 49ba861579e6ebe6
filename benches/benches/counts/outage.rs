//! B5: the calls in any minute to a queue that gives no messages.

use std::time::Duration;

use benches::{Answer, Bar, Finding, Unanswering, paused, per};
use queue_core::{Context, MasterGate, Message, OpenGate, PollGate, QueueErrorKind, WorkerClass};
use tokio::time::sleep;
use worker::Receiver;

const ANSWERS: [(&str, Answer); 3] = [
    ("a missing queue", Answer::Refuse(QueueErrorKind::Permanent)),
    ("a refused connection", Answer::Refuse(QueueErrorKind::Transient)),
    ("a dead endpoint", Answer::Never),
];

/// Pauses have jitter, so the hour is lived several times, and the worst counts.
const HOURS: usize = 20;

/// The bar of the one case that can't keep six calls: without a gate, an endpoint that never answered yet looks like a
/// queue that is empty, so each worker asks it once (docs/decisions/0004).
const UNGATED_DEAD: f64 = 12.0;

/// A finding for each way not to answer, through the gate and without.
pub(crate) fn findings() -> Vec<Finding> {
    ANSWERS
        .into_iter()
        .flat_map(|way| [finding(way, "gated", MasterGate::new), finding(way, "ungated", || OpenGate)])
        .collect()
}

fn finding<G: PollGate + 'static>((name, answer): (&str, Answer), gated: &str, gate: fn() -> G) -> Finding {
    let hours = (0..HOURS).map(|_| paused(most_in_a_minute(answer, gate())));
    let what = format!("calls in any minute to {name}, 10 workers, {gated}");
    let most = if matches!(answer, Answer::Never) && gated == "ungated" { UNGATED_DEAD } else { 6.0 };
    Finding::new("B5", what, per(hours.max().unwrap_or(u64::MAX), 1), Bar::AtMost(most))
}

/// The busiest minute of an hour.
async fn most_in_a_minute(answer: Answer, gate: impl PollGate + 'static) -> u64 {
    let queue = Unanswering::new(answer);
    let running = Receiver::builder(queue.clone())
        .pollers(WorkerClass::MAIN, 10)
        .gate(gate)
        .handler(async |_message: Message, _context: Context| {})
        .start();
    sleep(Duration::from_hours(1)).await;
    running.stop(Duration::ZERO).await;
    queue.most_in_a_minute()
}
