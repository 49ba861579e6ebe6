//! Holds: who held which message from when to when, and where two did at once.

use std::collections::HashMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::recorded::nanoseconds;

/// A line of the journal; times are in nanoseconds of the machine's monotonic clock.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub(crate) enum Line {
    /// It is held from then, and until then unless it ends before.
    Hold {
        #[serde(flatten)]
        hold: Hold,
        from: u64,
        until: u64,
    },
    /// It is not held for certain any more.
    End { id: u64, at: u64 },
}

/// What is held.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Hold {
    /// Which hold.
    pub(crate) id: u64,
    /// The receive that brought it.
    pub(crate) call: u64,
    /// The message's key.
    pub(crate) key: String,
    /// The message's number.
    pub(crate) number: u64,
}

/// Where two held at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overlaps {
    /// The same message: the first few of them, in words.
    pub(crate) messages: Vec<String>,
    /// The same group of an ordered queue.
    pub(crate) groups: Vec<String>,
}

impl Hold {
    /// The line that says from when to when, if that is any time at all.
    pub(crate) fn line(&self, from: Duration, until: Duration) -> Option<Line> {
        (from < until).then(|| Line::Hold {
            hold: self.clone(),
            from: nanoseconds(from),
            until: nanoseconds(until),
        })
    }
}

/// A hold with its true end.
struct Span<'a> {
    hold: &'a Hold,
    from: u64,
    until: u64,
}

impl<'a> Span<'a> {
    /// The hold that a line begins, up to its true end; none where that is no time at all.
    fn of(line: &'a Line, ends: &HashMap<u64, u64>) -> Option<Self> {
        let Line::Hold { hold, from, until } = line else { return None };
        let until = ends.get(&hold.id).map_or(*until, |end| *end.min(until));
        (*from < until).then_some(Span { hold, from: *from, until })
    }
}

impl Overlaps {
    /// Where two held at once, by the lines of a journal.
    pub(crate) fn of(lines: &[Line]) -> Self {
        let end = |line: &Line| match line {
            Line::End { id, at } => Some((*id, *at)),
            Line::Hold { .. } => None,
        };
        let mut ends = HashMap::<u64, u64>::new();
        for (id, at) in lines.iter().filter_map(end) {
            let earliest = ends.entry(id).or_insert(at);
            *earliest = at.min(*earliest);
        }
        let spans: Vec<_> = lines.iter().filter_map(|line| Span::of(line, &ends)).collect();
        let by_message = |span: &Span<'_>| Some((span.hold.key.clone(), span.hold.number));
        let by_group = |span: &Span<'_>| span.hold.key.starts_with('o').then(|| (span.hold.key.clone(), 0));
        Self { messages: sweep(&spans, by_message), groups: sweep(&spans, by_group) }
    }
}

/// Where spans of one key but of different receives overlap.
fn sweep<'a>(spans: &'a [Span<'a>], key: impl Fn(&Span<'a>) -> Option<(String, u64)>) -> Vec<String> {
    let mut by_key = HashMap::<_, Vec<&Span<'_>>>::new();
    for span in spans {
        if let Some(key) = key(span) {
            by_key.entry(key).or_default().push(span);
        }
    }
    let mut found = Vec::new();
    for spans in by_key.values_mut() {
        spans.sort_by_key(|span| span.from);
        for (at, span) in spans.iter().enumerate() {
            let earlier = spans[..at].iter().rev().take(100);
            let mut overlapping =
                earlier.filter(|earlier| earlier.until > span.from && earlier.hold.call != span.hold.call);
            found.extend(overlapping.next().map(|earlier| in_words(earlier, span)));
        }
    }
    found
}

fn in_words(earlier: &Span<'_>, later: &Span<'_>) -> String {
    let overlap = Duration::from_nanos(earlier.until.min(later.until) - later.from);
    let (key, first, second) = (&later.hold.key, earlier.hold.number, later.hold.number);
    format!("{key}: {first} and {second} were held by two for {overlap:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold(id: u64, (call, key, number): (u64, &str, u64), (from, until): (u64, u64)) -> Line {
        Line::Hold { hold: Hold { id, call, key: key.to_owned(), number }, from, until }
    }

    fn counts(lines: &[Line]) -> (usize, usize) {
        let overlaps = Overlaps::of(lines);
        (overlaps.messages.len(), overlaps.groups.len())
    }

    #[test]
    fn two_that_hold_one_message_at_once_are_found_and_one_after_the_other_are_not() {
        let first = hold(1, (1, "s-1-1", 7), (10, 30));
        assert_eq!(counts(&[first.clone(), hold(2, (2, "s-1-1", 7), (29, 40))]), (1, 0));
        assert_eq!(counts(&[first.clone(), hold(2, (2, "s-1-1", 7), (30, 40))]), (0, 0));
        assert_eq!(
            counts(&[first.clone(), hold(2, (2, "s-1-1", 8), (11, 40))]),
            (0, 0),
            "no order, no group"
        );
        let ended = Line::End { id: 1, at: 20 };
        assert_eq!(counts(&[first, hold(2, (2, "s-1-1", 7), (29, 40)), ended]), (0, 0));
    }

    #[test]
    fn a_group_of_an_ordered_queue_is_held_by_one_receive_at_a_time() {
        let first = hold(1, (1, "o-1-1", 7), (10, 30));
        assert_eq!(counts(&[first.clone(), hold(2, (1, "o-1-1", 8), (10, 30))]), (0, 0), "one receive");
        assert_eq!(counts(&[first, hold(2, (2, "o-1-1", 8), (29, 40))]), (0, 1));
    }
}
