//! The dead-letter queue of an ordered queue.

use super::*;

fn pair(max_receive_count: u32) -> (MemoryQueue, MemoryQueue) {
    let dead = fifo();
    let queue =
        MemoryQueue::builder().ordered().dead_letter(dead.clone(), max_receive_count).build().unwrap();
    (queue, dead)
}

async fn fail(queue: &MemoryQueue, count: usize) {
    for delivery in receive(queue, count).await.into_iter().rev() {
        delivery.release(Duration::ZERO).await.unwrap();
    }
}

// Q7, Q8
#[tokio::test(start_paused = true)]
async fn moved_messages_keep_group_and_order_and_their_group_goes_on() {
    let (queue, dead) = pair(1);
    send(&queue, "a1 a2 b1 a3").await;
    fail(&queue, 2).await;
    assert_eq!(bodies(&receive(&queue, 1).await), ["b1"], "b was free first");
    assert_eq!(bodies(&receive(&queue, 1).await), ["a3"]);
    send(&dead, "a4").await;
    let moved = take(&dead).await;
    assert_eq!(bodies(&moved), ["a1", "a2", "a4"]);
    assert!(moved.iter().all(|delivery| delivery.message().group_key() == Some("a")));
    assert_eq!(queue.counts().dead_lettered, 2);
}

// Q7, Q8
#[tokio::test(start_paused = true)]
async fn a_group_whose_messages_were_all_moved_is_free_for_new_ones() {
    let (queue, dead) = pair(1);
    send(&queue, "a1").await;
    fail(&queue, 1).await;
    assert!(take(&queue).await.is_empty());
    send(&queue, "a2").await;
    assert_eq!(bodies(&take(&queue).await), ["a2"]);
    assert_eq!(bodies(&take(&dead).await), ["a1"]);
}

// Q7, Q8, P43
#[tokio::test(start_paused = true)]
async fn a_move_wakes_who_waits_at_the_dead_letter_queue_unless_the_group_is_in_flight_there() {
    let (queue, dead) = pair(1);
    send(&queue, "a1 b1").await;
    fail(&queue, 2).await;
    send(&dead, "a0").await;
    let blocks = take_one(&dead).await;
    let (after, got) = wait_while(&dead, secs(2), take(&queue)).await;
    assert_eq!((after, bodies(&got)), (secs(2), vec!["b1"]));
    let (after, got) = wait_while(&dead, secs(3), blocks.ack()).await;
    assert_eq!((after, bodies(&got)), (secs(3), vec!["a1"]));
}

// Q9: two messages with one body, told apart by their ids, both arrive
#[tokio::test(start_paused = true)]
async fn a_move_is_not_a_duplicate_and_makes_none() {
    let dead = MemoryQueue::builder().ordered().content_deduplication().build().unwrap();
    let queue = MemoryQueue::builder().ordered().dead_letter(dead.clone(), 1).build().unwrap();
    for id in ["1", "2"] {
        queue.publish_one(outgoing("a").with_deduplication_id(id)).await.unwrap();
    }
    fail(&queue, 2).await;
    assert!(take(&queue).await.is_empty());
    dead.publish_one(Outgoing::new("a").with_group_key("a")).await.unwrap();
    assert_eq!(bodies(&take(&dead).await), ["a", "a", "a"]);
}

// Q8
#[test]
fn the_dead_letter_queue_is_of_the_same_kind() {
    let [ordered, standard] = [fifo(), MemoryQueue::new()];
    for (builder, message) in [
        (
            MemoryQueue::builder().ordered().dead_letter(standard.clone(), 1),
            "an ordered queue needs a dead-letter queue that is ordered too",
        ),
        (
            MemoryQueue::builder().dead_letter(ordered.clone(), 1),
            "a standard queue needs a dead-letter queue that is standard too",
        ),
    ] {
        let error = builder.build().unwrap_err();
        assert_eq!((error.kind(), error.message()), (QueueErrorKind::Permanent, message));
    }
}
