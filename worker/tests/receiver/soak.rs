//! P28, P53: it neither slows down nor grows in the long run. Memory is measured by the benchmark `memory` (B28).

use std::time::Duration;

use queue_core::{Context, MemoryQueue, Message, Outgoing, PublisherExt, WorkerClass};
use tokio::time::{Instant, sleep};
use worker::{Receiver, handler};

use crate::support::{Seen, note, publish, queue, seconds};

// P28
#[tokio::test(start_paused = true)]
async fn after_an_hour_of_stop_and_go_a_message_still_starts_at_once() {
    let (main, seen) = (queue(30), Seen::default());
    let running = Receiver::builder(main.clone())
        .pollers(WorkerClass::MAIN, 10)
        .handler(handler(note).with(seen.clone()))
        .start();
    for minute in 0..60_u64 {
        publish(&main, 10 + usize::try_from(minute % 7).unwrap()).await;
        sleep(seconds(31 + minute)).await;
    }
    let (before, sent) = (seen.count(), Instant::now());
    publish(&main, 1).await;
    sleep(Duration::from_millis(5)).await;
    assert_eq!((seen.count() - before, seen.all().last().unwrap().2), (1, sent));
    running.stop(seconds(1)).await;
}

// P28
#[tokio::test(start_paused = true)]
async fn ten_messages_a_second_are_handled_as_fast_after_half_an_hour_as_at_first() {
    let (main, seen) = (queue(30), Seen::default());
    let slow = async |seen: Seen, _: Message, context: Context| {
        sleep(Duration::from_millis(800)).await;
        seen.note(&context);
    };
    let running = Receiver::builder(main.clone())
        .pollers(WorkerClass::MAIN, 10)
        .handler(handler(slow).with(seen.clone()))
        .start();
    publish_ten_a_second(&main, 1_800).await;
    sleep(seconds(2)).await;
    assert_eq!((seen.count(), running.stop(seconds(1)).await.lost), (18_000, 0));
}

async fn publish_ten_a_second(queue: &MemoryQueue, seconds: u64) {
    for number in 0..seconds * 10 {
        queue.publish_one(Outgoing::new(number.to_string())).await.unwrap();
        sleep(Duration::from_millis(100)).await;
    }
}
