//! Receives whose answer was lost, repeated under their attempt id.

use super::*;

fn attempt(id: &str) -> ReceiveOptions {
    short().with_attempt_id(id)
}

/// A receive whose answer is lost, and what it brought.
async fn lose(queue: &MemoryQueue, options: ReceiveOptions) -> Vec<String> {
    let deliveries = queue.receive(options).await.unwrap();
    let receipts = deliveries.iter().map(|delivery| delivery.receipt().as_str().to_owned()).collect();
    deliveries.into_iter().for_each(Delivery::forget);
    receipts
}

fn receipts(deliveries: &[Delivery]) -> Vec<String> {
    deliveries.iter().map(|delivery| delivery.receipt().as_str().to_owned()).collect()
}

// Q8
#[tokio::test(start_paused = true)]
async fn a_repeated_attempt_brings_the_same_messages_receipts_and_counts_at_once() {
    let queue = fifo();
    send(&queue, "a1 a2 b1 c1").await;
    let lost = lose(&queue, attempt("x").with_visibility(secs(20))).await;
    send(&queue, "d1 a3").await;
    let (after, again) = timed(queue.receive(attempt("x").with_wait(secs(5)))).await;
    let again = again.unwrap();
    assert_eq!((after, bodies(&again)), (Duration::ZERO, vec!["a1", "a2", "b1", "c1"]));
    assert_eq!(receipts(&again), lost);
    assert!(again.iter().all(|delivery| delivery.message().receive_count() == 1));
    assert_eq!(depth(&queue).await, Depth::new(2, 4, 0));
    for delivery in again {
        delivery.ack().await.unwrap();
    }
    assert_eq!(bodies(&take(&queue).await), ["d1", "a3"]);
}

// Q8: any number of times, and the visibility timeout begins anew each time
#[tokio::test(start_paused = true)]
async fn repeating_an_attempt_resets_the_visibility_timeout() {
    let queue = fifo();
    send(&queue, "a1").await;
    let lost = lose(&queue, attempt("x")).await;
    for _ in 0..10 {
        advance(secs(29)).await;
        assert_eq!(lose(&queue, attempt("x")).await, lost);
    }
    let mut answered = queue.receive(attempt("x").with_visibility(secs(50))).await.unwrap().remove(0);
    advance(secs(49)).await;
    answered.extend(secs(43_200)).await.unwrap_err(); // 12 h in all, from the receive that was answered
    answered.extend(secs(43_151)).await.unwrap();
    answered.ack().await.unwrap();
}

// Q8
#[tokio::test(start_paused = true)]
async fn after_five_minutes_the_id_is_a_new_one() {
    let queue = fifo();
    send(&queue, "a1 b1").await;
    lose(&queue, attempt("x").with_visibility(secs(600))).await;
    advance(secs(299)).await;
    lose(&queue, attempt("x").with_visibility(secs(600))).await;
    advance(secs(1)).await;
    assert!(queue.receive(attempt("x")).await.unwrap().is_empty());
    send(&queue, "c1").await;
    assert_eq!(bodies(&queue.receive(attempt("x")).await.unwrap()), ["c1"]);
}

// Q8
#[tokio::test(start_paused = true)]
async fn once_a_message_was_touched_the_id_is_worth_nothing_and_a_normal_receive_follows() {
    for touch in 0..3 {
        let queue = fifo();
        send(&queue, "a1 b1").await;
        let [one, two]: [_; 2] = queue.receive(attempt("x")).await.unwrap().try_into().unwrap();
        let advanced = match touch {
            0 => delete(&one).await,
            1 => change(&one, secs(60)).await,
            _ => change(&one, Duration::ZERO).await,
        };
        advanced.unwrap();
        send(&queue, "c1").await;
        let normal = queue.receive(attempt("x")).await.unwrap();
        assert_eq!(bodies(&normal).last(), Some(&"c1"));
        assert!(!bodies(&normal).contains(&"b1"));
        delete(&two).await.unwrap(); // one of the old attempt does not touch the new one
        assert_eq!(receipts(&queue.receive(attempt("x")).await.unwrap()), receipts(&normal));
        [one, two].into_iter().for_each(Delivery::forget);
    }
}

// Q8
#[tokio::test(start_paused = true)]
async fn once_a_message_expired_was_moved_or_purged_the_id_is_worth_nothing() {
    let queue = MemoryQueue::builder().ordered().retention(secs(60)).build().unwrap();
    send(&queue, "a1 b1").await;
    lose(&queue, attempt("x")).await;
    advance(secs(30)).await;
    let again = queue.receive(attempt("x").with_visibility(secs(60))).await.unwrap();
    assert_eq!(again[0].message().receive_count(), 2);
    advance(secs(30)).await; // the end of retention
    assert!(queue.receive(attempt("x")).await.unwrap().is_empty());
    send(&queue, "a2").await;
    lose(&queue, attempt("y")).await;
    queue.purge().await.unwrap();
    assert!(queue.receive(attempt("y")).await.unwrap().is_empty());
}

// Q8: what does not fit is visible again, behind what is delivered
#[tokio::test(start_paused = true)]
async fn an_attempt_that_asks_for_fewer_gets_the_first_and_frees_the_rest() {
    let queue = fifo();
    send(&queue, "a1 a2 a3 b1").await;
    lose(&queue, attempt("x")).await;
    let mut two = attempt("x");
    two.max_messages = 2;
    let first = queue.receive(two.clone()).await.unwrap();
    assert_eq!(bodies(&first), ["a1", "a2"]);
    let other = take(&queue).await;
    assert_eq!(bodies(&other), ["b1"]);
    other.into_iter().next().unwrap().ack().await.unwrap();
    assert_eq!(receipts(&queue.receive(attempt("x")).await.unwrap()), receipts(&first));
    for delivery in first {
        delivery.ack().await.unwrap();
    }
    assert_eq!(bodies(&take(&queue).await), ["a3"]);
}

// Q8
#[tokio::test(start_paused = true)]
async fn an_attempt_that_brought_nothing_is_not_remembered() {
    let queue = fifo();
    assert!(queue.receive(attempt("x")).await.unwrap().is_empty());
    send(&queue, "a1").await;
    assert_eq!(bodies(&queue.receive(attempt("x")).await.unwrap()), ["a1"]);
}

// Q8: it takes nothing new, so that neither the cap nor those who wait matter
#[tokio::test(start_paused = true)]
async fn an_attempt_is_repeated_at_the_cap_and_ahead_of_the_line() {
    let queue = MemoryQueue::builder().ordered().in_flight(1).build().unwrap();
    send(&queue, "a1 b1").await;
    let lost = lose(&queue, attempt("x")).await;
    let waiting = queue.receive(ReceiveOptions::default().with_wait(secs(2)));
    let again = async { queue.receive(attempt("x")).await.unwrap() };
    let (waited, again) = futures::join!(waiting, again);
    assert_eq!((waited.unwrap().len(), receipts(&again)), (0, lost));
}

// Q8: its first call waits when the second begins
#[tokio::test(start_paused = true)]
async fn two_receives_under_one_id_at_once_bring_the_same() {
    let queue = fifo();
    let [one, two] = [0, 0].map(|_| queue.receive(ReceiveOptions::default().with_attempt_id("x")));
    let later = async {
        tokio::time::sleep(secs(1)).await;
        send(&queue, "a1").await;
        send(&queue, "b1").await;
    };
    let (one, two, ()) = futures::join!(one, two, later);
    assert_eq!(receipts(&one.unwrap()), receipts(&two.unwrap()));
}

// Q8
#[tokio::test(start_paused = true)]
async fn a_standard_queue_ignores_the_id_and_an_ordered_one_refuses_what_the_service_does() {
    let standard = MemoryQueue::new();
    publish(&standard, "a").await;
    lose(&standard, attempt("x")).await;
    assert!(standard.receive(attempt("x")).await.unwrap().is_empty());
    assert!(standard.receive(attempt(" ")).await.is_ok());
    for id in ["", "a b", "é", &"x".repeat(129)] {
        let error = fifo().receive(attempt(id)).await.unwrap_err();
        assert_eq!(error.kind(), QueueErrorKind::Permanent);
        assert!(error.message().contains("1 to 128"), "{error}");
    }
    assert!(fifo().receive(attempt(&"x".repeat(128))).await.is_ok());
}
