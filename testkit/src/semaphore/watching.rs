//! Watching: who holds a key, and taking it from them.

use std::time::{Duration, SystemTime};

use semaphore::Holder;
use tokio::time::timeout;

use super::SemaphoreClause;
use super::SemaphorePromise::Watched;
use super::case::Case;
use super::subject::{Subject, has_lost};
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<SemaphoreClause> {
    vec![
        Clause::of(holders_are_listed_by_slot_with_what_they_wrote).when(Watched),
        Clause::of(a_holders_times_are_those_of_its_lease).when(Watched),
        Clause::of(a_new_context_is_seen_at_once_and_stays_through_renewals).when(Watched),
        Clause::of(who_released_or_ran_out_is_not_listed).when(Watched),
        Clause::of(a_slot_that_is_taken_by_force_is_free_at_once_and_its_holder_hears_of_it).when(Watched),
        Clause::of(all_slots_of_a_key_are_taken_by_force_and_no_others).when(Watched),
        Clause::of(force_does_nothing_to_who_holds_nothing).when(Watched),
    ]
}

/// In order of their slots; nobody of another key.
async fn holders_are_listed_by_slot_with_what_they_wrote(case: Case) {
    let semaphore = case.semaphore().await;
    assert!(semaphore.holders().await.is_empty(), "nobody has taken it yet");
    let named = semaphore.tries(semaphore.request(3).with_context("host-7 · ü")).await.expect("it is free");
    let silent = semaphore.takes(3).await;
    let _other = semaphore.of_new_key().takes(3).await;
    let listed = semaphore.holders().await;
    assert_eq!(listed.len(), 2, "{listed:?}");
    for (holder, permit) in listed.iter().zip([&named, &silent]) {
        assert_eq!((&holder.token, holder.fencing_token), (permit.token(), permit.fencing_token()));
    }
    assert_eq!(listed[0].context.as_deref(), Some("host-7 · ü"));
    assert_eq!(listed[1].context, None, "a slot keeps no context of a former holder");
}

/// By the backend's clock: how long it has been held, and how much of the lease is left.
async fn a_holders_times_are_those_of_its_lease(case: Case) {
    let semaphore = case.semaphore().await;
    let _held = semaphore.takes(1).await;
    let holder = semaphore.holders().await.remove(0);
    let (lease, slack) = (Duration::from_mins(10), case.pace.slack);
    let span = |from: SystemTime, to: SystemTime| to.duration_since(from).expect("it ends after it began");
    assert!(span(holder.since, holder.until).abs_diff(lease) <= slack, "{holder:?}");
    assert!(holder.remaining <= lease && holder.remaining + slack >= lease, "{holder:?}");
}

/// S9: "a renewal leaves what is there".
async fn a_new_context_is_seen_at_once_and_stays_through_renewals(case: Case) {
    let semaphore = case.semaphore().await;
    let mut permit = semaphore.tries(semaphore.brief(1).with_context("closed")).await.expect("it is free");
    for context in ["open", "closed", ""] {
        permit.set_context(context).await.expect("what is held can be given a context");
        assert_eq!(semaphore.holders().await[0].context.as_deref(), Some(context));
    }
    permit.set_context("open").await.expect("what is held can be given a context");
    tokio::time::sleep(semaphore.lease()).await;
    assert_eq!(semaphore.holders().await[0].context.as_deref(), Some("open"));
}

/// Though nobody else took the slot; and its context goes with it.
async fn who_released_or_ran_out_is_not_listed(case: Case) {
    let semaphore = case.semaphore().await;
    let permit = semaphore.tries(semaphore.request(2).with_context("gone")).await.expect("it is free");
    let dead = semaphore.takes_unrenewed(2).await;
    permit.release().await.expect("what is held can be released");
    assert_eq!(tokens(&semaphore.holders().await), vec![dead.token.clone()]);
    semaphore.pass(dead.ends).await;
    assert!(semaphore.holders().await.is_empty());
    let _held = semaphore.takes(2).await;
    assert_eq!(semaphore.holders().await[0].context, None, "a slot keeps no context of a former holder");
}

fn tokens(holders: &[Holder]) -> Vec<semaphore::PermitToken> {
    holders.iter().map(|holder| holder.token.clone()).collect()
}

async fn hears_of_it(semaphore: &Subject, permit: &semaphore::Permit) {
    let heard = timeout(semaphore.lease(), permit.lost().cancelled()).await;
    assert!(heard.is_ok(), "its next renewal finds the slot taken");
}

/// S5, S9: at its next renewal.
async fn a_slot_that_is_taken_by_force_is_free_at_once_and_its_holder_hears_of_it(case: Case) {
    let semaphore = case.semaphore().await;
    let permit = semaphore.tries(semaphore.brief(1)).await.expect("it is free");
    let forced = semaphore.watch().force_release(permit.token().clone()).await;
    assert!(forced.expect("it is taken by force"), "it held the slot");
    let next = semaphore.takes(1).await;
    assert!(permit.fencing_token() < next.fencing_token(), "the fence tells them apart");
    hears_of_it(&semaphore, &permit).await;
    has_lost(permit.release().await);
    semaphore.is_full(1).await;
}

/// Whoever holds them.
async fn all_slots_of_a_key_are_taken_by_force_and_no_others(case: Case) {
    let semaphore = case.semaphore().await;
    let other = semaphore.of_new_key();
    let _other = other.takes(1).await;
    let held = semaphore.takes_all(3).await;
    let forced = semaphore.watch().force_release_all(semaphore.key().clone()).await;
    assert_eq!(forced.expect("they are taken by force"), 3);
    let _next = semaphore.takes_all(3).await;
    for permit in held {
        has_lost(permit.release().await);
    }
    semaphore.is_full(3).await;
    other.is_full(1).await;
}

/// `false` and none, and nobody loses anything.
async fn force_does_nothing_to_who_holds_nothing(case: Case) {
    let semaphore = case.semaphore().await;
    let permit = semaphore.takes(2).await;
    let released = permit.token().clone();
    permit.release().await.expect("what is held can be released");
    let dead = semaphore.takes_unrenewed(2).await;
    semaphore.pass(dead.ends).await;
    let _held = semaphore.takes_all(2).await;
    for token in [released, dead.token] {
        let forced = semaphore.watch().force_release(token).await;
        assert!(!forced.expect("the question is answered"), "it does not hold it any longer");
    }
    let unknown = semaphore.of_new_key().key().clone();
    assert_eq!(semaphore.watch().force_release_all(unknown).await.expect("the question is answered"), 0);
    semaphore.is_full(2).await;
}
