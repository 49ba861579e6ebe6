//! The report for programs: one JSON object.

use serde::Serialize;

use crate::idle_hour::Receives;
use crate::options::Options;
use crate::outcome::Outcome;

/// The object; its fields are what the issue tracker and scripts rely on.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    example: &'static str,
    backend: &'static str,
    gate: &'static str,
    sent: u64,
    handled: u64,
    unique: u64,
    /// Visits of other runs that were handled too, by a process that sends itself.
    earlier: u64,
    duplicates: u64,
    /// Visits that another process handled, for all that this one can know.
    elsewhere: u64,
    retried: u64,
    quarantined: u64,
    left: u64,
    lost: u64,
    calls: CallsReport,
    calls_per_visit: f64,
    idle_receives_per_hour: Receives,
    elapsed_s: f64,
    /// With `--gate cluster` only; renewals of permits are not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    semaphore_calls: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idle: Option<IdleReport>,
}

#[derive(Debug, Serialize)]
struct CallsReport {
    publish: u64,
    /// Those included that brought nothing.
    receive: u64,
    empty_receive: u64,
    delete: u64,
    change_visibility: u64,
}

/// With `--idle` only.
#[derive(Debug, Serialize)]
struct IdleReport {
    seconds: f64,
    receives: u64,
    /// What the same time would have taken without gates, by the hour that was measured.
    ungated_receives: u64,
}

impl Report {
    pub(crate) fn new(options: &Options, outcome: &Outcome) -> Self {
        let counts = &outcome.counts;
        Self {
            example: "visscore",
            backend: options.backend.as_str(),
            gate: options.gate.as_str(),
            sent: counts.sent,
            handled: counts.handled,
            unique: counts.unique,
            earlier: counts.earlier,
            duplicates: counts.duplicates(),
            elsewhere: outcome.elsewhere(),
            retried: outcome.retried,
            quarantined: counts.quarantined(),
            left: outcome.left,
            lost: outcome.lost(),
            calls: CallsReport::new(outcome),
            calls_per_visit: rounded(outcome.calls_per_visit(), 4),
            idle_receives_per_hour: outcome.hour.main,
            elapsed_s: rounded(outcome.measured.elapsed.as_secs_f64(), 3),
            semaphore_calls: outcome.semaphore_calls,
            idle: outcome.idle.as_ref().map(|idle| IdleReport {
                seconds: rounded(idle.time.as_secs_f64(), 3),
                receives: idle.receives,
                ungated_receives: outcome.hour.ungated_within(idle.time, outcome.accounts),
            }),
        }
    }
}

impl CallsReport {
    fn new(outcome: &Outcome) -> Self {
        let calls = &outcome.measured.calls;
        Self {
            publish: calls.publish,
            receive: calls.receive,
            empty_receive: calls.empty_receive,
            delete: calls.delete,
            change_visibility: calls.change_visibility,
        }
    }
}

fn rounded(number: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (number * scale).round() / scale
}
