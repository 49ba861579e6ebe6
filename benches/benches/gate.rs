//! What a turn at a poll gate costs: entering and reporting.

use std::hint::black_box;
use std::time::Duration;

use benches::{brief, one_thread};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use queue_core::{MasterGate, OpenGate, Outcome, PollGate, WorkerClass, WorkerName};

/// A poll that brought all it asked for: at the master it opens the gate, at others it leaves it open.
const FULL: Outcome = Outcome::Received { asked: 10, got: 10, waited: Duration::ZERO };
/// A poll that brought nothing: it closes the gate.
const EMPTY: Outcome = Outcome::Received { asked: 10, got: 0, waited: Duration::from_secs(20) };

fn gates(criterion: &mut Criterion) {
    let runtime = one_thread();
    let (master, worker) = (name(0), name(7));
    let mut group = criterion.benchmark_group("gate");
    group.throughput(Throughput::Elements(1));
    group.bench_function("the master, gate closed", |bencher| {
        let gate = MasterGate::new();
        bencher.to_async(&runtime).iter(|| turn(&gate, &master, EMPTY));
    });
    group.bench_function("a worker, gate open", |bencher| {
        let gate = MasterGate::new();
        runtime.block_on(turn(&gate, &master, FULL));
        let polling = runtime.block_on(gate.enter(&master)); // else the worker would be master itself
        bencher.to_async(&runtime).iter(|| turn(&gate, &worker, FULL));
        drop(polling);
    });
    group.bench_function("a worker, no gate", |bencher| {
        bencher.to_async(&runtime).iter(|| turn(&OpenGate, &worker, FULL));
    });
    group.finish();
}

async fn turn(gate: &impl PollGate, who: &WorkerName, outcome: Outcome) {
    black_box(gate.enter(black_box(who)).await).report(outcome);
}

fn name(number: u32) -> WorkerName {
    WorkerName::new(WorkerClass::MAIN, number)
}

criterion_group! {
    name = times;
    config = brief();
    targets = gates
}
criterion_main!(times);
