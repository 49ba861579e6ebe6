//! The table of the report: bar, what was measured, figure, limit, verdict.

use super::finding::Finding;
use std::fmt;

/// Findings as a table.
#[derive(Debug)]
pub(crate) struct Table<'a>(pub(crate) &'a [Finding]);

impl Table<'_> {
    fn widest(&self, column: fn(&Finding) -> &str) -> usize {
        self.0.iter().map(|finding| column(finding).chars().count()).max().unwrap_or(0)
    }
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, figure) = (self.widest(|finding| &finding.what), self.widest(|finding| &finding.figure));
        let bar = self.widest(|finding| &finding.bar);
        self.0.iter().try_for_each(|row| {
            let Finding { id, what: name, figure: found, bar: limit, .. } = row;
            writeln!(f, "{id:<4} {name:<what$}  {found:>figure$}  {limit:<bar$}  {}", row.verdict())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_finding_has_its_line_with_its_verdict() {
        let lines = [
            r#"{"id":"B1","what":"calls a message","figure":"0.2","bar":"≤ 0.22","kept":true}"#,
            r#"{"id":"B29","what":"seconds","figure":"21 s","bar":"≤ 20 s","kept":false}"#,
            r#"{"id":"B28","what":"memory","figure":"-","bar":"on Linux","kept":null}"#,
        ];
        let findings = lines.map(|line| serde_json::from_str(line).unwrap());
        let wanted = [
            "B1   calls a message   0.2  ≤ 0.22    kept\n",
            "B29  seconds          21 s  ≤ 20 s    BROKEN\n",
            "B28  memory              -  on Linux  not measured\n",
        ];
        assert_eq!(Table(&findings).to_string(), wanted.concat());
    }
}
