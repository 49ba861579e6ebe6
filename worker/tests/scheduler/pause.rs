//! Pause and resume: the whole scheduler as a read-only mode, and one trigger.

use tokio::time::sleep;
use worker::{RunningScheduler, Scheduler, Trigger};

use crate::support::{Notes, ms, secondly, secs};

/// "writes" and "reads", each second; reads survive a pause.
fn two(writes: &Notes, reads: &Notes) -> Scheduler {
    Scheduler::new()
        .add(secondly().named("writes"), writes.work(ms(10)))
        .add(secondly().named("reads").runs_when_paused(true), reads.work(ms(10)))
}

fn held(running: &RunningScheduler, name: &str) -> u64 {
    running.handle().trigger(name).unwrap().status().account.held
}

// W12
#[tokio::test(start_paused = true)]
async fn a_pause_holds_all_but_the_triggers_that_were_chosen() {
    let (writes, reads) = (Notes::new(), Notes::new());
    let running = two(&writes, &reads).start();
    sleep(ms(1_500)).await;
    running.handle().pause();
    sleep(secs(3)).await;
    running.handle().resume();
    sleep(secs(2)).await;
    assert_eq!(writes.starts(), [0, 1_000, 5_000, 6_000], "on its grid, and nothing is made up");
    assert_eq!(reads.starts(), [0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000]);
    assert_eq!((held(&running, "writes"), held(&running, "reads")), (3, 0));
    assert_eq!(running.account().skipped, 0);
}

// W12
#[tokio::test(start_paused = true)]
async fn one_trigger_is_paused_by_its_handle_in_any_case() {
    let (writes, reads) = (Notes::new(), Notes::new());
    let running = two(&writes, &reads).start();
    let handle = running.handle().trigger("reads").unwrap();
    sleep(ms(500)).await;
    handle.pause();
    sleep(secs(2)).await;
    assert!(handle.status().paused && !running.handle().is_paused());
    handle.resume();
    running.handle().resume();
    sleep(secs(1)).await;
    assert_eq!((reads.starts(), writes.runs().len()), (vec![0, 3_000], 4));
}

// W12
#[tokio::test(start_paused = true)]
async fn what_runs_when_it_is_paused_goes_on_to_its_end() {
    let notes = Notes::new();
    let running = secondly().start(notes.work(ms(400)));
    sleep(ms(100)).await;
    running.handle().pause();
    sleep(secs(5)).await;
    assert_eq!(notes.runs().iter().map(|run| run.end).collect::<Vec<_>>(), [Some(400)]);
    assert_eq!(running.account().succeeded, 1);
}

// W12
#[tokio::test(start_paused = true)]
async fn a_beat_that_waits_for_a_place_is_held_when_it_is_paused_meanwhile() {
    let (hog, waits) = (Notes::new(), Notes::new());
    let running = Scheduler::new()
        .limit(1)
        .add(Trigger::every(secs(100)), hog.work(secs(5)))
        .add(Trigger::every(secs(100)).named("waits").start_delay(secs(1)), waits.work(ms(10)))
        .start();
    sleep(secs(2)).await;
    running.handle().pause();
    sleep(secs(10)).await;
    assert_eq!((waits.runs().len(), held(&running, "waits")), (0, 1));
}

// W12
#[tokio::test(start_paused = true)]
async fn it_may_start_paused_and_be_fired_by_hand() {
    let (writes, reads) = (Notes::new(), Notes::new());
    let running = two(&writes, &reads).start_paused().start();
    sleep(ms(500)).await;
    assert_eq!((writes.runs().len(), reads.runs().len()), (0, 1));
    running.handle().trigger("writes").unwrap().fire();
    sleep(ms(100)).await;
    assert_eq!(writes.starts(), [500]);
}

// W12: at a thousand instants, and as often again
#[tokio::test(start_paused = true)]
async fn pausing_at_any_instant_holds_exactly_the_beats_in_between() {
    for instant in 0..1_000 {
        let notes = Notes::new();
        let running = Trigger::every(ms(10)).start(notes.work(ms(instant % 9)));
        let handle = running.handle();
        sleep(ms(instant % 53)).await;
        handle.pause();
        let paused = instant % 53;
        sleep(ms(instant % 71)).await;
        handle.resume();
        sleep(ms(30)).await;
        let between = |start: &u64| *start > paused && *start < paused + instant % 71;
        assert!(!notes.starts().iter().any(between), "{instant}: {:?}", notes.starts());
        assert!(notes.starts().iter().all(|start| start % 10 == 0), "{instant}: {:?}", notes.starts());
        let account = running.stop(secs(1)).await;
        let beats = (instant % 53 + instant % 71 + 30) / 10;
        assert!((beats..=beats + 1).contains(&(account.succeeded + account.held)), "{instant}: {account:?}");
    }
}
