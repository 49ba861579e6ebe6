//! Calls that fail in a redrive.

use std::collections::BTreeSet;
use std::time::Duration;

use queue_core::QueueErrorKind::{Indeterminate, Permanent, Transient};
use queue_core::{Inspect, QueueError};
use testkit::{CallKind, Fault};

use super::support::{bodies, drain, faulty, fill, order, queue, redrive};

fn busy() -> Fault {
    Fault::Error(QueueError::transient("busy"))
}

// Q3, Q6, P33, P34
#[tokio::test(start_paused = true)]
async fn passing_failures_of_calls_and_entries_are_borne() {
    for ordered in [false, true] {
        let (dead, target) = (queue(ordered), queue(ordered));
        fill(&dead, 5, 20, ordered).await;
        let script = |kind, number| match (kind, number % 4) {
            (CallKind::Receive, 1) | (_, 2) => busy(),
            (_, 0) => Fault::Entries(vec![0, 3, 4], QueueError::transient("these are not")),
            _ => Fault::None,
        };
        let dead = faulty(&dead, move |kind, number| match kind {
            CallKind::Receive if number % 4 != 1 => Fault::None,
            kind => script(kind, number),
        });
        let flaky = faulty(&target, script);
        assert_eq!(redrive(&dead, &flaky, 1_000).await.unwrap(), 100);
        assert_eq!(dead.queue().depth().await.unwrap().total(), 0);
        let moved = drain(&target).await;
        assert_eq!(moved.len(), 100, "nothing twice, as nothing was lost");
        for group in (0..5).filter(|_| ordered) {
            assert_eq!(order(&moved, group), (0..20).collect::<Vec<_>>(), "group {group}");
        }
    }
}

// Q3, Q8
#[tokio::test(start_paused = true)]
async fn lost_answers_lose_nothing_and_an_ordered_target_takes_nothing_twice() {
    for ordered in [false, true] {
        let (dead, target) = (queue(ordered), queue(ordered));
        fill(&dead, 5, 20, ordered).await;
        let lost = |_, number: usize| if number.is_multiple_of(3) { Fault::Lost } else { Fault::None };
        let dead = faulty(&dead, move |kind, number| match kind {
            CallKind::Receive if !ordered => Fault::None, // a standard queue knows no attempts
            _ => lost(kind, number),
        });
        let flaky = faulty(&target, lost);
        assert_eq!(redrive(&dead, &flaky, 1_000).await.unwrap(), 100);
        assert_eq!(dead.queue().depth().await.unwrap().total(), 0);
        let moved = drain(&target).await;
        assert_eq!(bodies(&moved).into_iter().collect::<BTreeSet<_>>().len(), 100);
        for group in (0..5).filter(|_| ordered) {
            assert_eq!(order(&moved, group), (0..20).collect::<Vec<_>>(), "group {group}");
        }
    }
}

// Q3, Q8
#[tokio::test(start_paused = true)]
async fn a_target_that_stays_away_ends_it_and_everything_is_visible_at_once() {
    for ordered in [false, true] {
        let (dead, target) = (queue(ordered), queue(ordered));
        fill(&dead, 3, 10, ordered).await;
        let away = faulty(&target, |_, number| if number < 1 { Fault::None } else { busy() });
        let error = redrive(&dead, &away, 1_000).await.unwrap_err();
        assert_eq!(error.kind(), Transient, "{error}");
        let (left, moved) = (dead.depth().await.unwrap(), drain(&target).await.len());
        assert_eq!(u64::try_from(moved).unwrap() + left.visible, 30, "{left:?}");
        assert!(moved > 0, "what was copied was deleted first");
        assert_eq!(redrive(&dead, &target, 1_000).await.unwrap(), left.visible);
    }
}

// P31
#[tokio::test(start_paused = true)]
async fn a_service_that_asks_for_a_pause_gets_it() {
    let (dead, target) = (queue(false), queue(false));
    fill(&dead, 1, 1, false).await;
    let pause = Duration::from_secs(20);
    let target =
        faulty(&target, move |_, number| if number == 0 { Fault::throttled(pause) } else { Fault::None });
    redrive(&dead, &target, 10).await.unwrap();
    let calls = target.calls();
    assert!(calls[1].at - calls[0].at >= pause);
}

/// Sooner an error than deletes that come too late.
// Q3
#[tokio::test(start_paused = true)]
async fn what_was_received_is_not_kept_longer_than_it_is_hidden() {
    let (dead, target) = (queue(true), queue(true));
    fill(&dead, 1, 10, true).await;
    let slow = faulty(&target, |_, _| Fault::Late(Duration::from_secs(25)));
    let error = redrive(&dead, &slow, 10).await.unwrap_err();
    assert_eq!(error.kind(), Transient, "{error}");
    let (left, moved) = (dead.depth().await.unwrap(), order(&drain(&target).await, 0));
    assert_eq!(moved, [0, 1, 2, 3], "four in 100 s");
    assert_eq!(left.visible, 6);
    assert_eq!(order(&drain(&dead).await, 0), [4, 5, 6, 7, 8, 9]);
}

// Q3
#[tokio::test(start_paused = true)]
async fn a_delete_that_is_refused_ends_it_and_leaves_a_copy() {
    let (dead, target) = (queue(false), queue(false));
    fill(&dead, 1, 2, false).await;
    let refused = || Fault::Error(QueueError::permanent("not allowed"));
    let guarded =
        faulty(&dead, move |kind, _| if kind == CallKind::Delete { refused() } else { Fault::None });
    let error = redrive(&guarded, &target, 10).await.unwrap_err();
    assert_eq!(error.kind(), Permanent, "{error}");
    assert_eq!((drain(&target).await.len(), drain(&dead).await.len()), (2, 2));
}

// Q6
#[tokio::test(start_paused = true)]
async fn a_target_that_gives_too_few_answers_has_answered_nothing() {
    let (dead, target) = (queue(true), queue(true));
    fill(&dead, 4, 1, true).await;
    let short = faulty(&target, |_, number| if number < 99 { Fault::Short(4) } else { Fault::None });
    let error = redrive(&dead, &short, 10).await.unwrap_err();
    assert_eq!(error.kind(), Indeterminate, "{error}");
    assert_eq!(dead.depth().await.unwrap().visible, 4);
}
