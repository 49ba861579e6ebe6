//! Settling in company.

use std::cell::Cell;
use std::time::Duration;

use queue_core::{Coalesced, Delivery, Inspect, MemoryQueue};
use testkit::{CallKind, Faulty, Run, matrix};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::{Queue, nothing_is_left};
use crate::support::{count, publish, stored, take};

/// Longer than a call with all its repetitions.
const LATER: Duration = Duration::from_mins(10);

/// A queue whose first two calls of a kind pass gates, and three deliveries from it.
async fn three(run: &Run, kind: CallKind) -> (MemoryQueue, Queue, [Delivery; 3]) {
    let main = MemoryQueue::builder().visibility(Duration::from_hours(9)).build().unwrap();
    let queue = Coalesced::new(Faulty::new(main.clone(), run.gates(kind, 2)));
    publish(&queue, &["cut", "other", "dropped"]).await;
    let deliveries = take(&queue).await.try_into().unwrap();
    (main, queue, deliveries)
}

async fn drop_later(delivery: Delivery) {
    sleep(Duration::from_millis(20)).await;
    drop(delivery);
}

// Q3, Q12: "Delete: a dropped call is sent all the same"
#[test]
fn a_dropped_ack_goes_out_all_the_same() {
    let runs = matrix(async |run: Run| {
        let (main, queue, [cut, other, dropped]) = three(&run, CallKind::Delete).await;
        let (mut tasks, begun) = (JoinSet::new(), Cell::new(false));
        tasks.spawn(async move { drop(other.ack().await) });
        tasks.spawn(drop_later(dropped));
        let acking = async {
            begun.set(true);
            cut.ack().await
        };
        let answer = run.cut(acking).await;
        let (known, failed) = (answer.is_some(), matches!(answer, Some(Err(_))));
        drop(answer);
        tasks.join_all().await;
        queue.flush().await;
        assert!(!failed, "two calls that go wrong are made up for by the next");
        assert_eq!(main.counts().unsettled_drops, 1 + u64::from(!known));
        let left = main.depth().await.unwrap().total();
        assert_eq!(left, 1 + u64::from(!begun.get()), "what was acked is deleted, and nothing else");
        stored_again(&main, &queue, left).await;
    });
    assert!(runs > 100, "{runs}");
}

/// What was not acked comes back.
async fn stored_again(main: &MemoryQueue, queue: &Queue, left: u64) {
    sleep(Duration::from_hours(9)).await;
    assert_eq!(stored(main).await.len() as u64, left);
    nothing_is_left(queue).await;
}

// Q3, Q12: "a dropped call takes its unsent entries back"; the message comes back in any case
#[test]
fn a_dropped_release_lets_it_come_back() {
    let runs = matrix(async |run: Run| {
        let (main, queue, [cut, other, dropped]) = three(&run, CallKind::ChangeVisibility).await;
        let mut tasks = JoinSet::new();
        tasks.spawn(async move { assert!(other.release(LATER).await.is_ok()) });
        tasks.spawn(drop_later(dropped));
        let answer = run.cut(cut.release(LATER)).await;
        let released = matches!(answer, Some(Ok(())));
        drop(answer);
        tasks.join_all().await;
        queue.flush().await;
        assert_eq!(main.counts().unsettled_drops, 1 + u64::from(!released));
        sleep(LATER).await;
        let visible = main.depth().await.unwrap().visible;
        assert!(visible == 2 || (visible == 1 && !released), "{visible}");
        stored_again(&main, &queue, 3).await;
    });
    assert!(runs > 100, "{runs}");
}

// Q3: "the old timeout or the new one in force; the old one is believed"
#[test]
fn a_dropped_extension_leaves_one_of_two_timeouts() {
    let runs = matrix(async |run: Run| {
        let (main, queue, [mut cut, other, dropped]) = three(&run, CallKind::ChangeVisibility).await;
        let mut tasks = JoinSet::new();
        tasks.spawn(async move { assert!(other.release(LATER).await.is_ok()) });
        tasks.spawn(drop_later(dropped));
        let (before, asked) = (cut.hidden_until(), Instant::now());
        let extended = matches!(run.cut(cut.extend(Duration::from_hours(10))).await, Some(Ok(())));
        let expected = if extended { asked + Duration::from_hours(10) } else { before };
        assert_eq!(cut.hidden_until(), expected);
        tasks.join_all().await;
        queue.flush().await;
        assert!(cut.ack().await.is_ok(), "its own call goes through at once");
        sleep(Duration::from_hours(9)).await;
        assert_eq!(count(&stored(&main).await, "cut"), 0);
        nothing_is_left(&queue).await;
    });
    assert!(runs > 100, "{runs}");
}
