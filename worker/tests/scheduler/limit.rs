//! The bound on runs at once, and who is next.

use std::sync::{Arc, Mutex};

use tokio::time::sleep;
use worker::{RunContext, Scheduler, Trigger, TriggerState, work};

use crate::support::{Notes, ms, secondly, secs};

// W12
#[tokio::test(start_paused = true)]
async fn there_are_never_more_runs_at_once_than_the_limit() {
    let notes = Notes::new();
    let mut scheduler = Scheduler::new().limit(3);
    for number in 0..10 {
        scheduler =
            scheduler.add(secondly().start_delay(ms(number * 37)), notes.work(ms(400 + 100 * number)));
    }
    let running = scheduler.start();
    sleep(secs(100)).await;
    assert_eq!((notes.most_at_once(), running.account().running), (3, 3));
    running.stop(secs(10)).await;
}

// W12
#[tokio::test(start_paused = true)]
async fn beats_get_a_place_in_the_order_they_came() {
    let order = Arc::new(Mutex::new(Vec::new()));
    let note = async |order: Arc<Mutex<Vec<String>>>, context: RunContext| {
        order.lock().unwrap().push(context.trigger().to_owned());
        sleep(ms(700)).await;
    };
    let mut scheduler = Scheduler::new().limit(1);
    for (name, delay) in [("third", 30), ("first", 10), ("fourth", 40), ("second", 20)] {
        let trigger = Trigger::every(secs(10)).named(name).start_delay(ms(delay));
        scheduler = scheduler.add(trigger, work(note).with(Arc::clone(&order)));
    }
    let _running = scheduler.start();
    sleep(secs(19)).await;
    assert_eq!(*order.lock().unwrap(), ["first", "second", "third", "fourth"].repeat(2));
}

// W12
#[tokio::test(start_paused = true)]
async fn a_beat_that_waits_for_a_place_is_neither_lost_nor_doubled() {
    let (hog, patient) = (Notes::new(), Notes::new());
    let running = Scheduler::new()
        .limit(1)
        .add(Trigger::every(secs(100)), hog.work(ms(5_500)))
        .add(secondly().named("patient").start_delay(ms(100)), patient.work(ms(10)))
        .start();
    sleep(secs(3)).await;
    let status = running.handle().trigger("patient").unwrap().status();
    assert_eq!((status.state, status.next_beat, patient.runs().len()), (TriggerState::Waiting, None, 0));
    sleep(secs(5)).await;
    assert_eq!(patient.starts(), [5_500, 6_100, 7_100]);
    assert_eq!(running.account().skipped, 5);
}

// W12: with one place and a hog that always wants it, everybody runs
#[tokio::test(start_paused = true)]
async fn nobody_starves() {
    let hogs = Notes::new();
    let meek = Notes::new();
    let mut scheduler = Scheduler::new().limit(1);
    for _ in 0..3 {
        scheduler = scheduler.add(Trigger::every(ms(1)), hogs.work(secs(1)));
    }
    let _running = scheduler.add(Trigger::every(secs(10)), meek.work(ms(10))).start();
    sleep(secs(1_000)).await;
    let runs = meek.runs();
    let waits = runs.iter().zip(0..).map(|(run, beat)| run.start - beat * 10_000);
    assert!(runs.len() >= 99 && waits.max().unwrap() <= 4_000, "{:?}", meek.starts());
}

#[test]
#[should_panic(expected = "nothing would ever run")]
fn a_limit_of_none_is_refused() {
    let _scheduler = Scheduler::new().limit(0);
}
