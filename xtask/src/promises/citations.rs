//! The ids of promises: where they are listed, and where a test cites them.

use std::collections::BTreeSet;
use std::fmt;

/// How ids begin: queues, gates, workers, semaphore, outbox, dispatcher, pitfalls, and what databases are put through.
const KINDS: [&str; 9] = ["Q", "G", "W", "S", "O", "D", "P", "TS", "TQ"];

/// The id of a promise, a pitfall or an exercise, such as Q7, P13 or TS4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id(&'static str, u16);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0, self.1)
    }
}

impl Id {
    fn parse(word: &str) -> Option<Self> {
        KINDS.into_iter().find_map(|kind| {
            let digits = word.strip_prefix(kind)?;
            let number = digits.parse().ok().filter(|_| !digits.starts_with('0'))?;
            Some(Self(kind, number))
        })
    }
}

/// The ids that a list explains: lines that begin with `- **Q7** `.
pub(super) fn ids(list: &str) -> Vec<Id> {
    let head = |line: &str| Id::parse(line.strip_prefix("- **")?.split_once("** ")?.0);
    list.lines().filter_map(head).collect()
}

/// The ids that tests cite: in the plain comment above a test or, where there are conformance clauses, in a clause's
/// documentation; with ranges such as `W1 to W3`.
pub(super) fn citations(source: &str, clauses: bool) -> BTreeSet<Id> {
    let lines: Vec<_> = source.lines().map(str::trim_start).collect();
    let above_test =
        |at: usize| lines[at..].iter().find(|line| !line.starts_with("//")).is_some_and(begins_test);
    let cites = |at: usize| match lines[at] {
        line if line.starts_with("///") => clauses,
        line => line.starts_with("//") && above_test(at),
    };
    (0..lines.len()).filter(|at| cites(*at)).flat_map(|at| named(lines[at])).collect()
}

/// Whether a test begins here: by its attribute, or by its name in a list of a macro.
fn begins_test(line: &&str) -> bool {
    let attribute = line.starts_with("#[") && line.contains("test");
    let name =
        line.contains('_') && line.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    attribute || name || line.starts_with("proptest!")
}

/// Every id in a line, ranges filled.
fn named(line: &str) -> Vec<Id> {
    let words: Vec<_> =
        line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(id) = Id::parse(word) else { continue };
        let range = words.get(at + 1) == Some(&"to");
        let last = words.get(at + 2).filter(|_| range).and_then(|word| Id::parse(word));
        let last = last.filter(|last| last.0 == id.0).map_or(id.1, |last| last.1);
        found.extend((id.1..=last).map(|number| Id(id.0, number)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(ids: impl IntoIterator<Item = Id>) -> Vec<String> {
        ids.into_iter().map(|id| id.to_string()).collect()
    }

    #[test]
    fn a_list_explains_what_its_items_begin_with() {
        assert_eq!(
            shown(ids(
                "- **Q7** counts, see Q8\n- **P13** seen\n- **TS4** tried\ntext **Q9** x\n- **B1** bar"
            )),
            ["Q7", "P13", "TS4"]
        );
    }

    #[test]
    fn a_comment_above_a_test_cites_and_others_do_not() {
        let source = "// Q1, P2\n#[test]\nfn a() {}\n// Q3\nlet x = 1;\n/// Q4\n#[tokio::test]\nasync fn b() {}\n\
                      // W1 to W3; see B5\n// and G7\n#[tokio::test(start_paused = true)]\nasync fn c() {}";
        assert_eq!(shown(citations(source, false)), ["G7", "P2", "Q1", "W1", "W2", "W3"]);
    }

    #[test]
    fn a_comment_above_a_name_in_a_list_cites() {
        let source = "on_each! {\n// TS4, S4\nan_expired_lease_is_free\n// S5\nlet x_y = 1;\n}";
        assert_eq!(shown(citations(source, false)), ["S4", "TS4"]);
    }

    #[test]
    fn the_documentation_of_a_conformance_clause_cites() {
        assert_eq!(shown(citations("/// Q4: stale\npub async fn x() {}", true)), ["Q4"]);
    }
}
