//! Cron triggers, on a wall clock that moves with the paused one.

use std::time::{Duration, SystemTime};

use tokio::time::sleep;
use worker::{Scheduler, Trigger};

use crate::support::{Noted, Notes, ms, only, secs};

fn seconds_of(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!(since.subsec_nanos(), 0, "a beat lies on a full second");
    since.as_secs()
}

fn dues(runs: &[Noted]) -> Vec<u64> {
    runs.iter().map(|run| seconds_of(run.due)).collect()
}

// W12
#[tokio::test(start_paused = true)]
async fn across_an_hour_a_minutely_trigger_runs_at_each_full_minute_once() {
    let notes = Notes::new();
    let running = Trigger::cron("* * * * *").unwrap().start(notes.work(secs(1)));
    sleep(Duration::from_hours(1)).await;
    let dues = dues(&notes.runs());
    assert!((60..=61).contains(&dues.len()), "{}", dues.len());
    assert!(dues.iter().all(|due| due % 60 == 0) && dues.is_sorted_by(|one, next| one + 60 == *next));
    assert_eq!(running.account().skipped, 0);
}

// W12
#[tokio::test(start_paused = true)]
async fn across_a_day_a_nightly_trigger_runs_once_at_its_time() {
    let (nightly, weekly) = (Notes::new(), Notes::new());
    let _running = Scheduler::new()
        .add(Trigger::cron("30 2 * * *").unwrap(), nightly.work(secs(100)))
        .add(Trigger::cron("0 0 * * MON").unwrap(), weekly.work(secs(100)))
        .start();
    sleep(Duration::from_hours(24)).await;
    assert_eq!(nightly.runs().len(), 1);
    assert_eq!(dues(&nightly.runs())[0] % 86_400, 2 * 3_600 + 30 * 60);
    sleep(Duration::from_hours(24 * 27)).await;
    assert_eq!((nightly.runs().len(), weekly.runs().len()), (28, 4));
}

// W12
#[tokio::test(start_paused = true)]
async fn a_cron_run_starts_at_its_beat_and_jitter_makes_it_later() {
    let notes = Notes::new();
    let trigger = Trigger::cron("*/10 * * * * *").unwrap().jitter(secs(3)).named("often");
    let running = trigger.start(notes.work(ms(1)));
    sleep(secs(4)).await;
    for _ in 0..1_000 {
        sleep(secs(10)).await;
        let status = only(running.handle().status());
        let (start, due) = (status.last_start.unwrap(), notes.runs().last().unwrap().due);
        let late = start.duration_since(due).unwrap();
        assert!(late <= ms(3_001) && seconds_of(due).is_multiple_of(10), "{late:?}");
    }
    assert_eq!(running.account().skipped, 0);
}

// W12
#[tokio::test(start_paused = true)]
async fn beats_that_pass_while_a_cron_run_lasts_are_skipped() {
    let notes = Notes::new();
    let running = Trigger::cron("* * * * * *").unwrap().start(notes.work(ms(2_500)));
    sleep(ms(30_500)).await;
    let dues = dues(&notes.runs());
    assert!(dues.is_sorted_by(|one, next| one + 3 == *next), "{dues:?}");
    assert!((18..=20).contains(&running.account().skipped), "{:?}", running.account());
}

// W12
#[tokio::test(start_paused = true)]
async fn a_zone_moves_the_beats() {
    let notes = Notes::new();
    let kathmandu = Trigger::cron_in("Asia/Kathmandu", "0 * * * *").unwrap();
    let _running = kathmandu.start(notes.work(ms(1)));
    sleep(Duration::from_hours(2)).await;
    assert!(
        dues(&notes.runs()).iter().all(|due| due % 3_600 == 15 * 60),
        "five hours and three quarters ahead"
    );
}

// W12
#[tokio::test(start_paused = true)]
async fn a_pattern_without_beats_waits_to_be_fired_and_stops() {
    let notes = Notes::new();
    let never = Trigger::cron("0 0 30 2 *").unwrap().named("never");
    let running = never.start(notes.work(ms(1)));
    sleep(Duration::from_hours(24)).await;
    assert_eq!((notes.runs().len(), only(running.handle().status()).next_beat), (0, None));
    running.handle().trigger("never").unwrap().fire();
    sleep(ms(10)).await;
    assert_eq!(running.stop(secs(1)).await.succeeded, 1);
}
