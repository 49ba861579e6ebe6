//! `MemoryQueue`, and a delivery of it whatever its settler does.

use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use futures::poll;
use queue_core::{
    CancellationToken, Consumer, Delivery, Depth, Inspect, MemoryQueue, Outgoing, Publisher, QueueErrorKind,
    ReceiveOptions,
};
use testkit::{CallKind, Faulty, Run, matrix};
use tokio::task::{JoinSet, yield_now};
use tokio::time::{Instant, sleep};
use tokio_util::task::TaskTracker;

use crate::support::{count, message, publish, seconds, spend_budget, stored, take, take_one, timed};

// Q6: "all is stored or, dropped before, nothing"
#[test]
fn a_publish_stores_all_or_nothing() {
    let runs = matrix(async |run: Run| {
        let queue = MemoryQueue::new();
        spend_budget(&run).await;
        let answer = run.cut(queue.publish(vec![Outgoing::new("a"), Outgoing::new("b")])).await;
        let visible = if answer.is_some() { 2 } else { 0 };
        assert_eq!(queue.depth().await.unwrap().visible, visible);
        let (took, ()) = timed(publish(&queue, &["c"])).await;
        assert_eq!((took, take(&queue).await.len() as u64), (Duration::ZERO, visible + 1));
    });
    assert_eq!(runs, 6);
}

// Q3, Q5: "a dropped call has taken none", and another that waits is called in its place, in time
#[test]
fn a_receive_takes_nothing_and_passes_its_call_on() {
    let runs = matrix(async |run: Run| {
        let (queue, stop, mut tasks) = (MemoryQueue::new(), CancellationToken::new(), JoinSet::new());
        let (rivalry, at) = (choose_rivalry(&run), prepare(&run, &queue, &stop).await);
        if rivalry == 1 {
            tasks.spawn(rival(queue.clone()));
            yield_now().await;
        }
        let mut receive = pin!(run.cut(ask(&run, &queue, &stop)));
        let mut got = poll!(receive.as_mut());
        if rivalry == 2 {
            tasks.spawn(rival(queue.clone()));
        }
        if got.is_pending() {
            got = Poll::Ready(receive.await);
        }
        let got = if let Poll::Ready(Some(got)) = got { got } else { 0 };
        let theirs = tasks.join_all().await;
        sleep(seconds(2)).await; // also when it was dropped before anything came
        check(at, got, &theirs, queue.depth().await.unwrap());
    });
    assert!(runs > 100, "{runs}");
}

fn choose_rivalry(run: &Run) -> usize {
    run.choose("it is", &["alone", "behind another", "before another"])
}

/// Sees to it that a message comes, and answers when.
async fn prepare(run: &Run, queue: &MemoryQueue, stop: &CancellationToken) -> Option<Instant> {
    let (now, later) = (Instant::now(), seconds(1));
    let outcomes =
        &["there", "published later", "delayed", "hidden", "never there", "never there, and it is stopped"];
    let outcome = run.choose("the message is", outcomes);
    match outcome {
        0 => publish(queue, &["a"]).await,
        1 | 5 => drop(later_on(later, queue.clone(), stop.clone(), outcome == 1)),
        2 => assert!(queue.publish(vec![message("a").with_delay(later)]).await[0].is_ok()),
        3 => {
            publish(queue, &["a"]).await;
            take_one(queue).await.release(later).await.unwrap();
        }
        _ => {}
    }
    [Some(now), Some(now + later), Some(now + later), Some(now + later), None, None][outcome]
}

/// Publishes or stops after a while, on a task of its own.
fn later_on(after: Duration, queue: MemoryQueue, stop: CancellationToken, publishes: bool) -> TaskTracker {
    let tasks = TaskTracker::new();
    tasks.spawn(async move {
        sleep(after).await;
        if publishes { publish(&queue, &["a"]).await } else { stop.cancel() }
    });
    tasks
}

async fn ask(run: &Run, queue: &MemoryQueue, stop: &CancellationToken) -> usize {
    spend_budget(run).await;
    let got = queue.receive(ReceiveOptions::new(1).with_stop(stop.clone())).await.unwrap();
    got.into_iter().map(Delivery::forget).count()
}

/// Receives too, and answers when it got how many.
async fn rival(queue: MemoryQueue) -> (Instant, usize) {
    let got = queue.receive(ReceiveOptions::new(1)).await.unwrap();
    (Instant::now(), got.into_iter().map(Delivery::forget).count())
}

fn check(at: Option<Instant>, got: usize, theirs: &[(Instant, usize)], depth: Depth) {
    let delivered = got + theirs.iter().map(|(_, count)| count).sum::<usize>();
    assert_eq!(depth.in_flight, delivered as u64, "what was taken was delivered");
    assert_eq!(depth.total(), u64::from(at.is_some()), "nothing is lost");
    if let (Some(at), [(when, count)]) = (at, theirs) {
        assert_eq!(delivered, 1, "one of them has it");
        assert!(*count == 0 || *when == at, "the other was called late, or too early");
    }
}

// Q3, Q12: "deleted or coming back at its timeout, and counts as a drop"
#[test]
fn an_ack_deletes_or_lets_it_come_back() {
    let runs = matrix(async |run: Run| {
        let main = MemoryQueue::new();
        let queue = Faulty::new(main.clone(), run.gates(CallKind::Delete, 1));
        publish(&queue, &["a"]).await;
        let ack = take_one(&queue).await.ack();
        let answer = run.cut(ack).await;
        let acked = matches!(answer, Some(Ok(())));
        drop(answer);
        assert_eq!(main.counts().unsettled_drops, u64::from(!acked));
        let calls = queue.calls_of(CallKind::Delete).len();
        let left = count(&stored(&main).await, "a");
        assert!(left == usize::from(!acked) || (calls == 1 && left == 0), "acked: {acked}, left: {left}");
    });
    assert_eq!(runs, 16);
}

// Q3, Q12: "visible after `delay` or at its timeout, and counts as a drop"
#[test]
fn a_release_lets_it_come_back() {
    let runs = matrix(async |run: Run| {
        let main = MemoryQueue::new();
        let queue = Faulty::new(main.clone(), run.gates(CallKind::ChangeVisibility, 1));
        publish(&queue, &["a"]).await;
        let start = Instant::now();
        let answer = run.cut(take_one(&queue).await.release(seconds(5))).await;
        let released = matches!(answer, Some(Ok(())));
        drop(answer);
        assert_eq!(main.counts().unsettled_drops, u64::from(!released));
        let (_, again) = timed(main.receive(ReceiveOptions::new(1))).await;
        let mut again = again.unwrap();
        if again.is_empty() {
            again = main.receive(ReceiveOptions::new(1)).await.unwrap();
        }
        let waited = start.elapsed().as_secs();
        assert!([5, 6, 30].contains(&waited) || waited >= 3_600, "after {waited} s");
        assert_eq!(again.remove(0).message().receive_count(), 2);
    });
    assert_eq!(runs, 16);
}

// Q3: "the old timeout or the new one in force; the old one is believed"
#[test]
fn an_extension_leaves_one_of_two_timeouts() {
    let runs = matrix(async |run: Run| {
        let main = MemoryQueue::new();
        let queue = Faulty::new(main.clone(), run.gates(CallKind::ChangeVisibility, 1));
        publish(&queue, &["a"]).await;
        let mut delivery = take_one(&queue).await;
        let (start, before) = (Instant::now(), delivery.hidden_until());
        let extended = matches!(run.cut(delivery.extend(seconds(60))).await, Some(Ok(())));
        let hidden = delivery.hidden_until() - start;
        assert_eq!(hidden, if extended { seconds(60) } else { before - start });
        sleep(hidden.saturating_sub(start.elapsed()).saturating_sub(seconds(1))).await;
        assert!(
            take(&main).await.is_empty() || start.elapsed() >= seconds(60),
            "it is hidden for that long at least"
        );
        match delivery.ack().await {
            Ok(()) => assert_eq!(stored(&main).await.len(), 0),
            Err(error) => assert_eq!(error.kind(), QueueErrorKind::Lost),
        }
    });
    assert_eq!(runs, 16);
}

// "Safe"
#[test]
fn looking_and_purging_happen_or_do_not() {
    let runs = matrix(async |run: Run| {
        let queue = MemoryQueue::new();
        publish(&queue, &["a", "b"]).await;
        let seen = run.cut(queue.depth()).await;
        assert!(seen.is_none_or(|seen| seen.unwrap().visible == 2));
        let purged = run.cut(queue.purge()).await.is_some();
        let left = queue.depth().await.unwrap();
        assert_eq!(left == Depth::empty(), purged);
        assert_eq!(take(&queue).await.len(), if purged { 0 } else { 2 });
    });
    assert_eq!(runs, 4);
}
