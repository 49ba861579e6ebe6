//! Keeping a permit: how often it is renewed, and what its renewal survives.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep};

use super::scripted::{Scripted, Step};
use super::{LEASE, TRUST, at, lost_after, request, seconds};
use crate::SemaphoreErrorKind;

// S9
#[tokio::test(start_paused = true)]
async fn it_is_renewed_every_third_of_the_lease_and_not_more_often() {
    let lessor = Scripted::new(&[], Step::Well);
    let permit = lessor.permit();
    at(lessor.start(), seconds(601)).await;
    assert_eq!(lessor.seconds(), (1..=30).map(|third| third * 20).collect::<Vec<_>>());
    assert!(!permit.lost().is_cancelled());
    permit.release().await.unwrap();
}

// S9: a sixtieth of the lease, doubled up to a twelfth, each up to twice as long
#[tokio::test(start_paused = true)]
async fn passing_errors_are_retried_after_short_and_growing_pauses() {
    for failure in [Step::Transient, Step::Indeterminate(true), Step::Indeterminate(false)] {
        let lessor = Scripted::new(&[failure; 3], Step::Well);
        let permit = lessor.permit();
        at(lessor.start(), seconds(36)).await;
        let times = lessor.seconds();
        assert_eq!(times.len(), 4, "{failure:?}: {times:?}");
        for (pause, least) in times.windows(2).zip([1, 2, 4]) {
            let pause = pause[1] - pause[0];
            assert!(pause >= least && pause <= 2 * least + 1, "{failure:?}: {times:?}");
        }
        permit.release().await.unwrap();
    }
}

// S9
#[tokio::test(start_paused = true)]
async fn a_call_that_hangs_does_not_starve_the_next_try() {
    let lessor = Scripted::new(&[Step::Hangs(false), Step::Hangs(true)], Step::Well);
    let permit = lessor.permit();
    at(lessor.start(), seconds(600)).await;
    let times = lessor.seconds();
    assert_eq!(times[0], 20);
    assert!((31..=32).contains(&times[1]) && (42..=47).contains(&times[2]), "{times:?}");
    assert!(!permit.lost().is_cancelled());
    permit.release().await.unwrap();
}

// S8: a renewal counts from when it was sent
#[tokio::test(start_paused = true)]
async fn the_next_renewal_and_the_trust_count_from_before_the_request() {
    let slow = Step::Slow(seconds(1), seconds(8));
    let lessor = Scripted::new(&[slow], Step::Transient);
    let permit = lessor.permit();
    assert_eq!(lost_after(&permit, lessor.start()).await, Some(seconds(20) + TRUST));
    assert_eq!(lessor.seconds()[..2], [20, 40]);
}

// S9: what does not pass by itself may be repaired; it is not hurried
#[tokio::test(start_paused = true)]
async fn errors_that_do_not_pass_are_retried_a_few_times_and_survived_when_they_end() {
    for failure in [Step::Permanent, Step::Closed] {
        let lessor = Scripted::new(&[failure, failure], Step::Well);
        let permit = lessor.permit();
        at(lessor.start(), seconds(60)).await;
        assert_eq!(lessor.seconds(), [20, 35, 50], "{failure:?}");
        assert!(!permit.lost().is_cancelled());
        permit.release().await.unwrap();
    }
}

// S10
#[tokio::test(start_paused = true)]
async fn dropping_makes_no_call_ends_the_renewal_and_is_counted() {
    let lessor = Scripted::new(&[], Step::Well);
    let permit = lessor.permit();
    sleep(seconds(30)).await;
    let lost = permit.lost().clone();
    drop(permit);
    yield_now().await;
    assert_eq!(Handle::current().metrics().num_alive_tasks(), 0);
    sleep(LEASE * 10).await;
    assert_eq!(lessor.seconds(), [20]);
    assert_eq!(lessor.abandoned.load(Ordering::SeqCst), 1);
    assert!(!lost.is_cancelled());
}

// S10: while a renewal is under way
#[tokio::test(start_paused = true)]
async fn dropping_ends_a_renewal_that_is_under_way() {
    let lessor = Scripted::new(&[Step::Hangs(false)], Step::Well);
    let permit = lessor.permit();
    sleep(seconds(21)).await;
    drop(permit);
    sleep(LEASE * 10).await;
    assert_eq!(lessor.seconds(), [20]);
    assert_eq!(Handle::current().metrics().num_alive_tasks(), 0);
}

// S9: retry_after, if the backend names one
#[tokio::test(start_paused = true)]
async fn a_backend_that_asks_to_be_left_alone_is_left_alone() {
    use crate::SemaphoreError;
    let error = SemaphoreError::transient("busy").with_retry_after(Duration::from_secs(17));
    let mut pauses = super::super::renewing::pauses(LEASE);
    let pause = super::super::renewing::pause_after(&error, &mut pauses, LEASE);
    assert_eq!(pause, seconds(17));
}

// S8: a lease that can't be added to a clock
#[tokio::test(start_paused = true)]
async fn settings_without_bounds_are_bounded() {
    use crate::{PermitRequest, lease, max};
    let lessor = Scripted::new(&[], Step::Well);
    let endless = PermitRequest::new("key", max(1), lease(Duration::MAX)).with_max_hold(Duration::MAX);
    let permit = lessor.permit_for(&endless);
    sleep(seconds(1)).await;
    assert!(!permit.lost().is_cancelled());
    permit.release().await.unwrap();
    let none = lessor.permit_for(&PermitRequest::new("key", max(1), lease(Duration::ZERO)));
    assert!(none.lost().is_cancelled(), "no lease, no trust");
    assert_eq!(none.release().await.unwrap_err().kind(), SemaphoreErrorKind::Lost);
}

#[tokio::test(start_paused = true)]
async fn a_permit_says_what_it_is_when_it_is_printed() {
    let lessor = Scripted::new(&[], Step::Well);
    let permit = lessor.permit_for(&request());
    let printed = format!("{permit:?}");
    assert!(printed.contains("key/0/") && printed.contains("lost: false"), "{printed}");
    let before = Instant::now();
    permit.release().await.unwrap();
    assert_eq!(before.elapsed(), Duration::ZERO);
}
