//! Stale tokens: what they name is another's, or nobody's.

use semaphore::PermitToken;
use uuid::Uuid;

use super::SemaphoreClause;
use super::case::Case;
use super::subject::{Subject, Unrenewed, has_lost};
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<SemaphoreClause> {
    vec![
        Clause::of(a_stale_token_frees_nothing),
        Clause::of(a_stale_token_renews_nothing),
        Clause::of(the_new_holder_is_untouched_whatever_a_stale_token_tried),
        Clause::of(releasing_twice_changes_nothing),
        Clause::of(a_released_lease_is_not_renewed),
        Clause::of(a_forged_token_does_nothing),
    ]
}

/// A slot whose lease ran out, and the one who has it now, for a short lease too.
async fn given_to_another(semaphore: &Subject) -> (Unrenewed, Unrenewed) {
    let old = semaphore.takes_unrenewed(1).await;
    semaphore.pass(old.ends).await;
    let new = semaphore.takes_unrenewed(1).await;
    assert_eq!(old.token.slot(), new.token.slot());
    (old, new)
}

/// S5, TS5, P54, P64: *lost*, and the slot stays taken until the new holder's lease ends.
async fn a_stale_token_frees_nothing(case: Case) {
    let semaphore = case.semaphore().await;
    let (old, new) = given_to_another(&semaphore).await;
    has_lost(old.release().await);
    drop(semaphore.takes_in(new.ends, 1).await);
}

/// S5, TS5: *lost*, and the slot is taken for no longer than the new holder's lease.
async fn a_stale_token_renews_nothing(case: Case) {
    let semaphore = case.semaphore().await;
    let (mut old, new) = given_to_another(&semaphore).await;
    has_lost(old.renew(semaphore.lease() * 10).await);
    drop(semaphore.takes_in(new.ends, 1).await);
}

/// S5: it renews and releases as if nothing had happened.
async fn the_new_holder_is_untouched_whatever_a_stale_token_tried(case: Case) {
    let semaphore = case.semaphore().await;
    let (old, mut new) = given_to_another(&semaphore).await;
    old.is_lost().await;
    new.renew(semaphore.lease() * 10).await.expect("what is held can be renewed");
    old.is_lost().await;
    new.release().await.expect("what is held can be released");
    drop(semaphore.takes(1).await);
}

/// S5, TS7, P54: *lost*, the second time, and no second slot becomes free.
async fn releasing_twice_changes_nothing(case: Case) {
    let semaphore = case.semaphore().await;
    let held = semaphore.takes_unrenewed(2).await;
    let _other = semaphore.takes(2).await;
    held.release().await.expect("what is held can be released");
    has_lost(held.release().await);
    let _next = semaphore.takes(2).await;
    has_lost(held.release().await);
    semaphore.is_full(2).await;
}

/// S5, S6: and the slot stays free.
async fn a_released_lease_is_not_renewed(case: Case) {
    let semaphore = case.semaphore().await;
    let mut held = semaphore.takes_unrenewed(1).await;
    held.release().await.expect("what is held can be released");
    has_lost(held.renew(semaphore.lease() * 10).await);
    drop(semaphore.takes(1).await);
}

/// S5, TS7: another slot's, another key's, another grant's: all are *lost*, and nobody loses anything.
async fn a_forged_token_does_nothing(case: Case) {
    let semaphore = case.semaphore().await;
    let elsewhere = semaphore.of_new_key();
    let (_other, _elsewhere) = (semaphore.takes(2).await, elsewhere.takes(1).await);
    let mut held = semaphore.takes_unrenewed(2).await;
    let (slot, id) = (held.token.slot(), held.token.id());
    for (subject, slot, id) in [
        (&semaphore, 1 - slot, id),
        (&semaphore, 7, id),
        (&elsewhere, slot, id),
        (&elsewhere, 0, id),
        (&semaphore, slot, Uuid::new_v4()),
    ] {
        held.forged(PermitToken::new(subject.key().clone(), slot, id)).is_lost().await;
    }
    semaphore.is_full(2).await;
    elsewhere.is_full(1).await;
    held.renew(semaphore.lease() * 10).await.expect("what is held can be renewed");
}
