//! Granting: how many, which slots, under which tokens.

use std::collections::BTreeSet;

use tokio::time::Instant;

use super::SemaphoreClause;
use super::case::Case;
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<SemaphoreClause> {
    vec![
        Clause::of(as_many_as_the_maximum_hold_a_key_and_no_more),
        Clause::of(a_try_that_finds_nothing_free_answers_at_once),
        Clause::of(a_released_slot_is_free_at_once),
        Clause::of(a_free_slot_is_found_wherever_it_is),
        Clause::of(every_grant_has_a_token_of_its_own),
        Clause::of(fencing_tokens_rise_with_every_grant_of_a_slot),
        Clause::of(keys_are_held_apart),
        Clause::of(keys_are_compared_byte_for_byte),
    ]
}

/// S1, TS3: each of them in a slot of its own, below the maximum.
async fn as_many_as_the_maximum_hold_a_key_and_no_more(case: Case) {
    for permits in [1, 3, 10] {
        let semaphore = case.semaphore().await;
        let held = semaphore.takes_all(permits).await;
        let slots: BTreeSet<_> = held.iter().map(|permit| u32::from(permit.token().slot())).collect();
        assert_eq!(slots, (0..permits).collect(), "a slot each");
        semaphore.is_full(permits).await;
    }
}

/// S2: it does not wait for a holder.
async fn a_try_that_finds_nothing_free_answers_at_once(case: Case) {
    let semaphore = case.semaphore().await;
    let _held = semaphore.takes_all(3).await;
    for _ in 0..10 {
        let asked = Instant::now();
        semaphore.is_full(3).await;
        let took = asked.elapsed();
        assert!(took <= case.pace.slack, "a miss took {took:?}");
    }
}

/// S5: whoever held it, and as often as one likes.
async fn a_released_slot_is_free_at_once(case: Case) {
    let semaphore = case.semaphore().await;
    for _ in 0..20 {
        let permit = semaphore.takes(1).await;
        semaphore.is_full(1).await;
        permit.release().await.expect("what is held can be released");
    }
}

/// S2: no false "full", whichever slot is the free one.
async fn a_free_slot_is_found_wherever_it_is(case: Case) {
    let semaphore = case.semaphore().await;
    let mut held = semaphore.takes_all(10).await;
    for _ in 0..10 {
        held.remove(0).release().await.expect("what is held can be released");
        held.push(semaphore.takes(10).await);
        semaphore.is_full(10).await;
    }
}

/// S3.
async fn every_grant_has_a_token_of_its_own(case: Case) {
    let semaphore = case.semaphore().await;
    let mut ids = BTreeSet::new();
    for _ in 0..20 {
        let permit = semaphore.takes(2).await;
        assert!(ids.insert(permit.token().id()), "a token that was given before: {:?}", permit.token());
        permit.release().await.expect("what is held can be released");
    }
}

/// S3: after a release, and after a lease that ran out.
async fn fencing_tokens_rise_with_every_grant_of_a_slot(case: Case) {
    let semaphore = case.semaphore().await;
    let mut last = None;
    for _ in 0..5 {
        let permit = semaphore.takes(1).await;
        assert!(last < Some(permit.fencing_token()), "{last:?}, then {:?}", permit.fencing_token());
        last = Some(permit.fencing_token());
        permit.release().await.expect("what is held can be released");
    }
    let expired = semaphore.takes_unrenewed(1).await;
    let taken = semaphore.takes_in(expired.ends, 1).await;
    assert!(last < Some(expired.fence) && expired.fence < taken.fencing_token());
}

/// S1: one key's holders take nothing from another's.
async fn keys_are_held_apart(case: Case) {
    let semaphore = case.semaphore().await;
    let _held = semaphore.takes_all(2).await;
    let longer = semaphore.of(&format!("{}-2", semaphore.key()));
    for other in [semaphore.of_new_key(), longer] {
        let _others = other.takes_all(2).await;
        other.is_full(2).await;
    }
    semaphore.is_full(2).await;
}

/// S12, TS15: case counts, and so do spaces within and signs that mean something to a database.
async fn keys_are_compared_byte_for_byte(case: Case) {
    let semaphore = case.semaphore().await;
    let mut held = Vec::new();
    for end in ["a", "A", "a b", "ab", "a_", "a%", "a'", "a\\", "~"] {
        let other = semaphore.of(&format!("{}-{end}", semaphore.key()));
        held.push(other.takes(1).await);
        other.is_full(1).await;
    }
}
