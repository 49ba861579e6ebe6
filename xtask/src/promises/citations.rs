//! The ids of promises: where they are listed, and where a test cites them.

use std::collections::BTreeSet;
use std::fmt;

/// The letters of ids: queues, gates, workers, semaphore, outbox, dispatcher, pitfalls.
const LETTERS: &str = "QGWSODP";

/// The id of a promise or a pitfall, such as Q7 or P13.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id(char, u16);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0, self.1)
    }
}

impl Id {
    fn parse(word: &str) -> Option<Self> {
        let letter = word.chars().next().filter(|letter| LETTERS.contains(*letter))?;
        let digits = &word[1..];
        let number = digits.parse().ok().filter(|_| !digits.starts_with('0'))?;
        Some(Self(letter, number))
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
    let above_test = |at: usize| {
        let rest = lines[at..].iter().find(|line| !line.starts_with("//"));
        rest.is_some_and(|line| {
            line.starts_with("#[") && line.contains("test") || line.starts_with("proptest!")
        })
    };
    let cites = |at: usize| match lines[at] {
        line if line.starts_with("///") => clauses,
        line => line.starts_with("//") && above_test(at),
    };
    (0..lines.len()).filter(|at| cites(*at)).flat_map(|at| named(lines[at])).collect()
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
            shown(ids("- **Q7** counts, see Q8\n- **P13** seen\ntext **Q9** x\n- **B1** bar")),
            ["Q7", "P13"]
        );
    }

    #[test]
    fn a_comment_above_a_test_cites_and_others_do_not() {
        let source = "// Q1, P2\n#[test]\nfn a() {}\n// Q3\nlet x = 1;\n/// Q4\n#[tokio::test]\nasync fn b() {}\n\
                      // W1 to W3; see B5\n// and G7\n#[tokio::test(start_paused = true)]\nasync fn c() {}";
        assert_eq!(shown(citations(source, false)), ["G7", "P2", "Q1", "W1", "W2", "W3"]);
    }

    #[test]
    fn the_documentation_of_a_conformance_clause_cites() {
        assert_eq!(shown(citations("/// Q4: stale\npub async fn x() {}", true)), ["Q4"]);
    }
}
