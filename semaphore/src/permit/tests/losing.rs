//! Losing a permit: when its holder hears of it.

use std::time::Duration;

use tokio::runtime::Builder;
use tokio::time::{Instant, advance, sleep};

use super::scripted::{Scripted, Step};
use super::{LEASE, TRUST, lost_after, request, seconds};
use crate::{Lessor, Permit, SemaphoreErrorKind};

/// When a permit whose renewals go wrong is lost, and how many calls that took.
async fn fate(steps: &[Step], then: Step) -> (Option<Duration>, usize) {
    let lessor = Scripted::new(steps, then);
    let permit = lessor.permit();
    let lost = lost_after(&permit, lessor.start()).await;
    let calls = lessor.calls().len();
    sleep(LEASE * 5).await;
    assert_eq!(lessor.calls().len(), calls, "no renewal after the loss");
    (lost, calls)
}

// S8, P66
#[tokio::test(start_paused = true)]
async fn it_is_lost_at_the_end_of_its_trusted_time_whatever_goes_wrong() {
    let failures = [
        Step::Transient,
        Step::Indeterminate(true),
        Step::Indeterminate(false),
        Step::Permanent,
        Step::Closed,
        Step::Hangs(true),
        Step::Hangs(false),
    ];
    for failure in failures {
        let (lost, calls) = fate(&[], failure).await;
        assert_eq!(lost, Some(TRUST), "{failure:?}");
        assert!((2..=20).contains(&calls), "{failure:?}: {calls}");
        let (lost, _) = fate(&[Step::Well, Step::Well], failure).await;
        assert_eq!(lost, Some(seconds(40) + TRUST), "{failure:?}, from the last success");
    }
}

// S8, P67
#[tokio::test(start_paused = true)]
async fn a_renewal_that_finds_it_taken_says_so_at_once() {
    assert_eq!(fate(&[], Step::Lost).await, (Some(seconds(20)), 1));
    assert_eq!(fate(&[Step::Well, Step::Lost], Step::Well).await, (Some(seconds(40)), 2));
}

// S8: an answer that comes after its call was given up extends nothing
#[tokio::test(start_paused = true)]
async fn an_answer_that_is_late_extends_nothing() {
    let (lost, _) = fate(&[], Step::Slow(Duration::ZERO, seconds(11))).await;
    assert_eq!(lost, Some(TRUST));
}

// S8: whatever ends the renewal, even a fault of the backend
#[tokio::test(start_paused = true)]
async fn a_panic_in_the_backend_loses_it_at_once() {
    assert_eq!(fate(&[], Step::Panics).await, (Some(seconds(20)), 1));
}

// S9
#[tokio::test(start_paused = true)]
async fn it_is_lost_at_the_end_of_its_maximum_hold_time() {
    for most in [5, 20, 54, 100, 125] {
        let lessor = Scripted::new(&[], Step::Well);
        let permit = lessor.permit_for(&request().with_max_hold(seconds(most)));
        assert_eq!(lost_after(&permit, lessor.start()).await, Some(seconds(most)));
        let calls = lessor.calls().len() as u64;
        assert_eq!(calls, most.div_ceil(20) - 1, "renewed until then");
        let left = lessor.leased_until().unwrap() - Instant::now();
        assert!(left <= LEASE, "free within a lease");
        assert_eq!(permit.release().await.unwrap_err().kind(), SemaphoreErrorKind::Lost);
        assert_eq!(lessor.leased_until(), None, "and at once if it is released");
    }
}

// S9: a call under way does not put the end off
#[tokio::test(start_paused = true)]
async fn the_maximum_hold_time_ends_during_a_call_too() {
    let lessor = Scripted::new(&[], Step::Hangs(true));
    let permit = lessor.permit_for(&request().with_max_hold(seconds(25)));
    assert_eq!(lost_after(&permit, lessor.start()).await, Some(seconds(25)));
}

// S8
#[tokio::test(start_paused = true)]
async fn a_grant_that_was_on_its_way_for_too_long_is_lost_from_the_start() {
    let lessor = Scripted::new(&[], Step::Well);
    let grant = lessor.grant();
    advance(TRUST).await;
    let permit = Permit::new(&request(), grant, lessor as std::sync::Arc<dyn Lessor>);
    assert!(permit.lost().is_cancelled());
}

// S8: the process was frozen, and its timers are late
#[tokio::test(start_paused = true)]
async fn a_holder_that_slept_through_its_lease_hears_of_it_before_any_call() {
    let lessor = Scripted::new(&[], Step::Well);
    let permit = lessor.permit();
    sleep(seconds(1)).await;
    advance(LEASE).await;
    assert_eq!(lost_after(&permit, lessor.start()).await, Some(LEASE + seconds(1)));
    assert!(lessor.calls().is_empty());
}

// S8: renewed on a runtime that is gone, before or after it was polled
#[test]
fn it_is_lost_when_the_runtime_that_renews_it_ends() {
    let runtime = || Builder::new_current_thread().enable_all().build().unwrap();
    for polled in [true, false] {
        let (ours, other) = (runtime(), runtime());
        let permit = ours.block_on(async {
            let lessor = Scripted::new(&[], Step::Well);
            Permit::new_on(other.handle(), &request(), lessor.grant(), lessor as std::sync::Arc<dyn Lessor>)
        });
        if polled {
            other.block_on(tokio::task::yield_now());
        }
        assert!(!permit.lost().is_cancelled());
        drop(other);
        assert!(permit.lost().is_cancelled(), "polled: {polled}");
        let error = ours.block_on(permit.release()).unwrap_err();
        assert_eq!(error.kind(), SemaphoreErrorKind::Lost);
    }
}
