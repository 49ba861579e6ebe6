//! Changing what is written beside the slot.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use super::scripted::{Call, Scripted, Step};
use super::{TRUST, at, lost_after, request, seconds};
use crate::SemaphoreErrorKind;

// S9: it is sent at once, and the lease begins anew, from before it was sent
#[tokio::test(start_paused = true)]
async fn a_new_context_renews() {
    let slow = Step::Slow(seconds(1), seconds(1));
    let lessor = Scripted::new(&[slow], Step::Transient);
    let mut permit = lessor.permit();
    at(lessor.start(), seconds(15)).await;
    permit.set_context("open").await.unwrap();
    assert_eq!(lessor.calls(), [Call::Renew(Some(Arc::from("open")))]);
    assert_eq!(lost_after(&permit, lessor.start()).await, Some(seconds(15) + TRUST));
    assert_eq!(lessor.seconds()[1], 35, "a third of the lease after it");
}

// S9: Scripted panics if two calls overlap
#[tokio::test(start_paused = true)]
async fn a_change_of_context_and_a_renewal_never_overlap() {
    let slow = Step::Slow(seconds(3), seconds(3));
    let lessor = Scripted::new(&[], slow);
    let mut permit = lessor.permit();
    at(lessor.start(), seconds(18)).await;
    permit.set_context("first").await.unwrap(); // until 24, over the time of the renewal
    at(lessor.start(), seconds(40)).await; // the renewal is under way since 38
    permit.set_context("second").await.unwrap();
    assert_eq!(lessor.start().elapsed(), seconds(50));
    assert_eq!(lessor.seconds(), [18, 38, 44], "the first one was the renewal");
    assert!(!permit.lost().is_cancelled());
}

// S9
#[tokio::test(start_paused = true)]
async fn a_change_that_fails_leaves_the_permit_as_it_was() {
    let steps = [Step::Transient, Step::Indeterminate(true), Step::Permanent, Step::Closed];
    let lessor = Scripted::new(&steps, Step::Well);
    let mut permit = lessor.permit();
    at(lessor.start(), seconds(10)).await;
    for _ in steps {
        let error = permit.set_context("open").await.unwrap_err();
        assert_ne!(error.kind(), SemaphoreErrorKind::Lost);
    }
    at(lessor.start(), seconds(30)).await;
    assert_eq!(lessor.seconds(), [10, 10, 10, 10, 20]);
    assert!(!permit.lost().is_cancelled());
    permit.release().await.unwrap();
}

// S8: an answer that is lost extends nothing
#[tokio::test(start_paused = true)]
async fn a_change_without_an_answer_is_given_up_and_not_trusted() {
    let lessor = Scripted::new(&[Step::Hangs(true)], Step::Transient);
    let mut permit = lessor.permit();
    at(lessor.start(), seconds(5)).await;
    let error = permit.set_context("open").await.unwrap_err();
    assert_eq!((error.kind(), lessor.start().elapsed()), (SemaphoreErrorKind::Indeterminate, seconds(15)));
    assert_eq!(lost_after(&permit, lessor.start()).await, Some(TRUST));
}

// S8
#[tokio::test(start_paused = true)]
async fn a_change_that_finds_it_taken_loses_it() {
    let lessor = Scripted::new(&[Step::Lost], Step::Well);
    let mut permit = lessor.permit();
    assert_eq!(permit.set_context("open").await.unwrap_err().kind(), SemaphoreErrorKind::Lost);
    assert!(permit.lost().is_cancelled());
    sleep(seconds(600)).await;
    assert_eq!(lessor.calls().len(), 1, "and it is no longer renewed");
}

// S8: also when the backend would still take it
#[tokio::test(start_paused = true)]
async fn what_is_lost_is_not_revived_by_a_change() {
    let lessor = Scripted::new(&[], Step::Well);
    let mut permit = lessor.permit_for(&request().with_max_hold(seconds(10)));
    sleep(seconds(11)).await;
    assert_eq!(permit.set_context("open").await.unwrap_err().kind(), SemaphoreErrorKind::Lost);
    assert!(lessor.calls().is_empty());
}

// S12
#[tokio::test(start_paused = true)]
async fn a_context_that_breaks_a_rule_is_refused_before_anything_is_sent() {
    let lessor = Scripted::new(&[], Step::Well);
    let mut permit = lessor.permit();
    for context in ["c".repeat(256), "\0".to_owned()] {
        assert_eq!(permit.set_context(context).await.unwrap_err().kind(), SemaphoreErrorKind::Permanent);
    }
    assert!(lessor.calls().is_empty());
}

// S8, S9: a change that is given up by its caller lets the renewal go on
#[tokio::test(start_paused = true)]
async fn a_change_that_is_dropped_holds_up_nothing() {
    let lessor = Scripted::new(&[Step::Hangs(true)], Step::Well);
    let mut permit = lessor.permit();
    let changed = timeout(Duration::from_secs(3), permit.set_context("open")).await;
    assert!(changed.is_err());
    let before = Instant::now();
    permit.set_context("closed").await.unwrap();
    assert_eq!(before.elapsed(), Duration::ZERO);
    at(lessor.start(), seconds(60)).await;
    assert_eq!(lessor.seconds(), [0, 3, 23, 43]);
}
