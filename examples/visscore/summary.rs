//! The summary for people, in words.

mod calls;
mod gates;
mod row;
mod visits;

use std::fmt;
use std::fmt::Write as _;

use indicatif::HumanCount;

use crate::options::Options;
use crate::outcome::Outcome;

/// What a run came to, and what it shows.
#[derive(Debug)]
pub(crate) struct Summary<'a> {
    options: &'a Options,
    outcome: &'a Outcome,
}

impl<'a> Summary<'a> {
    pub(crate) fn new(options: &'a Options, outcome: &'a Outcome) -> Self {
        Self { options, outcome }
    }

    fn headline(&self) -> String {
        let Outcome { counts, measured, accounts, stopped, .. } = self.outcome;
        let place = self.options.backend.described();
        let (did, visits) =
            if self.options.role.consumes() { ("handled", counts.unique) } else { ("sent", counts.sent) };
        format!(
            "Visscore {did} {} visits of {} accounts in {:.1} s, on {place}.{}",
            HumanCount(visits),
            HumanCount(*accounts as u64),
            measured.elapsed.as_secs_f64(),
            if *stopped { " A signal stopped it." } else { "" }
        )
    }

    fn scene(&self) -> String {
        let Options { main_workers, retry_workers, .. } = self.options;
        format!(
            "Each account has a main queue with {main_workers} workers and a retry queue with {retry_workers}; \
             every call to them was counted."
        )
    }
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        writeln!(text, "{}{}", row::paragraph(&self.headline()), row::paragraph(&self.scene()))?;
        writeln!(text, "Visits\n{}", visits::rows(self.options, self.outcome))?;
        writeln!(text, "Calls to the queue service\n{}", calls::rows(self.options, self.outcome))?;
        writeln!(text, "What the gates save\n{}", gates::rows(self.options, self.outcome))?;
        // G10
        if let Some(advice) = self.outcome.measured.calls.advice() {
            writeln!(text, "Advice\n{}", row::note(&advice))?;
        }
        f.write_str(&text)
    }
}
