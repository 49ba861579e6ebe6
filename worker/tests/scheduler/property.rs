//! Random triggers: they never overlap, never beat twice, never exceed the limit, never starve.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use tokio::time::{Instant, sleep, sleep_until};
use worker::{RunContext, RunningScheduler, Scheduler, Trigger, work};

use crate::support::{Notes, ms, secs};

const LONGEST_RUN: u64 = 3_000;

/// A trigger and how long its runs take, one after the other and again from the first; milliseconds.
#[derive(Clone, Debug)]
struct Case {
    interval: u64,
    jitter: u64,
    delay: u64,
    lengths: Vec<u64>,
}

fn case() -> impl Strategy<Value = Case> {
    let lengths = vec(prop_oneof![0..50_u64, 0..LONGEST_RUN], 1..5);
    (20..2_000_u64, 0..100_u64, 0..3_000_u64, lengths).prop_map(|(interval, jitter, delay, lengths)| Case {
        interval,
        jitter: interval * jitter / 100,
        delay,
        lengths,
    })
}

/// Starts the triggers; each notes its own runs, and `all` those of all.
fn start(cases: &[Case], limit: usize, all: &Notes) -> (RunningScheduler, Vec<Notes>) {
    let notes: Vec<_> = cases.iter().map(|_| Notes::new()).collect();
    let mut scheduler = Scheduler::new().limit(limit);
    for (case, own) in cases.iter().zip(&notes) {
        let trigger = Trigger::every(ms(case.interval)).jitter(ms(case.jitter)).start_delay(ms(case.delay));
        let state = (own.clone(), all.clone(), case.lengths.clone(), Arc::new(AtomicUsize::new(0)));
        let takes = async |(own, all, lengths, turn): (Notes, Notes, Vec<u64>, Arc<AtomicUsize>),
                           context: RunContext| {
            let length = lengths[turn.fetch_add(1, Ordering::Relaxed) % lengths.len()];
            let _end = all.begin(&context);
            own.note(&context, ms(length)).await;
        };
        scheduler = scheduler.add(trigger, work(takes).with(state));
    }
    (scheduler.start(), notes)
}

/// Pauses and resumes by turns, after each of `pauses`; ends a minute after it began.
async fn play(running: &RunningScheduler, pauses: &[u64]) {
    let end = Instant::now() + secs(60);
    for (pause, turn) in pauses.iter().zip(0..) {
        sleep(ms(*pause)).await;
        let handle = running.handle();
        if turn % 2 == 0 { handle.pause() } else { handle.resume() }
    }
    running.handle().resume();
    sleep_until(end).await;
}

/// How many points of the grid lie before `time`, in milliseconds.
fn points_before(case: &Case, time: u64) -> u64 {
    time.saturating_sub(case.delay).div_ceil(case.interval)
}

fn check_one(case: &Case, own: &Notes, wait: u64) {
    let runs = own.runs();
    assert!(runs.is_sorted_by(|one, next| one.end.unwrap() <= next.start), "it overlaps itself: {runs:?}");
    assert!(runs.is_sorted_by(|one, next| one.due < next.due), "two runs for one beat: {runs:?}");
    let Some(first) = runs.first() else { return };
    for run in &runs {
        let after = run.due.duration_since(first.due).unwrap();
        assert_eq!(after.as_nanos() % ms(case.interval).as_nanos(), 0, "off the grid: {runs:?}");
        let due = first_due(case, first.start) + u64::try_from(after.as_millis()).unwrap();
        assert!(run.start <= due + case.jitter + 1 + wait, "it starved: {run:?} was due at {due}");
    }
}

/// The latest point of the grid that a run started at `start` can be for.
fn first_due(case: &Case, start: u64) -> u64 {
    case.delay + (start - case.delay) / case.interval * case.interval
}

async fn check(cases: Vec<Case>, limit: usize, pauses: Vec<u64>) {
    let all = Notes::new();
    let opened = Instant::now();
    let (running, notes) = start(&cases, limit, &all);
    play(&running, &pauses).await;
    let handle = running.handle();
    running.stop(Duration::from_hours(1)).await;
    let end = u64::try_from(opened.elapsed().as_millis()).unwrap();

    assert!(all.most_at_once() <= limit, "{} at once, of {limit}", all.most_at_once());
    for ((case, own), status) in cases.iter().zip(&notes).zip(handle.status()) {
        check_one(case, own, cases.len() as u64 * LONGEST_RUN);
        let account = status.account;
        assert_eq!(account.succeeded, own.runs().len() as u64);
        let beats = account.succeeded + account.skipped + account.held;
        let (least, most) = (points_before(case, 60_000 - case.jitter), points_before(case, end + 1));
        assert!((least..=most).contains(&beats), "{beats} beats of {least} to {most}: {account:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    // W12
    #[test]
    fn random_triggers_keep_every_promise(
        cases in vec(case(), 1..7),
        limit in 1..4_usize,
        pauses in vec(0..10_000_u64, 0..6),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(check(cases, limit, pauses));
    }
}
