//! What publishing singly from 64 tasks costs: each message on its own, and gathered into calls of ten.
//!
//! Beside the time of a message it prints the calls that a message took. Where the queue answers at once there is
//! little to gather for; where a call takes its time, gathering decides how many there are.

#![expect(clippy::print_stdout, reason = "the number of calls goes to stdout, beside criterion's times")]

use std::time::Duration;

use benches::{Slow, brief, per, two_threads};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use queue_core::{Coalesced, MemoryQueue, Meter, Metered, Outgoing, Publisher, PublisherExt};
use tokio::task::JoinSet;

const TASKS: usize = 64;
/// Messages that each task publishes, one after the other.
const EACH: usize = 10;

fn coalesced(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("coalesced");
    group.throughput(Throughput::Elements((TASKS * EACH) as u64));
    bench(&mut group, "answers at once, not gathered", quick);
    bench(&mut group, "answers at once, gathered", |meter| Coalesced::new(quick(meter)));
    bench(&mut group, "answers in 2 ms, not gathered", slow);
    bench(&mut group, "answers in 2 ms, gathered", |meter| Coalesced::new(slow(meter)));
    group.finish();
}

fn quick(meter: &Meter) -> Metered<MemoryQueue> {
    Metered::with_meter(MemoryQueue::new(), meter.clone())
}

fn slow(meter: &Meter) -> Metered<Slow<MemoryQueue>> {
    Metered::with_meter(Slow::new(MemoryQueue::new(), |_| Duration::from_millis(2)), meter.clone())
}

/// Times rounds, each on a queue of its own, which is never received from, and prints what the calls came to.
fn bench<Q>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, queue: impl Fn(&Meter) -> Q)
where
    Q: Publisher + Clone + 'static,
{
    let (runtime, meter) = (two_threads(), Meter::new());
    group.bench_function(name, |bencher| {
        bencher.to_async(&runtime).iter(|| publish_singly(queue(&meter)));
    });
    let calls = meter.calls();
    if calls.published > 0 {
        println!("{:24}calls:  {:.4} a message", "", per(calls.publish, calls.published));
    }
}

async fn publish_singly<Q: Publisher + Clone + 'static>(queue: Q) {
    let mut tasks = JoinSet::new();
    for _ in 0..TASKS {
        let queue = queue.clone();
        tasks.spawn(async move {
            for number in 0..EACH {
                let _answer = queue.publish_one(Outgoing::new(number.to_string())).await;
            }
        });
    }
    tasks.join_all().await;
}

criterion_group! {
    name = times;
    config = brief();
    targets = coalesced
}
criterion_main!(times);
