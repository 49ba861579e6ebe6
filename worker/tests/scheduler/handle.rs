//! Firing by hand, and the status.

use std::time::Duration;

use tokio::time::sleep;
use worker::{Scheduler, Trigger, TriggerState};

use crate::support::{Notes, ms, only, secondly, secs};

// W12
#[tokio::test(start_paused = true)]
async fn a_trigger_fired_by_hand_runs_now_and_its_beats_stay_where_they_are() {
    let notes = Notes::new();
    let running = secondly().named("fired").start(notes.work(ms(10)));
    sleep(ms(500)).await;
    running.handle().trigger("fired").unwrap().fire();
    sleep(ms(1_000)).await;
    assert_eq!(notes.starts(), [0, 500, 1_000]);
    assert_eq!(running.account().skipped, 0);
}

// W12
#[tokio::test(start_paused = true)]
async fn a_trigger_fired_while_it_runs_does_not_overlap_itself_and_runs_once_more() {
    let notes = Notes::new();
    let running = Trigger::every(secs(100)).named("fired").start(notes.work(secs(1)));
    let trigger = running.handle().trigger("fired").unwrap();
    sleep(ms(500)).await;
    for _ in 0..5 {
        trigger.fire();
    }
    sleep(secs(10)).await;
    assert_eq!((notes.starts(), notes.most_at_once()), (vec![0, 1_000], 1));
}

// W12
#[tokio::test(start_paused = true)]
async fn firing_before_a_run_is_begun_is_that_run() {
    let (hog, fired) = (Notes::new(), Notes::new());
    let running = Scheduler::new()
        .limit(1)
        .add(Trigger::every(secs(100)), hog.work(secs(5)))
        .add(Trigger::every(secs(100)).named("fired").start_delay(secs(1)), fired.work(ms(10)))
        .start();
    sleep(secs(2)).await;
    running.handle().trigger("fired").unwrap().fire();
    sleep(secs(20)).await;
    assert_eq!(fired.starts(), [5_000]);
}

// W12: a fired run that lasts into the next beat
#[tokio::test(start_paused = true)]
async fn beats_that_pass_during_a_fired_run_are_skipped() {
    let notes = Notes::new();
    let running = secondly().start_delay(secs(1)).named("fired").start(notes.work(ms(700)));
    sleep(ms(500)).await;
    running.handle().trigger("fired").unwrap().fire();
    sleep(ms(2_000)).await;
    assert_eq!((notes.starts(), running.account().skipped), (vec![500, 2_000], 1));
}

// W12
#[tokio::test(start_paused = true)]
async fn the_status_says_what_a_trigger_is_at() {
    let notes = Notes::new();
    let running = secondly().named("stats").start_delay(ms(500)).start(notes.work(ms(200)));
    sleep(ms(1)).await;
    let before = only(running.handle().status());
    assert_eq!((before.state, before.last_start, before.last_duration), (TriggerState::Idle, None, None));
    let first = before.next_beat.unwrap();
    sleep(ms(600)).await;
    let during = only(running.handle().status());
    assert_eq!((during.state, during.next_beat, during.account.running), (TriggerState::Running, None, 1));
    sleep(ms(300)).await;
    let after = only(running.handle().status());
    assert_eq!((after.name.as_str(), after.state, after.account.runs()), ("stats", TriggerState::Idle, 1));
    assert_eq!((after.last_start, after.last_duration), (Some(first), Some(ms(200))));
    assert_eq!(after.next_beat, Some(first + Duration::from_secs(1)));
}

#[tokio::test(start_paused = true)]
async fn triggers_are_found_by_name_and_numbered_if_they_have_none() {
    let work = Notes::new();
    let running = Scheduler::new()
        .add(secondly(), work.work(ms(1)))
        .add(secondly().named("stats"), work.work(ms(1)))
        .add(secondly(), work.work(ms(1)))
        .start();
    let names: Vec<_> = running.handle().status().into_iter().map(|status| status.name).collect();
    assert_eq!(names, ["trigger-0", "stats", "trigger-2"]);
    assert!(running.handle().trigger("nobody").is_none());
}

#[test]
#[should_panic(expected = "there is a trigger \"stats\" already")]
fn two_triggers_of_one_name_are_refused() {
    let work = Notes::new();
    let stats = || secondly().named("stats");
    let _scheduler = Scheduler::new().add(stats(), work.work(ms(1))).add(stats(), work.work(ms(1)));
}
