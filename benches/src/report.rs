//! The report of one program: a table for people, or a line of JSON for each finding.

use std::env;
use std::fmt;
use std::process::ExitCode;

use crate::Finding;

/// What a program found, to be printed at its end.
#[derive(Debug, Default)]
pub struct Report {
    json: bool,
    findings: Vec<Finding>,
}

impl Report {
    /// Makes an empty report; lines of JSON with `--json` on the command line. What else `cargo bench` hands to
    /// every program is not for this one, and is ignored.
    pub fn from_args() -> Self {
        Self { json: env::args().any(|arg| arg == "--json"), findings: Vec::new() }
    }

    /// Adds what was found.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.findings.extend(findings);
    }

    /// Failure if a bar is broken.
    pub fn exit_code(&self) -> ExitCode {
        if self.findings.iter().any(Finding::is_broken) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widest = |column: fn(&Finding) -> &str| {
            self.findings.iter().map(|finding| column(finding).chars().count()).max().unwrap_or(0)
        };
        let (what, figure) = (widest(|finding| &finding.what), widest(|finding| &finding.figure));
        let bar = widest(|finding| &finding.bar);
        self.findings.iter().try_for_each(|row| {
            let verdict = row.kept.map_or("not measured", |kept| if kept { "kept" } else { "BROKEN" });
            let Finding { id, what: name, figure: found, bar: limit, .. } = row;
            writeln!(f, "{id:<4} {name:<what$}  {found:>figure$}  {limit:<bar$}  {verdict}")
        })
    }

    fn lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.findings.iter().try_for_each(|finding| {
            writeln!(f, "{}", serde_json::to_string(finding).map_err(|_| fmt::Error)?)
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.json { self.lines(f) } else { self.table(f) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bar;

    fn report(json: bool) -> Report {
        let calls = Finding::new("B1", "calls a message", 0.3, Bar::AtMost(0.22));
        let findings = vec![calls, Finding::unmeasured("B28", "memory", "on Linux only")];
        Report { json, findings }
    }

    #[test]
    fn the_table_has_a_row_for_each_finding_with_its_verdict() {
        let wanted = "B1   calls a message  0.3  ≤ 0.22         BROKEN\n\
                      B28  memory             -  on Linux only  not measured\n";
        assert_eq!(report(false).to_string(), wanted);
    }

    #[test]
    fn the_lines_hold_what_the_table_shows() {
        let wanted = r#"{"id":"B1","what":"calls a message","figure":"0.3","bar":"≤ 0.22","kept":false}"#;
        assert_eq!(report(true).to_string().lines().next(), Some(wanted));
    }
}
