//! What the gates save, while there is work and while there is none.

use indicatif::HumanCount;
use queue_core::Prices;

use super::row::{dollars, note, pair};
use crate::idle_hour::Receives;
use crate::options::{GateKind, Options};
use crate::outcome::Outcome;

/// Hours of a month of thirty days.
const MONTH: u64 = 720;

pub(super) fn rows(options: &Options, outcome: &Outcome) -> String {
    let (hour, main, retry) = (&outcome.hour, options.main_workers, options.retry_workers);
    let mut text =
        note("While a queue is quiet one of its workers polls; the others wait at the gate without a call.");
    text += &pair("", ["with gates", "without"]);
    text += &busy(options, outcome);
    text += &idle(options, outcome);
    text += &receives(&format!("receives of {main} main workers in an idle hour"), hour.main);
    text += &receives(&format!("receives of {retry} retry workers in an idle hour"), hour.retry);
    text += &month(outcome);
    text +=
        &note("(The idle hours were lived by this program's receivers on a simulated clock, and counted.)");
    text
}

/// What was counted in this run stands in the column of the gate that it ran with. Without gates those receives come
/// to it that workers would have begun while they waited.
fn busy(options: &Options, outcome: &Outcome) -> String {
    let (total, spared) = (outcome.measured.calls.total(), outcome.measured.spared);
    let billed = outcome.measured.calls.billed;
    if options.gate == GateKind::Open {
        let total = HumanCount(total).to_string();
        return pair("calls of this run, which had no gates", ["", &total])
            + &pair("their price", ["", &dollars(price(billed))]);
    }
    receives("calls of this run", Receives { gated: total, ungated: total + spared })
        + &prices("their price", Receives { gated: billed, ungated: billed + spared })
}

/// What was counted while it stayed idle in real time, in the column of the gate too.
fn idle(options: &Options, outcome: &Outcome) -> String {
    let Some(idle) = &outcome.idle else { return String::new() };
    let name = format!("receives in {:.1} s of idling", idle.time.as_secs_f64());
    if options.gate == GateKind::Open {
        return pair(&name, ["", &HumanCount(idle.receives).to_string()]);
    }
    let ungated = outcome.hour.ungated_within(idle.time, outcome.accounts);
    receives(&name, Receives { gated: idle.receives, ungated })
}

fn month(outcome: &Outcome) -> String {
    if outcome.accounts == 0 {
        return String::new();
    }
    let hour = outcome.hour.of(outcome.accounts);
    let month = Receives { gated: hour.gated * MONTH, ungated: hour.ungated * MONTH };
    let queues = HumanCount(2 * outcome.accounts as u64);
    let saved = dollars(price(month.ungated) - price(month.gated));
    receives(&format!("receives of all {queues} queues in 30 idle days"), month)
        + &prices("their price", month)
        + &note(&format!("So the gates of these {queues} queues save up to {saved} a month."))
}

fn receives(name: &str, both: Receives) -> String {
    let [gated, ungated] = [both.gated, both.ungated].map(|count| HumanCount(count).to_string());
    pair(name, [&gated, &ungated])
}

fn prices(name: &str, both: Receives) -> String {
    pair(name, [&dollars(price(both.gated)), &dollars(price(both.ungated))])
}

fn price(requests: u64) -> f64 {
    Prices::standard().of_requests(requests)
}
