//! What became of the visits.

use super::row::{count, count_with, note};
use crate::options::Options;
use crate::outcome::Outcome;

pub(super) fn rows(options: &Options, outcome: &Outcome) -> String {
    let counts = &outcome.counts;
    let mut text = count("sent", counts.sent, "");
    text += &count("handled", counts.unique, "");
    text += &count_with("duplicates", counts.duplicates(), "handled once more than needed");
    text += &count_with("retried", outcome.retried, "failed, and were moved to the retry queue");
    text += &quarantined(outcome);
    if counts.given_up > 0 {
        text +=
            &count("given up", counts.given_up, "failed five more times there; now in quarantine, and left");
    }
    if counts.unsent > 0 {
        text += &count("not sent", counts.unsent, "read, but the run was stopped before they were published");
    }
    text += &count_with("from before", counts.earlier, "of an earlier run, handled too");
    let left = if options.backend.is_durable() {
        "still queued, for the next run"
    } else {
        "still queued; the queues end with the process"
    };
    text += &count_with("left", outcome.left, left);
    text +=
        &count_with("elsewhere", outcome.elsewhere(), "sent, and handled by another process on these queues");
    let lost = if options.knows_others() {
        "sent, and neither handled nor queued"
    } else {
        "sent, and neither queued nor handled here; --database-url would show other processes"
    };
    text += &count_with("lost", outcome.lost(), lost);
    text
}

/// The lines that nobody can handle; the first of them one by one.
fn quarantined(outcome: &Outcome) -> String {
    let all = outcome.counts.quarantined();
    let mut text = count_with("quarantined", all, "lines that nobody can handle:");
    for line in &outcome.quarantine {
        text += &note(&format!("    {line}"));
    }
    let more = all.saturating_sub(outcome.quarantine.len() as u64);
    if more > 0 {
        text += &note(&format!("    and {more} more"));
    }
    text
}
