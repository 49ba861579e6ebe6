//! What the calls were and what they cost.

use indicatif::HumanCount;
use queue_core::Prices;

use super::row::{count, dollars, note, row};
use crate::options::Options;
use crate::outcome::Outcome;

/// Visits for which a price is told.
const MILLION: f64 = 1e6;

pub(super) fn rows(options: &Options, outcome: &Outcome) -> String {
    let calls = &outcome.measured.calls;
    let empty = format!("those that wait at the end too; {} brought none", HumanCount(calls.empty_receive));
    let mut text = count("publish", calls.publish, &filled(calls.published, calls.publish));
    text += &count("receive", calls.receive, &empty);
    text += &count("delete", calls.delete, &filled(calls.deleted, calls.delete));
    text += &count("visibility", calls.change_visibility, "changed, for later tries and longer holds");
    if let Some(calls) = outcome.semaphore_calls {
        text += &count("semaphore", calls, "for the gates, to the database; no queue calls");
    }
    text += &price(outcome);
    if outcome.visits() > 0 {
        text += &per_visit(options, outcome);
    }
    text
}

fn filled(messages: u64, calls: u64) -> String {
    if calls == 0 { String::new() } else { format!("{:.1} messages in each", messages as f64 / calls as f64) }
}

fn price(outcome: &Outcome) -> String {
    let prices = Prices::standard();
    let rate = format!("on Amazon SQS, at {} a million calls", dollars(prices.of_requests(1_000_000)));
    row("price", &dollars(prices.of(&outcome.measured.calls)), &rate)
}

fn per_visit(options: &Options, outcome: &Outcome) -> String {
    let calls = outcome.calls_per_visit();
    let million = dollars(Prices::standard().of(&outcome.measured.calls) / outcome.visits() as f64 * MILLION);
    let compare = match options.batch {
        1 => "That is with one message in each call, as in the original. Full batches of ten make it 0.3.",
        _ => {
            "Full batches of ten make it 0.3; one message in each, as in the original, makes it 3 (--batch 1)."
        }
    };
    let again =
        if outcome.retried > 0 { note("A retried visit takes as much again.") } else { String::new() };
    note(&format!("A visit took {calls:.3} calls; a million visits cost {million}."))
        + &note(compare)
        + &again
}
