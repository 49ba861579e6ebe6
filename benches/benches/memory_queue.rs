//! What ten messages cost at the memory queue, by how many others wait.
//!
//! Each round publishes ten, receives ten and deletes them; one of the three is timed. The curve should be flat.

use std::time::Duration;

use benches::{brief, delete_all, fill, one_thread};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use queue_core::{Consumer, MemoryQueue, ReceiveOptions};
use tokio::time::Instant;

const WAITING: [usize; 3] = [0, 1_000, 1_000_000];

/// The part of a round that is timed.
#[derive(Clone, Copy)]
enum Part {
    Publish,
    Receive,
    Delete,
}

const PARTS: [(&str, Part); 3] =
    [("publish", Part::Publish), ("receive", Part::Receive), ("delete", Part::Delete)];

fn memory_queue(criterion: &mut Criterion) {
    let runtime = one_thread();
    for waiting in WAITING {
        let queue = MemoryQueue::new();
        runtime.block_on(fill(&queue, waiting, 100));
        for (name, part) in PARTS {
            let mut group = criterion.benchmark_group(format!("memory_queue/{name} 10"));
            group.throughput(Throughput::Elements(10));
            group.bench_function(BenchmarkId::new("waiting", waiting), |bencher| {
                bencher.to_async(&runtime).iter_custom(|rounds| rounds_of(&queue, part, rounds));
            });
            group.finish();
        }
    }
}

async fn rounds_of(queue: &MemoryQueue, part: Part, rounds: u64) -> Duration {
    let mut total = Duration::ZERO;
    for _ in 0..rounds {
        total += round(queue, part).await;
    }
    total
}

async fn round(queue: &MemoryQueue, part: Part) -> Duration {
    let begun = Instant::now();
    fill(queue, 10, 100).await;
    let published = Instant::now();
    let deliveries = queue.receive(ReceiveOptions::new(10)).await.unwrap_or_default();
    let received = Instant::now();
    assert_eq!(deliveries.len(), 10, "messages that were published are received");
    delete_all(deliveries).await;
    match part {
        Part::Publish => published - begun,
        Part::Receive => received - published,
        Part::Delete => received.elapsed(),
    }
}

criterion_group! {
    name = times;
    config = brief();
    targets = memory_queue
}
criterion_main!(times);
