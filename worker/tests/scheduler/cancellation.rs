//! Dropping each public future.

use futures::FutureExt;
use queue_core::CancellationToken;
use tokio::time::sleep;
use worker::{Run, RunContext, RunOutcome, Trigger, Work, work};

use crate::support::{Notes, ms, secondly, secs};

// W12: a dropped stop leaves it stopping
#[tokio::test(start_paused = true)]
async fn a_dropped_stop_goes_on_stopping() {
    let notes = Notes::new();
    let running = secondly().start(notes.work(ms(2_500)));
    sleep(ms(500)).await;
    assert!(running.stop(secs(20)).now_or_never().is_none());
    sleep(secs(10)).await;
    assert_eq!(notes.runs().iter().map(|run| (run.start, run.end)).collect::<Vec<_>>(), [(0, Some(2_500))]);
}

// W12
#[tokio::test(start_paused = true)]
async fn a_dropped_run_drops_its_work() {
    let notes = Notes::new();
    let run = Run::new(notes.work(secs(1)), RunContext::detached("test"));
    assert!(run.start().now_or_never().is_none());
    assert_eq!(notes.runs()[0].end, Some(0));
    drop(Run::new(notes.work(secs(1)), RunContext::detached("test")));
    assert_eq!(notes.runs().len(), 1, "nor does it begin if it is not started");
}

// W12
#[tokio::test(start_paused = true)]
async fn a_run_that_is_given_up_before_it_starts_does_not_begin() {
    let notes = Notes::new();
    let run = Run::new(notes.work(secs(1)), RunContext::detached("test"));
    run.cancel_token().cancel();
    assert_eq!((run.start().await, notes.runs().len()), (RunOutcome::Cancelled, 0));
}

// W12
#[tokio::test(start_paused = true)]
async fn dropped_work_is_dropped_where_it_waits() {
    let dropped = CancellationToken::new();
    let waits = async |dropped: CancellationToken, _: RunContext| {
        let _guard = dropped.drop_guard();
        sleep(secs(1)).await;
    };
    let waits = work(waits).with(dropped.clone());
    assert!(waits.run(RunContext::detached("test")).now_or_never().is_none());
    assert!(dropped.is_cancelled());
}

// W12
#[test]
fn a_runtime_that_ends_takes_everything_along() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let (notes, running) = runtime.block_on(async {
        let notes = Notes::new();
        let running = Trigger::every(secs(1)).start(notes.work(secs(10)));
        sleep(secs(5)).await;
        (notes, running)
    });
    drop(runtime);
    assert!(notes.runs()[0].end.is_some());
    assert_eq!(running.account().runs(), 0);
}
