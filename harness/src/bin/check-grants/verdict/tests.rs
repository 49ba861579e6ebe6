//! Logs of a few lines, and what is said of them.

use super::*;

/// A grant that the database listed from `since` until `until`.
fn held(grant: &str, (slot, fence): (u16, u64), (since, until): (u64, u64)) -> Vec<Event> {
    let grant = grant.to_owned();
    vec![
        Event::Grant { run: 1, grant: grant.clone(), slot, fence },
        Event::Seen { grant, slot, since, now: since, until },
    ]
}

fn verdict(events: &[Vec<Event>], max: usize) -> Verdict {
    let events = [events.concat(), vec![Event::Final { free: max }]].concat();
    Verdict::of(&events, max).0
}

fn good(grants: usize, max_seen: usize) -> Verdict {
    Verdict { grants, max_seen, ..Verdict::default() }
}

// S1, S3
#[test]
fn one_after_the_other_is_well() {
    let events = [held("a", (0, 1), (10, 20)), held("b", (0, 2), (20, 30)), held("c", (1, 1), (15, 40))];
    assert_eq!(verdict(&events, 2), good(3, 2));
}

// S1
#[test]
fn two_in_one_slot_and_too_many_at_once_are_violations() {
    let events = [held("a", (0, 1), (10, 20)), held("b", (0, 2), (19, 30))];
    assert_eq!(verdict(&events, 2), Verdict { violations: 1, ..good(2, 2) });
    assert_eq!(verdict(&events, 1), Verdict { violations: 2, ..good(2, 2) });
}

// S8
#[test]
fn a_permit_that_the_database_does_not_know_is_a_violation() {
    let granted = Event::Grant { run: 1, grant: "a".to_owned(), slot: 0, fence: 1 };
    let unlisted = Event::Unlisted { grant: "a".to_owned(), slot: 0, now: Some(10) };
    let events = [vec![granted, unlisted], held("b", (0, 2), (5, 30))];
    assert_eq!(verdict(&events, 1), Verdict { violations: 2, ..good(2, 2) });
}

// S3
#[test]
fn a_fencing_number_that_does_not_rise_is_found_whatever_the_order_of_the_lines() {
    let events = [held("b", (0, 5), (20, 30)), held("a", (0, 5), (10, 20)), held("c", (0, 6), (30, 40))];
    assert_eq!(verdict(&events, 1), Verdict { fence_regressions: 1, ..good(3, 1) });
}

// S10, S15
#[test]
fn lost_slots_and_deadlocks_are_counted_and_other_failures_are_not() {
    let failed = |text: &str| Event::Failed { run: 1, kind: "transient".to_owned(), text: text.to_owned() };
    let mut events = held("a", (0, 1), (10, 20));
    events.extend([
        failed("acquire: Deadlock found (1213)"),
        failed("connection refused"),
        Event::Final { free: 1 },
    ]);
    let (verdict, findings) = Verdict::of(&events, 3);
    assert_eq!(verdict, Verdict { lost_slots: 2, deadlocks_surfaced: 1, ..good(1, 1) });
    assert_eq!(findings.len(), 3);
}

#[test]
fn a_log_in_which_nothing_was_granted_proves_nothing() {
    assert!(!Verdict::of(&[Event::Final { free: 1 }], 1).1.is_empty());
}
