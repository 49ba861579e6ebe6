//! A runner that declines: one run at a time among all that share it. The seam of the semaphore-gated one.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};
use worker::{Run, RunContext, RunOutcome, Runner, Scheduler};

use crate::support::{Notes, ms, secondly, secs};

/// A permit that takes a while to get and a while to give back, as one in a database does, and a longest run.
#[derive(Debug)]
struct Gate {
    permit: Semaphore,
    call: Duration,
    longest: Duration,
}

impl Gate {
    fn new() -> Arc<Self> {
        Arc::new(Self { permit: Semaphore::new(1), call: ms(5), longest: secs(100) })
    }

    fn is_free(&self) -> bool {
        self.permit.available_permits() == 1
    }
}

#[async_trait]
impl Runner for Gate {
    async fn run(&self, run: Run) -> RunOutcome {
        sleep(self.call).await;
        let Ok(permit) = self.permit.try_acquire() else { return RunOutcome::declined("no permit") };
        permit.forget(); // given back by a call, not by a drop
        let token = run.cancel_token();
        let longest = async {
            sleep(self.longest).await;
            token.cancel();
            pending().await
        };
        let outcome = tokio::select! {
            outcome = run.start() => outcome,
            never = longest => never,
        };
        sleep(self.call).await;
        self.permit.add_permits(1);
        outcome
    }
}

// W12
#[tokio::test(start_paused = true)]
async fn triggers_of_several_processes_run_one_at_a_time_through_a_shared_gate() {
    let (gate, notes) = (Gate::new(), Notes::new());
    let processes = [0, 100, 200].map(|delay| {
        let trigger = secondly().start_delay(ms(delay)).through(Arc::clone(&gate));
        Scheduler::new().add(trigger, notes.work(ms(750))).start()
    });
    sleep(secs(100)).await;
    assert_eq!(notes.most_at_once(), 1);
    let declined: u64 = processes.iter().map(|running| running.account().declined).sum();
    assert!(notes.runs().len() >= 99 && declined >= 99, "{} {declined}", notes.runs().len());
}

// W12
#[tokio::test(start_paused = true)]
async fn the_gate_is_free_again_after_an_error_and_a_panic() {
    let gate = Gate::new();
    let panics = async |_: RunContext| -> () { panic!("no") };
    let fails = async |_: RunContext| Err("no");
    let one = secondly().run(Arc::clone(&gate), panics);
    let two = secondly().start_delay(ms(500)).run(Arc::clone(&gate), fails);
    sleep(ms(10_400)).await;
    assert_eq!((one.account().panicked, two.account().failed, gate.is_free()), (11, 10, true));
}

// W12
#[tokio::test(start_paused = true)]
async fn a_run_given_up_by_its_runner_is_dropped_and_the_gate_is_free_again() {
    let gate = Arc::new(Gate { longest: ms(500), ..Arc::into_inner(Gate::new()).unwrap() });
    let running = secondly().run(Arc::clone(&gate), async |_: RunContext| pending::<()>().await);
    sleep(ms(2_900)).await;
    assert_eq!((running.account().cancelled, gate.is_free()), (3, true));
}

// W12
#[tokio::test(start_paused = true)]
async fn a_runner_has_time_to_clean_up_after_an_abort() {
    let gate = Gate::new();
    let running = secondly().run(Arc::clone(&gate), async |_: RunContext| pending::<()>().await);
    sleep(ms(500)).await;
    let start = Instant::now();
    let account = running.stop(secs(2)).await;
    assert_eq!((account.cancelled, gate.is_free(), start.elapsed()), (1, true, ms(2_005)));
}

/// A runner that never returns.
#[derive(Debug)]
struct Stuck;

#[async_trait]
impl Runner for Stuck {
    async fn run(&self, run: Run) -> RunOutcome {
        let _outcome = run.start().await;
        pending().await
    }
}

// W12
#[tokio::test(start_paused = true)]
async fn a_runner_that_never_returns_holds_a_stop_up_for_a_second() {
    let running = secondly().run(Stuck, async |_: RunContext| {});
    sleep(ms(500)).await;
    let start = Instant::now();
    assert_eq!(running.stop(secs(2)).await.cancelled, 1);
    assert_eq!(start.elapsed(), secs(3));
}
