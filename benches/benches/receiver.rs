//! What a receiver costs over a loop by hand: messages a second from publish to delete, with a handler that does
//! nothing.
//!
//! The loop by hand receives ten, deletes them in one call, and does nothing else: no slots, no renewal, no spans, no
//! account. Over a memory queue, which answers at once, all that a receiver adds is seen; over a network it drowns in
//! the time of the calls.

use std::sync::Arc;
use std::time::Duration;

use benches::{brief, delete_all, fill, one_thread, two_threads};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use queue_core::{Consumer, Context, MemoryQueue, Message, ReceiveOptions, WorkerClass};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use worker::{Receiver, handler};

/// Messages in a round: enough that starting and stopping a receiver hardly count.
const MESSAGES: usize = 2_000;

fn receiver(criterion: &mut Criterion) {
    side_by_side(criterion, "receiver, one thread", &one_thread());
    side_by_side(criterion, "receiver, two threads", &two_threads());
}

fn side_by_side(criterion: &mut Criterion, name: &str, runtime: &Runtime) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(MESSAGES as u64));
    group.bench_function("publish only", |bencher| {
        bencher.to_async(runtime).iter(|| async { fill(&MemoryQueue::new(), MESSAGES, 100).await });
    });
    group.bench_function("loop by hand", |bencher| bencher.to_async(runtime).iter(by_hand));
    group.bench_function("receiver, 1 slot", |bencher| bencher.to_async(runtime).iter(|| received(1)));
    group.bench_function("receiver, 32 slots", |bencher| bencher.to_async(runtime).iter(|| received(32)));
    group.finish();
}

async fn by_hand() {
    let queue = MemoryQueue::new();
    fill(&queue, MESSAGES, 100).await;
    let mut handled = 0;
    while handled < MESSAGES {
        let deliveries = queue.receive(ReceiveOptions::new(10)).await.unwrap_or_default();
        handled += deliveries.len();
        delete_all(deliveries).await;
    }
}

/// Stops the receiver when the last message is handled; that waits until all of them are deleted.
async fn received(slots: usize) {
    let queue = MemoryQueue::new();
    fill(&queue, MESSAGES, 100).await;
    let handled = Arc::new(Semaphore::new(0));
    let running = Receiver::builder(queue)
        .pollers(WorkerClass::MAIN, 1)
        .slots(slots)
        .handler(handler(count).with(Arc::clone(&handled)))
        .start();
    let all = u32::try_from(MESSAGES).unwrap_or(u32::MAX);
    let _all = handled.acquire_many(all).await;
    let account = running.stop(Duration::from_secs(10)).await;
    assert_eq!(account.handled, u64::from(all), "what was handled is deleted");
}

/// Does nothing but say that it ran.
async fn count(handled: Arc<Semaphore>, _message: Message, _context: Context) {
    handled.add_permits(1);
}

criterion_group! {
    name = times;
    config = brief();
    targets = receiver
}
criterion_main!(times);
