//! The verdict on a log.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::event::Event;
use crate::full::false_full;
use crate::grants::{Grant, grants, most_at_once, spans};

/// How many findings of a kind are told.
const SHOWN: usize = 5;
/// What databases say of deadlocks, of transactions that could not be put in order, and of files that are busy.
const CLASHES: [&str; 8] = [
    "deadlock",
    "40p01",
    "40001",
    "could not serialize",
    "lock wait timeout",
    "database is locked",
    "database table is locked",
    "sqlite_busy",
];

/// The verdict, as it is printed.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Verdict {
    /// Permits that were granted.
    grants: usize,
    /// How many were held at once at most.
    max_seen: usize,
    /// Where two held one slot, where more than allowed were held, and where a permit was trusted that the database did
    /// not know.
    violations: usize,
    /// Where a slot's fencing number did not rise.
    fence_regressions: usize,
    /// Slots that could not be had at the end, with nobody there.
    lost_slots: usize,
    /// Deadlocks and the like that reached a caller.
    deadlocks_surfaced: usize,
    /// Misses though fewer than allowed were held.
    false_full: usize,
}

impl Verdict {
    /// The verdict on these events, and what speaks against them; nothing if all is well.
    pub(crate) fn of(events: &[Event], max: usize) -> (Self, Vec<String>) {
        let grants = grants(events);
        let (held, mut findings) = (spans(&grants), Vec::new());
        let mut note = |found: Vec<String>| {
            let count = found.len();
            findings.extend(found.into_iter().take(SHOWN));
            count
        };
        let max_seen = most_at_once(&held);
        let too_many = (max_seen > max).then(|| format!("{max_seen} were held at once, {max} are allowed"));
        let verdict = Self {
            grants: grants.len(),
            max_seen,
            violations: note(overlaps(&grants))
                + note(unlisted(&grants))
                + note(too_many.into_iter().collect()),
            fence_regressions: note(fence_regressions(&grants)),
            lost_slots: note(lost_slots(events, max)),
            deadlocks_surfaced: note(clashes(events)),
            false_full: note(false_full(events, max)),
        };
        note(nothing_proved(events, &grants));
        (verdict, findings)
    }
}

fn by_slot(grants: &[Grant]) -> BTreeMap<u16, Vec<&Grant>> {
    let mut slots = BTreeMap::<_, Vec<_>>::new();
    for grant in grants {
        slots.entry(grant.slot).or_default().push(grant);
    }
    for grants in slots.values_mut() {
        grants.sort_by_key(|grant| (grant.since, grant.fence));
    }
    slots
}

/// Where a slot was held by two.
fn overlaps(grants: &[Grant]) -> Vec<String> {
    let mut found = Vec::new();
    for (slot, grants) in by_slot(grants) {
        let mut until = 0;
        for (since, grant) in grants.iter().filter_map(|grant| Some((grant.since?, grant))) {
            if since < until {
                found.push(format!("slot {slot} was granted again {} µs before it was free", until - since));
            }
            until = grant.until.max(until);
        }
    }
    found
}

/// Where a permit was trusted that the database did not know.
fn unlisted(grants: &[Grant]) -> Vec<String> {
    let unlisted = grants.iter().filter(|grant| !grant.unlisted.is_empty());
    unlisted
        .map(|Grant { slot, fence, .. }| format!("slot {slot}, fence {fence}: trusted, and not listed"))
        .collect()
}

/// Where a fencing number did not rise.
fn fence_regressions(grants: &[Grant]) -> Vec<String> {
    let mut found = Vec::new();
    for (slot, grants) in by_slot(grants) {
        let seen: Vec<_> = grants.iter().filter(|grant| grant.since.is_some()).collect();
        let falls = seen.windows(2).filter(|pair| pair[0].fence >= pair[1].fence);
        found.extend(
            falls.map(|pair| format!("slot {slot}: fence {} after {}", pair[1].fence, pair[0].fence)),
        );
    }
    found
}

fn lost_slots(events: &[Event], max: usize) -> Vec<String> {
    let free = events.iter().find_map(|event| match event {
        Event::Final { free } => Some(*free),
        _ => None,
    });
    (free.unwrap_or_default()..max).map(|_| "a slot could not be had at the end".to_owned()).collect()
}

fn clashes(events: &[Event]) -> Vec<String> {
    let is_clash = |text: &&String| CLASHES.iter().any(|clash| text.to_lowercase().contains(clash));
    failures(events).map(|(_, text)| text).filter(is_clash).cloned().collect()
}

/// What makes the log worth little: no grants in it, or failures that should not have been.
fn nothing_proved(events: &[Event], grants: &[Grant]) -> Vec<String> {
    let mut found: Vec<_> =
        grants.is_empty().then(|| "nothing was ever granted".to_owned()).into_iter().collect();
    let lasting = failures(events).filter(|(kind, _)| ["permanent", "closed"].contains(&kind.as_str()));
    found.extend(lasting.map(|(_, text)| text.clone()));
    found
}

fn failures(events: &[Event]) -> impl Iterator<Item = (&String, &String)> {
    events.iter().filter_map(|event| match event {
        Event::Failed { kind, text, .. } => Some((kind, text)),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
