//! Arguments: what breaks a rule is refused before anything is written.

use std::time::Duration;

use semaphore::SemaphoreErrorKind::Permanent;
use semaphore::{PermitRequest, lease, max};

use super::SemaphoreClause;
use super::SemaphorePromise::Watched;
use super::case::Case;
use super::subject::{Subject, is_refused};
use crate::clause::Clause;

pub(super) fn clauses() -> Vec<SemaphoreClause> {
    vec![
        Clause::of(a_key_that_breaks_a_rule_is_refused),
        Clause::of(the_longest_key_is_taken),
        Clause::of(a_request_that_breaks_a_rule_is_refused_and_takes_no_slot),
        Clause::of(a_context_that_breaks_a_rule_is_refused_and_the_permit_stays).when(Watched),
    ]
}

const MINUTE: Duration = Duration::from_mins(1);

async fn refuses(semaphore: &Subject, request: PermitRequest) {
    let answer = semaphore.semaphore().try_acquire(request).await;
    is_refused(answer, Permanent);
}

/// S12, TS7.
async fn a_key_that_breaks_a_rule_is_refused(case: Case) {
    let semaphore = case.semaphore().await;
    let long = "k".repeat(256);
    for key in ["", " ", " a", "a ", "ä", "a\tb", "a\0", long.as_str()] {
        refuses(&semaphore, PermitRequest::new(key, max(1), lease(MINUTE))).await;
    }
}

/// S12: 255 bytes, and no byte of them is cut off.
async fn the_longest_key_is_taken(case: Case) {
    let semaphore = case.semaphore().await;
    let stem = format!("{:~<254}", semaphore.key().as_str());
    let (one, other) = (semaphore.of(&format!("{stem}1")), semaphore.of(&format!("{stem}2")));
    let _held = (one.takes(1).await, other.takes(1).await);
    one.is_full(1).await;
}

/// S12, TS7: a maximum of none or of too many, a lease too short or too long, no time to hold it, a context too long.
async fn a_request_that_breaks_a_rule_is_refused_and_takes_no_slot(case: Case) {
    let semaphore = case.semaphore().await;
    let key = semaphore.key().as_str();
    let sound = || PermitRequest::new(key, max(1), lease(MINUTE));
    for request in [
        PermitRequest::new(key, max(0), lease(MINUTE)),
        PermitRequest::new(key, max(65_536), lease(MINUTE)),
        PermitRequest::new(key, max(u32::MAX), lease(MINUTE)),
        PermitRequest::new(key, max(1), lease(Duration::ZERO)),
        PermitRequest::new(key, max(1), lease(Duration::from_nanos(1))),
        PermitRequest::new(key, max(1), lease(Duration::MAX)),
        sound().with_max_hold(Duration::ZERO),
        sound().with_context("c".repeat(256)),
        sound().with_context("c\0"),
    ] {
        refuses(&semaphore, request).await;
    }
    drop(semaphore.takes(1).await);
}

/// S12: 255 bytes are taken, any text of that length.
async fn a_context_that_breaks_a_rule_is_refused_and_the_permit_stays(case: Case) {
    let semaphore = case.semaphore().await;
    let mut permit = semaphore.takes(1).await;
    let longest = format!("{}x", "ü".repeat(127));
    permit.set_context(longest.as_str()).await.expect("255 bytes are allowed");
    is_refused(permit.set_context("ü".repeat(128)).await, Permanent);
    is_refused(permit.set_context("\0").await, Permanent);
    assert_eq!(semaphore.holders().await[0].context.as_deref(), Some(longest.as_str()));
    assert!(!permit.lost().is_cancelled());
    permit.release().await.expect("what is held can be released");
}
