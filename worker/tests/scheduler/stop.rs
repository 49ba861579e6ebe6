//! Stop, drain, abort.

use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use queue_core::CancellationToken;
use tokio::time::{Instant, sleep, timeout};
use worker::{RunContext, RunningScheduler, Scheduler, Trigger, TriggerState, work};

use crate::support::{Notes, ms, only, secondly, secs};

// W12
#[tokio::test(start_paused = true)]
async fn runs_are_awaited_and_there_are_no_new_ones() {
    let notes = Notes::new();
    let running = secondly().start(notes.work(ms(2_500)));
    let handle = running.handle();
    sleep(ms(500)).await;
    let start = Instant::now();
    let account = running.stop(secs(20)).await;
    assert_eq!(start.elapsed(), secs(2), "it waits no longer than it must");
    assert_eq!((account.succeeded, account.skipped, account.running), (1, 2, 0));
    handle.trigger("trigger-0").unwrap().fire();
    sleep(secs(10)).await;
    assert_eq!((notes.runs().len(), only(handle.status()).state), (1, TriggerState::Stopped));
}

// W12
#[tokio::test(start_paused = true)]
async fn an_idle_one_stops_at_once() {
    let running = Trigger::every(secs(60)).start_delay(secs(60)).start(Notes::new().work(ms(10)));
    sleep(secs(1)).await;
    let start = Instant::now();
    assert_eq!(running.stop(secs(20)).await.runs(), 0);
    assert_eq!(start.elapsed(), Duration::ZERO);
}

// W12
#[tokio::test(start_paused = true)]
async fn runs_past_the_grace_are_told_and_then_dropped() {
    let (told, dropped) = (CancellationToken::new(), CancellationToken::new());
    let never = async |(told, dropped): (CancellationToken, CancellationToken), context: RunContext| {
        let _guard = dropped.drop_guard();
        context.cancelled().cancelled().await;
        told.cancel();
        pending::<()>().await;
    };
    let running = secondly().start(work(never).with((told.clone(), dropped.clone())));
    sleep(ms(100)).await;
    let start = Instant::now();
    let account = running.stop(secs(20)).await;
    assert_eq!(start.elapsed(), secs(20));
    assert_eq!((account.cancelled, account.succeeded), (1, 0));
    assert!(told.is_cancelled() && dropped.is_cancelled());
}

// W12
#[tokio::test(start_paused = true)]
async fn a_run_that_ends_as_soon_as_it_is_told_has_its_own_outcome() {
    let polite = async |context: RunContext| {
        context.cancelled().cancelled().await;
        Err("told to end")
    };
    let running = secondly().start(polite);
    sleep(ms(100)).await;
    let account = running.stop(secs(1)).await;
    assert_eq!((account.failed, account.cancelled), (1, 0));
}

// W12
#[tokio::test(start_paused = true)]
async fn a_long_run_hears_that_it_stops_before_the_grace_ends() {
    let long = async |context: RunContext| {
        tokio::select! {
            () = context.stopping().cancelled() => {}
            () = sleep(secs(3_600)) => {}
        }
    };
    let running = secondly().start(long);
    sleep(secs(5)).await;
    let start = Instant::now();
    assert_eq!(running.stop(secs(20)).await.succeeded, 1);
    assert_eq!(start.elapsed(), Duration::ZERO);
}

// W12
#[tokio::test(start_paused = true)]
async fn a_beat_that_waits_for_a_place_at_stop_is_skipped() {
    let (hog, waits) = (Notes::new(), Notes::new());
    let running = Scheduler::new()
        .limit(1)
        .add(Trigger::every(secs(100)), hog.work(secs(5)))
        .add(Trigger::every(secs(100)).start_delay(secs(1)), waits.work(ms(10)))
        .start();
    sleep(secs(2)).await;
    let account = running.stop(secs(20)).await;
    assert_eq!((account.succeeded, account.skipped, waits.runs().len()), (1, 1, 0));
}

// W12
#[tokio::test(start_paused = true)]
async fn a_run_may_stop_its_own_scheduler() {
    let mine = CancellationToken::new();
    let stops = async |mine: CancellationToken, _: RunContext| mine.cancel();
    let running = Scheduler::new().stop_on(&mine).add(secondly(), work(stops).with(mine.clone())).start();
    timeout(secs(60), running.stop_token().cancelled()).await.unwrap();
    sleep(secs(10)).await;
    assert_eq!(running.stop(secs(20)).await.succeeded, 1);
}

type Slot = Arc<Mutex<Option<RunningScheduler>>>;

// W12: it waits for itself until its grace has passed, and no longer
#[tokio::test(start_paused = true)]
async fn a_run_that_awaits_the_stop_of_its_own_scheduler_is_dropped_after_the_grace() {
    let awaits = async |slot: Slot, _: RunContext| {
        let running = slot.lock().unwrap().take();
        running.unwrap().stop(secs(5)).await;
    };
    let slot = Slot::default();
    let running = secondly().start_delay(secs(1)).start(work(awaits).with(Arc::clone(&slot)));
    let handle = running.handle();
    *slot.lock().unwrap() = Some(running);
    sleep(secs(7)).await;
    let status = only(handle.status());
    assert_eq!((status.state, status.account.cancelled), (TriggerState::Stopped, 1));
}

// W12
#[tokio::test(start_paused = true)]
async fn a_token_that_stops_several_is_not_cancelled_by_one() {
    let (all, notes) = (CancellationToken::new(), Notes::new());
    let one = Scheduler::new().stop_on(&all).add(secondly(), notes.work(ms(10))).start();
    let two = Scheduler::new().stop_on(&all).add(secondly(), notes.work(ms(10))).start();
    one.stop(secs(1)).await;
    assert!(!all.is_cancelled() && !two.stop_token().is_cancelled());
    all.cancel();
    sleep(ms(1)).await;
    assert!(two.stop_token().is_cancelled());
}

// W12
#[tokio::test(start_paused = true)]
async fn dropping_it_stops_it_and_lets_runs_end() {
    let notes = Notes::new();
    let running = secondly().start(notes.work(ms(2_500)));
    sleep(ms(500)).await;
    drop(running);
    sleep(secs(10)).await;
    assert_eq!(notes.runs().iter().map(|run| (run.start, run.end)).collect::<Vec<_>>(), [(0, Some(2_500))]);
}

// W12
#[tokio::test(start_paused = true)]
async fn nothing_of_it_lives_on_after_stop() {
    let state = Arc::new(());
    let keeps = async |_: Arc<()>, _: RunContext| {};
    let running = secondly().start(work(keeps).with(Arc::clone(&state)));
    sleep(secs(1)).await;
    running.stop(secs(1)).await;
    assert_eq!(Arc::strong_count(&state), 1);
}

// W12: at a thousand instants
#[tokio::test(start_paused = true)]
async fn stopping_at_any_instant_accounts_for_every_run() {
    for instant in 0..1_000 {
        let notes = Notes::new();
        let mut scheduler = Scheduler::new().limit(2);
        for number in 1..=4 {
            scheduler =
                scheduler.add(Trigger::every(ms(3 * number)).jitter(ms(2)), notes.work(ms(2 * number)));
        }
        let running = scheduler.start();
        sleep(Duration::from_micros(instant * 137)).await;
        let account = timeout(secs(60), running.stop(ms(instant % 7))).await.unwrap();
        let runs = notes.runs();
        assert_eq!(account.succeeded + account.cancelled, runs.len() as u64, "{instant}: {account:?}");
        assert!(runs.iter().all(|run| run.end.is_some()) && account.running == 0, "{instant}: {account:?}");
    }
}
