//! Releasing a permit.

use std::sync::atomic::Ordering;

use tokio::time::{sleep, timeout};

use super::scripted::{Call, Scripted, Step};
use super::{LEASE, request, seconds};
use crate::SemaphoreErrorKind::{self, Indeterminate, Lost, Permanent, Transient};

/// What a release answers, how often it was tried, and how many permits were counted as dropped.
async fn release(steps: &[Step], then: Step) -> (Option<SemaphoreErrorKind>, usize, u32) {
    let lessor = Scripted::new(steps, then);
    let answer = lessor.permit().release().await;
    let calls = lessor.calls();
    assert!(calls.iter().all(|call| *call == Call::Release));
    (answer.err().map(|error| error.kind()), calls.len(), lessor.abandoned.load(Ordering::SeqCst))
}

// S5, S10: and what expires counts as dropped
#[tokio::test(start_paused = true)]
async fn a_release_is_tried_three_times_if_it_fails_for_a_passing_reason() {
    use Step::{Hangs, Transient as Busy, Well};
    assert_eq!(release(&[], Well).await, (None, 1, 0));
    assert_eq!(release(&[Busy], Well).await, (None, 2, 0));
    assert_eq!(release(&[Busy, Hangs(false)], Well).await, (None, 3, 0));
    assert_eq!(release(&[Busy; 3], Well).await, (Some(Transient), 3, 1));
    assert_eq!(release(&[Hangs(false); 3], Well).await, (Some(Indeterminate), 3, 1));
    assert_eq!(release(&[Step::Permanent], Well).await, (Some(Permanent), 1, 1));
    assert_eq!(release(&[Step::Lost], Well).await, (Some(Lost), 1, 0));
}

// S5: the second try finds what the first one did
#[tokio::test(start_paused = true)]
async fn a_release_whose_answer_was_lost_is_a_success_when_the_next_try_finds_nothing() {
    for lost_answer in [Step::Indeterminate(true), Step::Hangs(true)] {
        assert_eq!(release(&[lost_answer], Step::Well).await, (None, 2, 0), "{lost_answer:?}");
    }
    let before_it = [Step::Transient, Step::Lost];
    assert_eq!(release(&before_it, Step::Well).await, (Some(Lost), 2, 0), "nothing was done before");
}

// S8, P64: the holder was told already; the slot is freed all the same
#[tokio::test(start_paused = true)]
async fn releasing_what_was_lost_is_lost_and_frees_the_slot() {
    for (step, calls, abandoned) in [(Step::Well, 1, 0), (Step::Lost, 1, 0), (Step::Transient, 1, 1)] {
        let lessor = Scripted::new(&[step], Step::Well);
        let permit = lessor.permit_for(&request().with_max_hold(seconds(10)));
        sleep(seconds(11)).await;
        assert!(permit.lost().is_cancelled());
        assert_eq!(permit.release().await.unwrap_err().kind(), Lost);
        assert_eq!(lessor.calls().len(), calls);
        assert_eq!(lessor.leased_until().is_none(), step == Step::Well);
        assert_eq!(lessor.abandoned.load(Ordering::SeqCst), abandoned, "{step:?}");
    }
}

// S9: Scripted panics if two calls overlap
#[tokio::test(start_paused = true)]
async fn a_renewal_under_way_ends_before_the_release_is_sent() {
    let lessor = Scripted::new(&[Step::Hangs(true)], Step::Well);
    let permit = lessor.permit();
    let lost = permit.lost().clone();
    sleep(seconds(21)).await;
    permit.release().await.unwrap();
    assert_eq!(lessor.start().elapsed(), seconds(21), "nobody waits for it");
    sleep(LEASE * 10).await;
    assert_eq!(lessor.calls(), [Call::Renew(None), Call::Release]);
    assert!(!lost.is_cancelled(), "a release is no loss");
}

// S10
#[tokio::test(start_paused = true)]
async fn a_release_that_is_dropped_counts_as_a_drop() {
    let lessor = Scripted::new(&[Step::Hangs(false)], Step::Well);
    let released = timeout(seconds(1), lessor.permit().release()).await;
    assert!(released.is_err());
    sleep(LEASE * 10).await;
    assert_eq!((lessor.calls().len(), lessor.abandoned.load(Ordering::SeqCst)), (1, 1));
}
