//! The grants of a log, by the database's clock.

use std::collections::HashMap;

use crate::event::Event;

/// One grant, as far as it is certain. Times are microseconds of the database's clock.
#[derive(Clone, Debug)]
pub(crate) struct Grant {
    pub(crate) slot: u16,
    /// The number that its holder was told.
    pub(crate) fence: u64,
    /// Since when it was held, if the database was ever seen to list it.
    pub(crate) since: Option<u64>,
    /// Until when it was held for certain.
    pub(crate) until: u64,
    /// The times at which it was trusted though the database did not list it, where it said a time.
    pub(crate) unlisted: Vec<Option<u64>>,
}

/// The grants of a log.
pub(crate) fn grants(events: &[Event]) -> Vec<Grant> {
    let mut grants = HashMap::<&str, Grant>::new();
    let mut ends = HashMap::<&str, u64>::new();
    for event in events {
        if let Event::Grant { grant, slot, fence, .. } = event {
            let new = Grant { slot: *slot, fence: *fence, since: None, until: 0, unlisted: Vec::new() };
            grants.insert(grant, new);
        }
    }
    for event in events {
        match event {
            Event::Seen { grant, since, until, .. } => {
                if let Some(found) = grants.get_mut(grant.as_str()) {
                    found.since = found.since.or(Some(*since));
                    found.until = found.until.max(*until);
                }
            }
            Event::Unlisted { grant, now, .. } => {
                if let Some(found) = grants.get_mut(grant.as_str()) {
                    found.unlisted.push(*now);
                }
            }
            Event::Ending { grant, now } => drop(ends.insert(grant, *now)),
            _ => {}
        }
    }
    for (grant, end) in ends {
        if let Some(found) = grants.get_mut(grant) {
            found.until = found.until.min(end);
        }
    }
    grants.into_values().collect()
}

/// What was held when: each grant's certain time, and the moments at which one was only believed in.
pub(crate) fn spans(grants: &[Grant]) -> Vec<(u64, u64)> {
    let certain = grants.iter().filter_map(|grant| Some((grant.since?, grant.until)));
    let believed = grants.iter().flat_map(|grant| &grant.unlisted).flatten().map(|now| (*now, now + 1));
    certain.chain(believed).filter(|(from, until)| from < until).collect()
}

/// How many spans there were at once at most.
pub(crate) fn most_at_once(spans: &[(u64, u64)]) -> usize {
    let mut steps: Vec<_> = spans.iter().flat_map(|&(from, until)| [(from, true), (until, false)]).collect();
    // What ends at a moment does not count there any more.
    steps.sort_unstable();
    let (mut now, mut most) = (0_usize, 0);
    for (_, begins) in steps {
        now = if begins { now + 1 } else { now - 1 };
        most = most.max(now);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_touch_are_not_at_once() {
        assert_eq!(most_at_once(&[(1, 5), (5, 9), (2, 3)]), 2);
        assert_eq!(most_at_once(&[(1, 5), (4, 9), (4, 6)]), 3);
        assert_eq!(most_at_once(&[]), 0);
    }

    #[test]
    fn a_grant_ends_at_its_release_or_when_the_database_last_said_it_would() {
        let (grant, slot) = (|| "g".to_owned(), 0);
        let granted = Event::Grant { run: 1, grant: grant(), slot, fence: 7 };
        let seen = |now, until| Event::Seen { grant: grant(), slot, since: 10, now, until };
        let held = |events: &[Event]| {
            let found = &grants(events)[0];
            (found.since, found.until)
        };
        assert_eq!(held(&[granted.clone(), seen(20, 60), seen(40, 80)]), (Some(10), 80));
        let ending = Event::Ending { grant: grant(), now: 50 };
        assert_eq!(held(&[granted.clone(), seen(20, 60), seen(40, 80), ending]), (Some(10), 50));
        assert_eq!(held(&[granted]), (None, 0));
    }
}
