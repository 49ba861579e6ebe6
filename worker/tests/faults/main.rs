//! The receiver over queues that fail at random, seed by seed: nothing is lost, no message is handled twice at once,
//! and every delivery is accounted for.
//!
//! A failure names its seed; `FAULTS_SEED=17 cargo test -p worker --test faults` runs that one alone.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "the helpers of tests fail as tests do, and say so"
)]

mod house;
mod labour;
mod plan;
#[path = "../cancellation/watch.rs"]
mod watch;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use tokio::runtime::Builder;

use house::House;
use plan::Plan;

const SEEDS: u64 = 200;

fn seeds() -> Vec<u64> {
    let one = std::env::var("FAULTS_SEED").ok().and_then(|seed| seed.parse().ok());
    one.map_or_else(|| (0..SEEDS).collect(), |seed| vec![seed])
}

fn run(seed: u64, ordered: bool) {
    fastrand::seed(seed);
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let ended = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(async { House::build(Plan::new(seed, ordered)).await.live().await });
    }));
    if let Err(panic) = ended {
        eprintln!("FAULTS_SEED={seed}, ordered: {ordered}");
        resume_unwind(panic);
    }
}

// W1 to W10, Q3, Q6, Q12
#[test]
fn a_standard_queue_that_fails_at_random_loses_nothing() {
    for seed in seeds() {
        run(seed, false);
    }
}

// W11, Q8
#[test]
fn an_ordered_queue_that_fails_at_random_keeps_its_order_too() {
    for seed in seeds() {
        run(seed, true);
    }
}
