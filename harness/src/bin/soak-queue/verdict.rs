//! The verdict: what came of a soak.

use std::fmt;
use std::path::Path;

use harness::{Journal, Ledger};
use serde::Serialize;

use crate::Failure;
use crate::holds::{Line, Overlaps};
use crate::options::Options;

/// What came of a soak.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) figures: Figures,
    /// What was handled though nobody sent it.
    unsent: usize,
    /// Entries of the ledger that are missing: it proves nothing then.
    gaps: usize,
    /// Whether fewer were sent than there were to be: it proves little then.
    is_cut_short: bool,
    /// How many kills were made, and how many there were to be.
    kills: [usize; 2],
    /// The first few of what is wrong, in words.
    findings: Vec<String>,
}

/// The figures, as `--json` prints them.
#[derive(Debug, Serialize)]
pub(crate) struct Figures {
    /// Messages that were stored for certain.
    sent: usize,
    /// Different messages that were handled, also such as may or may not have been stored.
    handled: usize,
    /// Messages that were stored for certain and never handled.
    lost: usize,
    /// How often one was handled again, as after a kill it may be.
    duplicates: usize,
    /// How often two held one message at once.
    double_holders: usize,
    /// How often a message of an ordered queue was handled before an earlier one of its group, or two receives held
    /// messages of one group at once.
    order_violations: usize,
}

impl Verdict {
    pub(crate) fn of(
        options: &Options,
        ledger: &Ledger,
        holds: &Path,
        kills: usize,
    ) -> Result<Self, Failure> {
        let balance = ledger.balance()?;
        let lines: Vec<Line> = Journal::read(holds)?;
        let overlaps = Overlaps::of(&lines);
        let disorder: Vec<_> = balance.disorder().iter().filter(|found| found.key.starts_with('o')).collect();
        let figures = Figures {
            sent: balance.sent(),
            handled: balance.finished(),
            lost: balance.lost().len(),
            duplicates: balance.duplicates(),
            double_holders: overlaps.messages.len(),
            order_violations: disorder.len() + overlaps.groups.len(),
        };
        let mut findings: Vec<_> = disorder.iter().take(5).map(|found| format!("{found:?}")).collect();
        findings.extend(balance.lost().iter().take(5).map(|lost| format!("lost: {lost:?}")));
        findings.extend(balance.unsent().iter().take(5).map(|piece| format!("never sent: {piece:?}")));
        findings.extend(overlaps.messages.into_iter().take(5));
        findings.extend(overlaps.groups.into_iter().take(5).map(|words| format!("group {words}")));
        let (unsent, gaps) = (balance.unsent().len(), balance.gaps().len());
        let is_cut_short = (figures.sent as u64) < options.messages;
        let kills = [kills, options.kills];
        Ok(Self { figures, unsent, gaps, is_cut_short, kills, findings })
    }

    /// Whether nothing was lost, held twice, out of order, or never sent. Duplicates are allowed: nobody can handle a
    /// message and delete it in one step.
    pub(crate) fn is_clean(&self) -> bool {
        let Figures { lost, double_holders, order_violations, .. } = self.figures;
        lost + double_holders + order_violations + self.unsent + self.gaps == 0 && !self.is_cut_short
    }

    /// What is wrong, the first few of it.
    pub(crate) fn findings(&self) -> &[String] {
        &self.findings
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { sent, handled, lost, duplicates, double_holders, order_violations } = self.figures;
        write!(f, "{sent} sent, {handled} handled, {lost} lost, {duplicates} duplicates, ")?;
        write!(f, "{double_holders} double holders, {order_violations} order violations, ")?;
        write!(f, "{} never sent, {} of {} kills made: ", self.unsent, self.kills[0], self.kills[1])?;
        f.write_str(if self.is_clean() { "clean" } else { "NOT CLEAN" })
    }
}
