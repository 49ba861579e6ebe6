//! What a redrive moves.

use std::collections::BTreeSet;
use std::time::Duration;

use queue_core::QueueErrorKind::Permanent;
use queue_core::{Inspect, Limits, MemoryQueue, Outgoing, PublisherExt, QueueError};
use testkit::{CallKind, Fault};
use tokio::time::{Instant, timeout};

use super::support::{bodies, drain, faulty, fill, message, order, queue, redrive};

// Q3, Q7
#[tokio::test(start_paused = true)]
async fn a_message_is_moved_with_all_that_is_its_own() {
    for ordered in [false, true] {
        let (dead, target) = (queue(ordered), queue(ordered));
        fill(&dead, 1, 1, ordered).await;
        assert_eq!(redrive(&dead, &target, 10).await.unwrap(), 1);
        let moved = drain(&target).await.remove(0);
        assert_eq!(moved.message().to_outgoing(), message(0, 0, false));
        assert_eq!(moved.message().receive_count(), 1);
        assert_eq!(dead.depth().await.unwrap().total(), 0);
        assert_eq!(dead.counts().unsettled_drops, 0);
    }
}

// Q3
#[tokio::test(start_paused = true)]
async fn as_many_are_moved_as_were_asked_for_and_no_more() {
    let (dead, target) = (queue(false), queue(false));
    fill(&dead, 1, 47, false).await;
    assert_eq!(redrive(&dead, &target, 0).await.unwrap(), 0);
    assert_eq!(redrive(&dead, &target, 23).await.unwrap(), 23);
    assert_eq!(dead.depth().await.unwrap().visible, 24, "what is left can be had at once");
    assert_eq!(redrive(&dead, &target, u64::MAX).await.unwrap(), 24);
    assert_eq!(drain(&target).await.len(), 47);
}

#[tokio::test(start_paused = true)]
async fn an_empty_queue_is_seen_to_be_empty_in_one_call() {
    let dead = faulty(&queue(false), |_, _| Fault::None);
    let start = Instant::now();
    assert_eq!(redrive(&dead, &queue(false), 10).await.unwrap(), 0);
    assert!(start.elapsed() <= Duration::from_secs(1));
    assert_eq!(dead.calls().len(), 1);
}

/// Ten messages of a standard queue take three calls, and the last receive finds nothing.
#[tokio::test(start_paused = true)]
async fn standard_queues_are_moved_in_batches() {
    let (dead, target) = (queue(false), queue(false));
    fill(&dead, 7, 10, false).await;
    let (dead, target) = (faulty(&dead, |_, _| Fault::None), faulty(&target, |_, _| Fault::None));
    assert_eq!(redrive(&dead, &target, 1_000).await.unwrap(), 70);
    let counts = [CallKind::Receive, CallKind::Delete].map(|kind| dead.calls_of(kind).len());
    assert_eq!((counts, target.calls().len()), ([8, 7], 7));
}

// Q8
#[tokio::test(start_paused = true)]
async fn groups_keep_their_order() {
    let (dead, target) = (queue(true), queue(true));
    fill(&dead, 5, 20, true).await;
    assert_eq!(redrive(&dead, &target, 1_000).await.unwrap(), 100);
    let moved = drain(&target).await;
    for group in 0..5 {
        assert_eq!(order(&moved, group), (0..20).collect::<Vec<_>>());
    }
}

/// What the queue was sent with five minutes ago it would take for a repetition, and then it would be in neither.
// Q9
#[tokio::test(start_paused = true)]
async fn a_message_can_be_moved_back_right_after_it_was_sent() {
    let (dead, target) = (queue(true), queue(true));
    fill(&target, 1, 1, true).await;
    fill(&dead, 1, 1, true).await;
    drain(&target).await;
    assert_eq!(redrive(&dead, &target, 10).await.unwrap(), 1);
    assert_eq!(bodies(&drain(&target).await), ["0/0"]);
}

fn small(ordered: bool) -> MemoryQueue {
    let builder = MemoryQueue::builder().limits(Limits::default().with_message_bytes(100));
    if ordered { builder.ordered() } else { builder }.build().unwrap()
}

// Q3, Q11
#[tokio::test(start_paused = true)]
async fn what_the_target_refuses_stays_where_it_is_and_holds_up_nothing() {
    let (dead, target) = (queue(false), small(false));
    fill(&dead, 1, 12, false).await;
    dead.publish_one(Outgoing::new("x".repeat(101))).await.unwrap();
    fill(&dead, 2, 12, false).await;
    let error = redrive(&dead, &target, 1_000).await.unwrap_err();
    assert_eq!(error.kind(), Permanent, "{error}");
    assert!(error.message().contains("36 others were moved"), "{error}");
    assert_eq!(drain(&target).await.len(), 36);
    assert_eq!(dead.depth().await.unwrap().visible, 1, "it is visible at once");
}

// Q8
#[tokio::test(start_paused = true)]
async fn what_stands_behind_a_refused_message_of_its_group_stays_behind_it() {
    let (dead, target) = (queue(true), small(true));
    fill(&dead, 3, 4, true).await;
    let long = Outgoing::new("x".repeat(101)).with_group_key("g1").with_deduplication_id("long");
    dead.publish_one(long).await.unwrap();
    dead.publish_one(message(1, 99, true)).await.unwrap();
    let error = redrive(&dead, &target, 1_000).await.unwrap_err();
    assert_eq!(error.kind(), Permanent, "{error}");
    let moved = drain(&target).await;
    let orders: BTreeSet<_> = (0..3).map(|group| order(&moved, group)).collect();
    assert_eq!(orders, BTreeSet::from([vec![0, 1, 2, 3]]));
    let left = bodies(&drain(&dead).await);
    assert!(left[0].starts_with('x') && left[1] == "1/99" && left.len() == 2, "{left:?}");
}

// Q3
#[tokio::test(start_paused = true)]
async fn a_target_that_refuses_everything_ends_it() {
    let (dead, target) = (queue(false), small(false));
    let long = (0..300).map(|_| Outgoing::new("x".repeat(101))).collect();
    dead.publish_all(long).await;
    let dead = faulty(&dead, |_, _| Fault::None);
    redrive(&dead, &target, u64::MAX).await.unwrap_err();
    assert_eq!(
        dead.calls_of(CallKind::Receive).len(),
        10,
        "it sees after a hundred that there is no sense in it"
    );
    assert_eq!(dead.queue().depth().await.unwrap().visible, 300);
}

/// `good` messages behind `long` ones, which the target refuses, in groups of their own. Each receive takes 25 s.
async fn slowly_refused(long: usize, good: usize) -> (MemoryQueue, MemoryQueue, QueueError) {
    let (dead, target) = (queue(true), small(true));
    let refused = |number| Outgoing::new("x".repeat(101)).with_group_key(format!("long-{number}"));
    let refused = (0..long).map(|number| refused(number).with_deduplication_id(format!("long-{number}")));
    assert!(dead.publish_all(refused.collect()).await.iter().all(Result::is_ok));
    fill(&dead, 1, good, true).await;
    let slow = faulty(&dead, |kind, _| match kind {
        CallKind::Receive => Fault::Delay(Duration::from_secs(25)),
        _ => Fault::None,
    });
    let ended = timeout(Duration::from_hours(2), redrive(&slow, &target, u64::MAX)).await;
    (dead, target, ended.expect("it ends").unwrap_err())
}

/// They come again every two minutes, before the good ones.
// Q3
#[tokio::test(start_paused = true)]
async fn what_is_refused_again_and_again_counts_once() {
    let (dead, target, error) = slowly_refused(30, 100).await;
    assert!(error.message().contains("100 others were moved"), "{error}");
    assert_eq!(order(&drain(&target).await, 0), (0..100).collect::<Vec<_>>());
    assert_eq!(dead.depth().await.unwrap().visible, 30);
}

/// The first come again before the last were seen.
// Q3
#[tokio::test(start_paused = true)]
async fn a_redrive_ends_that_is_brought_nothing_but_what_was_refused_before() {
    let (dead, _, error) = slowly_refused(90, 0).await;
    assert_eq!(error.kind(), Permanent, "{error}");
    assert_eq!(dead.depth().await.unwrap().visible, 90, "all can be had at once");
}
