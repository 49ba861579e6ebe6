//! A receiver of the worker over a claim check.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use queue_core::{Context, MemoryQueue, Message, Outgoing, PublisherExt, Verdict, handler, json};
use queue_sqs::ClaimCheck;
use tokio::time::sleep;
use worker::{Receiver, WorkerClass};

use crate::store::{Fate, FaultyStore, Op};
use crate::support::{KEY, over, pointer, points_to, receive_one, shared, total};

const SECOND: Duration = Duration::from_secs(1);

// W7: a store that is away slows the polls down and ends nothing
#[tokio::test(start_paused = true)]
async fn messages_are_handled_after_the_store_was_away() {
    let store = FaultyStore::when(Op::Get, Fate::Fails);
    let queue = MemoryQueue::new();
    let checked = over(&queue, &store).with_every_body_stored();
    checked.publish_all((0..30).map(|number| Outgoing::new(number.to_string())).collect()).await;
    let running = Receiver::builder(checked)
        .pollers(WorkerClass::MAIN, 3)
        .handler(handler(async |_message: Message, _context: Context| Verdict::Done))
        .start();
    sleep(SECOND * 60).await;
    assert!(store.calls(Op::Get) <= 70, "six receives of ten in a minute: {}", store.calls(Op::Get));
    store.heal();
    sleep(SECOND * 120).await;
    let account = running.stop(SECOND * 20).await;
    assert_eq!((account.handled, total(&queue).await, store.keys().await.len()), (30, 0, 0));
}

#[derive(serde::Deserialize)]
struct Visit {
    _sid: String,
}

// W1, W14
#[tokio::test(start_paused = true)]
async fn a_broken_message_that_is_delivered_moves_to_the_receivers_dead_letter_queue_with_its_pointer() {
    let (store, queue, dead) = (FaultyStore::sound(), MemoryQueue::new(), MemoryQueue::new());
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let judge = move |_visit: Visit, _context: Context| {
        counted.fetch_add(1, Ordering::Relaxed);
        async {}
    };
    let running = Receiver::builder(over(&queue, &store).with_broken_delivered())
        .pollers(WorkerClass::MAIN, 1)
        .dead_letter(over(&dead, &store))
        .handler(json(judge))
        .start();
    points_to(&queue, ("bodies", KEY)).await;
    sleep(SECOND * 5).await;
    running.stop(SECOND).await;
    let copy = receive_one(&dead).await;
    assert_eq!((copy.message().body(), total(&queue).await), (&*pointer("bodies", KEY), 0));
    assert_eq!(copy.message().attributes().text("ExtendedPayloadSize"), Some("5"));
    assert_eq!(calls.load(Ordering::Relaxed), 0);
}

// W1: the copy has a body of its own
#[tokio::test(start_paused = true)]
async fn a_discarded_large_message_is_whole_in_the_dead_letter_queue() {
    let (store, queue, dead) = (FaultyStore::sound(), MemoryQueue::new(), MemoryQueue::new());
    let checked = ClaimCheck::new(queue.clone(), shared(&store), "bodies");
    let body = "x".repeat(2 << 20);
    let running = Receiver::builder(checked.clone())
        .pollers(WorkerClass::MAIN, 1)
        .dead_letter(over(&dead, &store))
        .handler(handler(async |_message: Message, _context: Context| Verdict::discard("never")))
        .start();
    checked.publish_one(Outgoing::new(body.clone())).await.unwrap();
    sleep(SECOND * 5).await;
    running.stop(SECOND).await;
    assert_eq!((total(&queue).await, store.keys().await.len()), (0, 1));
    assert!(receive_one(&over(&dead, &store)).await.message().body() == body);
}
