//! The table at the end of CI: stage, seconds, outcome.

use crate::stage::Stage;
use std::{fmt, time::Duration};

/// How a stage ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome {
    /// It ran to its end in this time.
    Passed(Duration),
    /// It failed after this time.
    Failed(Duration),
    /// A stage before it failed.
    NotRun,
}

/// What each stage came to, in the order in which they were run.
#[derive(Debug, Default)]
pub(crate) struct Report {
    rows: Vec<(Stage, Outcome)>,
}

impl Report {
    /// Adds a line to the table.
    pub(crate) fn add(&mut self, stage: Stage, outcome: Outcome) {
        self.rows.push((stage, outcome));
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.iter().try_for_each(|(stage, outcome)| writeln!(f, "{stage:<9}{outcome}"))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed(took) => write!(f, "{:>7.1} s  passed", took.as_secs_f64()),
            Self::Failed(took) => write!(f, "{:>7.1} s  FAILED", took.as_secs_f64()),
            Self::NotRun => write!(f, "{:>7}    not run", "-"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stage_has_its_line_with_its_seconds() {
        let mut report = Report::default();
        report.add(Stage::Licences, Outcome::Passed(Duration::from_millis(61_250)));
        report.add(Stage::Test, Outcome::Failed(Duration::from_millis(50)));
        report.add(Stage::Features, Outcome::NotRun);
        let wanted =
            ["licences    61.2 s  passed\n", "test         0.1 s  FAILED\n", "features       -    not run\n"];
        assert_eq!(report.to_string(), wanted.concat());
    }
}
