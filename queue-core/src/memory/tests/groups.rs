//! Ordered groups: who gets what, and what has to wait.

use super::*;

// Q8
#[tokio::test(start_paused = true)]
async fn an_ordered_queue_says_so() {
    let queue = fifo();
    assert!(queue.receive_limits().ordered && crate::Publisher::limits(&queue).ordered);
    let standard = MemoryQueue::new();
    assert!(!standard.receive_limits().ordered && !crate::Publisher::limits(&standard).ordered);
}

// Q8
#[tokio::test(start_paused = true)]
async fn a_receive_brings_several_of_a_group_in_order_and_no_other_gets_that_group() {
    let queue = fifo();
    send(&queue, "a1 a2 b1 a3").await;
    let first = receive(&queue, 2).await;
    assert_eq!(bodies(&first), ["a1", "a2"]);
    let others = take(&queue).await;
    assert_eq!(bodies(&others), ["b1"]);
    for delivery in first {
        assert!(take(&queue).await.is_empty());
        delivery.ack().await.unwrap();
    }
    assert_eq!(bodies(&take(&queue).await), ["a3"]);
}

// Q8
#[tokio::test(start_paused = true)]
async fn a_receive_takes_what_it_can_of_one_group_and_then_of_the_next() {
    let queue = fifo();
    send(&queue, "a1 b1 a2 c1 b2 a3").await;
    assert_eq!(bodies(&receive(&queue, 4).await), ["a1", "a2", "a3", "b1"]);
    assert_eq!(bodies(&take(&queue).await), ["c1"]);
}

// Q8, P42
#[tokio::test(start_paused = true)]
async fn a_failed_message_is_not_overtaken_by_those_that_came_with_it() {
    let queue = fifo();
    send(&queue, "a1 a2 a3").await;
    let [one, two, three]: [_; 3] = take(&queue).await.try_into().unwrap();
    one.release(Duration::ZERO).await.unwrap();
    assert!(take(&queue).await.is_empty(), "2 and 3 are in flight still");
    two.ack().await.unwrap();
    assert!(take(&queue).await.is_empty(), "3 is in flight still");
    three.release(secs(5)).await.unwrap();
    advance(secs(5)).await;
    assert_eq!(bodies(&take(&queue).await), ["a1", "a3"]);
}

// Q8, P42
#[tokio::test(start_paused = true)]
async fn an_expired_message_is_not_overtaken() {
    let queue = fifo();
    send(&queue, "a1 a2 a3").await;
    let mut held = take(&queue).await;
    held[2].extend(secs(40)).await.unwrap();
    advance(secs(30)).await;
    send(&queue, "a4").await;
    assert!(take(&queue).await.is_empty());
    advance(secs(10)).await;
    assert_eq!(bodies(&take(&queue).await), ["a1", "a2", "a3", "a4"]);
    held.into_iter().for_each(Delivery::forget);
}

// Q8
#[tokio::test(start_paused = true)]
async fn a_receive_never_skips_a_hidden_head() {
    let queue = fifo();
    send(&queue, "a1 a2").await;
    let head = receive(&queue, 1).await.remove(0);
    head.release(secs(10)).await.unwrap();
    assert!(take(&queue).await.is_empty());
    advance(secs(10)).await;
    assert_eq!(bodies(&receive(&queue, 1).await), ["a1"]);
}

// Q5, Q8, P43
#[tokio::test(start_paused = true)]
async fn a_waiting_receive_wakes_as_soon_as_a_group_is_free() {
    let queue = fifo();
    send(&queue, "a1 a2").await;
    let first = receive(&queue, 1).await.remove(0);
    let (after, mut got) = wait_while(&queue, secs(3), first.ack()).await;
    assert_eq!((after, bodies(&got)), (secs(3), vec!["a2"]));
    let (after, mut got) = wait_while(&queue, secs(4), got.remove(0).release(Duration::ZERO)).await;
    assert_eq!((after, bodies(&got)), (secs(4), vec!["a2"]));
    let (after, mut got) = wait_while(&queue, secs(1), got.remove(0).release(secs(6))).await;
    assert_eq!((after, bodies(&got)), (secs(7), vec!["a2"]));
    got[0].extend(secs(11)).await.unwrap();
    let (after, again) = wait_while(&queue, Duration::ZERO, async {}).await;
    assert_eq!((after, bodies(&again)), (secs(11), vec!["a2"]));
    got.into_iter().for_each(Delivery::forget);
}

// Q8, P43: the last of the group to be settled frees it, whichever that is
#[tokio::test(start_paused = true)]
async fn the_last_in_flight_message_of_a_group_frees_it_for_one_waiting_receive() {
    let queue = fifo();
    send(&queue, "a1 a2 a3 a4").await;
    let mut held = receive(&queue, 3).await;
    let last = held.remove(1);
    for delivery in held {
        let (after, got) = timed(queue.receive(ReceiveOptions::new(1).with_wait(secs(1)))).await;
        assert_eq!((after, got.unwrap().len()), (secs(1), 0));
        delivery.ack().await.unwrap();
    }
    let (after, got) = wait_while(&queue, secs(2), last.ack()).await;
    assert_eq!((after, bodies(&got)), (secs(2), vec!["a4"]));
}

// Q8
#[tokio::test(start_paused = true)]
async fn a_long_group_does_not_starve_the_others() {
    let queue = fifo();
    let long: Vec<_> = (0..100).map(|n| format!("a{n}")).collect();
    send(&queue, &long.join(" ")).await;
    send(&queue, "b1 c1 c2").await;
    let mut order = Vec::new();
    for _ in 0..8 {
        for delivery in receive(&queue, 2).await {
            order.push(delivery.message().body().to_owned());
            delivery.ack().await.unwrap();
        }
    }
    assert_eq!(order[..9], ["a0", "a1", "b1", "c1", "a2", "a3", "c2", "a4", "a5"]);
}

// Q8: by who could be received from first, not by who was published first
#[tokio::test(start_paused = true)]
async fn groups_take_turns_by_since_when_they_are_free() {
    let queue = fifo();
    send(&queue, "a1 b1 c1").await;
    let [a, b, c]: [_; 3] = take(&queue).await.try_into().unwrap();
    c.release(Duration::ZERO).await.unwrap();
    b.release(secs(3)).await.unwrap();
    a.release(secs(5)).await.unwrap();
    send(&queue, "d1").await;
    advance(secs(10)).await;
    assert_eq!(bodies(&take(&queue).await), ["c1", "d1", "b1", "a1"]);
}

// Q8, P1
#[tokio::test(start_paused = true)]
async fn a_delete_or_a_change_after_the_timeout_is_lost_and_the_message_comes_again() {
    let queue = fifo();
    send(&queue, "a1 a2").await;
    let late = receive(&queue, 1).await.remove(0);
    advance(secs(30)).await;
    assert_eq!(kind(change(&late, secs(30)).await), QueueErrorKind::Lost);
    assert_eq!(kind(delete(&late).await), QueueErrorKind::Lost);
    let again = receive(&queue, 1).await.remove(0);
    assert_eq!((again.message().body(), again.message().receive_count()), ("a1", 2));
    assert_eq!(kind(delete(&late).await), QueueErrorKind::Lost);
    again.ack().await.unwrap();
    delete(&late).await.unwrap(); // P36
    late.forget();
}

// Q8: as at the service, a receipt of no time is good for nothing
#[tokio::test(start_paused = true)]
async fn a_visibility_of_zero_blocks_no_group_and_its_receipts_do_nothing() {
    let queue = fifo();
    send(&queue, "a1 a2 b1").await;
    for _ in 0..2 {
        let peeked = queue.receive(short().with_visibility(Duration::ZERO)).await.unwrap();
        assert_eq!(bodies(&peeked), ["a1", "a2", "b1"]);
        assert_eq!(kind(delete(&peeked[0]).await), QueueErrorKind::Lost);
        peeked.into_iter().for_each(Delivery::forget);
    }
    assert_eq!(depth(&queue).await, Depth::new(3, 0, 0));
}

// Q8, Q10
#[tokio::test(start_paused = true)]
async fn a_head_that_is_older_than_the_retention_frees_its_group() {
    let queue = MemoryQueue::builder().ordered().retention(secs(60)).build().unwrap();
    send(&queue, "a1").await;
    advance(secs(45)).await;
    send(&queue, "a2").await;
    let mut head = receive(&queue, 1).await.remove(0);
    head.extend(secs(3600)).await.unwrap();
    let (after, got) = wait_while(&queue, Duration::ZERO, async {}).await;
    assert_eq!((after, bodies(&got)), (secs(15), vec!["a2"]));
    head.forget();
}

// Q8
#[tokio::test(start_paused = true)]
async fn the_delay_of_the_queue_holds_for_every_message_and_one_of_its_own_is_refused() {
    let queue = MemoryQueue::builder().ordered().delay(secs(10)).build().unwrap();
    send(&queue, "a1").await;
    advance(secs(4)).await;
    send(&queue, "a2").await;
    advance(secs(6)).await;
    assert_eq!(depth(&queue).await, Depth::new(1, 0, 1));
    take_one(&queue).await.ack().await.unwrap();
    let (after, got) = wait_while(&queue, Duration::ZERO, async {}).await;
    assert_eq!((after, bodies(&got)), (secs(4), vec!["a2"]));
    let refused = queue.publish_one(outgoing("a3").with_delay(secs(1))).await.unwrap_err();
    assert!(refused.error().message().contains("no delay on a single message"));
    let refused = queue.publish_one(Outgoing::new("x").with_deduplication_id("x")).await.unwrap_err();
    assert!(refused.error().message().contains("needs a group key"));
}

// Q8
#[tokio::test(start_paused = true)]
async fn the_in_flight_cap_cuts_a_group_between_two_of_its_messages() {
    let queue = MemoryQueue::builder().ordered().in_flight(2).build().unwrap();
    send(&queue, "a1 a2 a3 b1").await;
    let held = take(&queue).await;
    assert_eq!(bodies(&held), ["a1", "a2"]);
    assert_eq!(queue.receive(short()).await.unwrap_err().kind(), QueueErrorKind::Transient);
    let first = held.into_iter().next().unwrap();
    first.ack().await.unwrap();
    assert_eq!(bodies(&take(&queue).await), ["b1"]);
}

// Q8
#[tokio::test(start_paused = true)]
async fn purging_frees_every_group() {
    let queue = fifo();
    send(&queue, "a1 a2 b1").await;
    let held = receive(&queue, 1).await;
    queue.purge().await.unwrap();
    assert!(take(&queue).await.is_empty());
    send(&queue, "a3").await;
    assert_eq!(bodies(&take(&queue).await), ["a3"]);
    held.into_iter().for_each(Delivery::forget);
}
