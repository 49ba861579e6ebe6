//! How many calls many callers make: counts, not times.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use futures::future::join_all;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::backend::{Backend, Operation};
use crate::{Coalesced, Consumer, Delivery, Outgoing, PublisherExt, ReceiveOptions};

/// The time that the call or the message of this number takes.
type Time = fn(usize) -> Duration;

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Calls of an operation for each of its entries.
#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn calls_each(backend: &Backend, operation: Operation) -> f64 {
    let sizes = backend.sizes(operation);
    sizes.len() as f64 / sizes.iter().sum::<usize>() as f64
}

async fn publish_singly(queue: Coalesced<Backend>, tasks: usize, each: usize) {
    let publish = |task| {
        let queue = queue.clone();
        async move {
            for turn in 0..each {
                queue.publish_one(Outgoing::new(format!("{task}/{turn}"))).await.unwrap();
            }
        }
    };
    (0..tasks).map(publish).collect::<JoinSet<_>>().join_all().await;
}

/// Receives ahead of `slots` tasks, which handle for a while and ack singly.
async fn consume(queue: &Coalesced<Backend>, slots: usize, messages: usize, handle: Time) {
    let (buffer, deliveries) = mpsc::channel::<Delivery>(10);
    let deliveries = Arc::new(Mutex::new(deliveries));
    let handled = Arc::new(AtomicUsize::new(0));
    let slot = || {
        let (deliveries, handled) = (Arc::clone(&deliveries), Arc::clone(&handled));
        async move {
            loop {
                let next = deliveries.lock().await.recv().await;
                let Some(delivery) = next else { return };
                let pause = handle(handled.fetch_add(1, SeqCst));
                if !pause.is_zero() {
                    sleep(pause).await;
                }
                delivery.ack().await.unwrap();
            }
        }
    };
    let running: JoinSet<_> = (0..slots).map(|_| slot()).collect();
    for _ in 0..messages / 10 {
        for delivery in queue.receive(ReceiveOptions::new(10)).await.unwrap() {
            buffer.send(delivery).await.unwrap();
        }
    }
    drop(buffer);
    running.join_all().await;
}

// B2
#[tokio::test(start_paused = true)]
async fn sixty_four_tasks_that_publish_singly_fill_their_calls() {
    for (name, latency) in LATENCIES {
        let backend = Backend::new().with_latency(latency);
        publish_singly(Coalesced::new(backend.clone()), 64, 200).await;
        let each = calls_each(&backend, Operation::Publish);
        println!("B2, {name}: {each:.4}");
        assert!(each <= 0.12, "{name}: {each}");
    }
}

const LATENCIES: [(&str, Time); 4] = [
    ("10 ms", |_| ms(10)),
    ("5 to 15 ms", |call| ms(5 + (call as u64 * 7919) % 11)),
    ("1 ms", |_| ms(1)),
    ("100 ms", |_| ms(100)),
];

// B1
#[tokio::test(start_paused = true)]
async fn thirty_two_slots_that_ack_singly_fill_their_deletes() {
    for (name, latency) in &LATENCIES[..3] {
        for (how, handle) in HANDLERS {
            let backend = Backend::new().with_latency(*latency);
            consume(&Coalesced::new(backend.clone()), 32, 5_000, handle).await;
            let each = calls_each(&backend, Operation::Delete);
            println!("B1, {name}, handler {how}: {each:.4}");
            assert!(each <= 0.11, "{name}, {how}: {each}");
        }
    }
}

const HANDLERS: [(&str, Time); 3] = [
    ("0 ms", |_| Duration::ZERO),
    ("10 ms", |_| ms(10)),
    ("0 to 40 ms", |message| ms((message as u64 * 7919) % 41)),
];

/// Acks singly, so many every millisecond for a second, while many more are outstanding.
async fn ack_steadily(every_ms: usize) -> f64 {
    let backend = Backend::new().with_latency(|_| ms(10));
    let queue = Coalesced::new(backend.clone());
    let mut acks = JoinSet::new();
    let waiting = queue.receive(ReceiveOptions::new(1_000)).await.unwrap();
    for _ in 0..1_000 {
        let deliveries = queue.receive(ReceiveOptions::new(every_ms)).await.unwrap();
        for delivery in deliveries {
            acks.spawn(delivery.ack());
        }
        sleep(ms(1)).await;
    }
    assert!(acks.join_all().await.iter().all(Result::is_ok));
    assert_eq!(backend.sizes(Operation::Delete).iter().sum::<usize>(), every_ms * 1_000);
    drop(waiting);
    calls_each(&backend, Operation::Delete)
}

// P37
#[tokio::test(start_paused = true)]
async fn five_thousand_acks_a_second_go_ten_to_a_call() {
    let each = ack_steadily(5).await;
    println!("P37: {each:.4}");
    assert!(each <= 0.101, "{each}");
}

// P38
#[tokio::test(start_paused = true)]
async fn a_thousand_acks_a_second_go_ten_to_a_call() {
    let each = ack_steadily(1).await;
    println!("P38: {each:.4}");
    assert!(each <= 0.101, "{each}");
}

// B3
#[tokio::test(start_paused = true)]
async fn five_hundred_extensions_by_their_own_tasks_make_fifty_calls() {
    let backend = Backend::new().with_latency(|_| ms(10));
    let queue = Coalesced::new(backend.clone());
    let mut deliveries = queue.receive(ReceiveOptions::new(500)).await.unwrap();
    let extend = |(number, delivery): (usize, _)| async move {
        sleep(ms((number as u64 * 7919) % 1_000)).await;
        Delivery::extend(delivery, Duration::from_secs(30)).await.unwrap();
    };
    join_all(deliveries.iter_mut().enumerate().map(extend)).await;
    let each = calls_each(&backend, Operation::Change);
    println!("B3: {each:.4}");
    assert!(each <= 0.11, "{each}");
}
