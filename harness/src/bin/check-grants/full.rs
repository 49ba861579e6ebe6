//! Misses that must not have been: all were said to be taken while fewer were.

use std::collections::HashMap;

use crate::event::Event;

/// Misses during which at no moment as many as `max` can have been held, in words.
///
/// Times are the machine's. What may have been held is taken as widely as it can be: from when it was asked for until
/// its release was answered or, where that is unknown, until nothing that was sent could have an effect any more.
pub(crate) fn false_full(events: &[Event], max: usize) -> Vec<String> {
    let (held, misses) = read(events);
    let judged = misses.iter().map(|&(from, until)| (from, until, most_within(&held, from, until)));
    let wrong = judged.filter(|(_, _, most)| *most < max);
    wrong
        .map(|(from, until, most)| {
            format!("full from {from} to {until}, when {most} of {max} can have been held")
        })
        .collect()
}

type Span = (u64, u64);

/// What may have been held, and the misses.
fn read(events: &[Event]) -> (Vec<Span>, Vec<Span>) {
    let (mut asked, mut held, mut misses) = (HashMap::new(), Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::Ask { run, at } => drop(asked.insert(*run, *at)),
            Event::Miss { run, at } => misses.extend(asked.remove(run).map(|from| (from, *at))),
            Event::Gone { run, at: until } | Event::Left { run, until } => {
                held.extend(asked.remove(run).map(|from| (from, *until)));
            }
            _ => {}
        }
    }
    held.extend(asked.into_values().map(|from| (from, u64::MAX)));
    held.sort_unstable();
    (held, misses)
}

/// How many were held at once at most at any moment from `from` to `until`.
fn most_within(held: &[Span], from: u64, until: u64) -> usize {
    let inside: Vec<_> = held.iter().filter(|span| span.0 <= until && span.1 >= from).collect();
    let at = |moment: u64| inside.iter().filter(|span| span.0 <= moment && span.1 >= moment).count();
    // It rises only where one begins.
    let moments = inside.iter().map(|span| span.0.max(from));
    moments.map(at).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found if one run holds from 10 until it is gone, and another misses from `from` to `until`.
    fn found(gone: u64, (from, until): Span, max: usize) -> usize {
        let events = [
            Event::Ask { run: 1, at: 10 },
            Event::Ask { run: 2, at: from },
            Event::Gone { run: 1, at: gone },
            Event::Miss { run: 2, at: until },
        ];
        false_full(&events, max).len()
    }

    // S2
    #[test]
    fn a_miss_is_wrong_if_at_no_moment_of_it_all_can_have_been_held() {
        assert_eq!(found(50, (20, 60), 1), 0, "it was held at first");
        assert_eq!(found(50, (51, 60), 1), 1);
        assert_eq!(found(50, (20, 60), 2), 1);
    }

    #[test]
    fn who_was_never_heard_of_again_may_hold_for_ever() {
        let events =
            [Event::Ask { run: 1, at: 10 }, Event::Ask { run: 2, at: 90 }, Event::Miss { run: 2, at: 99 }];
        assert!(false_full(&events, 1).is_empty());
        assert_eq!(false_full(&events, 2).len(), 1);
    }
}
