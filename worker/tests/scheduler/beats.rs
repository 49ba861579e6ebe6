//! When beats come, and what becomes of those that pass.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::time::{advance, sleep};
use worker::{Scheduler, Trigger};

use crate::support::{Notes, ms, secondly, secs};

// W12
#[tokio::test(start_paused = true)]
async fn a_fixed_rate_beats_on_its_grid_from_its_start_delay_on() {
    let notes = Notes::new();
    let trigger = Trigger::every(secs(2)).start_delay(ms(256));
    let running = trigger.start(notes.work(ms(10)));
    sleep(secs(7)).await;
    assert_eq!(notes.starts(), [256, 2_256, 4_256, 6_256]);
    assert_eq!(running.stop(secs(1)).await.succeeded, 4);
}

// W12
#[tokio::test(start_paused = true)]
async fn jitter_makes_each_beat_later_by_another_time_and_never_moves_the_grid() {
    let notes = Notes::new();
    let running = secondly().jitter(ms(300)).start(notes.work(ms(1)));
    sleep(ms(9_999_999)).await;
    let late: Vec<u64> = notes.starts().iter().zip(0..).map(|(start, beat)| start - beat * 1_000).collect();
    assert_eq!(late.len(), 10_000);
    assert!(late.iter().all(|late| *late <= 301), "{:?}", late.iter().max());
    assert!(late.iter().collect::<BTreeSet<_>>().len() > 200, "it differs from beat to beat");
    assert_eq!(running.account().skipped, 0);
}

// W12
#[tokio::test(start_paused = true)]
async fn beats_that_pass_while_it_runs_are_skipped_counted_and_not_made_up() {
    let notes = Notes::new();
    let running = secondly().start(notes.work(ms(2_500)));
    sleep(ms(8_900)).await;
    assert_eq!(notes.starts(), [0, 3_000, 6_000]);
    assert_eq!((running.account().succeeded, running.account().skipped), (3, 6));
}

// W12
#[tokio::test(start_paused = true)]
async fn a_run_that_ends_right_on_a_beat_does_not_miss_it() {
    let notes = Notes::new();
    let running = secondly().start(notes.work(secs(1)));
    sleep(ms(3_500)).await;
    assert_eq!(notes.starts(), [0, 1_000, 2_000, 3_000]);
    assert_eq!((notes.most_at_once(), running.account().skipped), (1, 0));
}

// W12: as after a process was frozen
#[tokio::test(start_paused = true)]
async fn a_clock_that_jumps_is_one_late_run_and_no_burst() {
    let notes = Notes::new();
    let running = secondly().start_delay(secs(1)).start(notes.work(ms(1)));
    sleep(ms(500)).await;
    advance(ms(10_000)).await;
    sleep(ms(1_000)).await;
    assert_eq!(notes.starts(), [10_500, 11_000]);
    assert_eq!(running.account().skipped, 9);
}

// W12
#[tokio::test(start_paused = true)]
async fn a_slow_trigger_delays_no_other() {
    let (slow, quick) = (Notes::new(), Notes::new());
    let scheduler = Scheduler::new().add(secondly(), slow.work(secs(100)));
    let _running = scheduler.add(secondly(), quick.work(ms(10))).start();
    sleep(ms(60_500)).await;
    assert_eq!(slow.starts(), [0]);
    assert!(quick.starts().iter().zip(0..).all(|(start, beat)| *start == beat * 1_000));
    assert_eq!(quick.runs().len(), 61);
}

// W12
#[tokio::test(start_paused = true)]
async fn the_shortest_and_the_longest_interval_are_intervals() {
    let (short, long, never) = (Notes::new(), Notes::new(), Notes::new());
    let running = Scheduler::new()
        .add(Trigger::every(Duration::from_nanos(1)), short.work(ms(10)))
        .add(Trigger::every(Duration::MAX).jitter(ms(1)), long.work(ms(10)))
        .add(
            Trigger::every(Duration::MAX).start_delay(Duration::MAX).jitter(Duration::MAX),
            never.work(ms(10)),
        )
        .start();
    sleep(ms(105)).await;
    assert!((9..=11).contains(&short.runs().len()), "back to back: {:?}", short.starts());
    assert_eq!((short.most_at_once(), long.runs().len(), never.runs().len()), (1, 1, 0));
    assert!(running.account().skipped > 90_000_000);
}

// W12
#[test]
#[should_panic(expected = "longer than nothing")]
fn an_interval_of_nothing_is_refused() {
    let _trigger = Trigger::every(Duration::ZERO);
}
