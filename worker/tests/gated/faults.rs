//! A semaphore at fault: the trigger goes on.

use semaphore::MemorySemaphore;
use tokio::time::{Instant, sleep};
use worker::{RunningScheduler, SemaphoreGatedRunner, max, work};

use crate::support::{Fault, Gauge, KEY, Shaky, ms, secondly, secs, take};

/// A trigger over a semaphore that is at fault for 100 s.
fn start(fault: Fault) -> (RunningScheduler, Gauge) {
    let (semaphore, gauge) = (MemorySemaphore::new(), Gauge::default());
    let shaky = Shaky { semaphore, fault, until: Instant::now() + secs(100) };
    let runner = SemaphoreGatedRunner::new(shaky, KEY, max(1), secs(120));
    (secondly().run(runner, work(take).with((gauge.clone(), ms(10)))), gauge)
}

// W13
#[tokio::test(start_paused = true)]
async fn an_error_is_a_failed_run_that_says_why_and_the_next_beat_tries_again() {
    let (running, gauge) = start(Fault::Fails);
    sleep(ms(99_900)).await;
    let status = running.handle().status().remove(0);
    assert_eq!((status.account.failed, gauge.read().begun), (100, 0));
    assert_eq!(status.last_error.unwrap(), "no permit of search-index: transient: connection refused");
    sleep(secs(10)).await;
    assert_eq!(running.account().succeeded, 10);
}

// W13, P29: no trigger waits for ever
#[tokio::test(start_paused = true)]
async fn a_call_without_an_answer_is_given_up_after_ten_seconds() {
    let (running, gauge) = start(Fault::Hangs);
    sleep(ms(95_000)).await;
    let status = running.handle().status().remove(0);
    assert!((8..=9).contains(&status.account.failed) && gauge.read().begun == 0, "{:?}", status.account);
    assert!(status.last_error.unwrap().contains("no answer within 10s"));
    sleep(secs(30)).await;
    assert!(running.account().succeeded > 10);
}

// W10, W13
#[tokio::test(start_paused = true)]
async fn a_stop_does_not_wait_for_a_call_without_an_answer_beyond_its_grace() {
    let (running, _gauge) = start(Fault::Hangs);
    sleep(ms(500)).await;
    let since = Instant::now();
    assert_eq!(running.stop(secs(2)).await.cancelled, 1);
    assert_eq!(since.elapsed(), secs(2));
}

// W12, W13
#[tokio::test(start_paused = true)]
async fn a_semaphore_that_panics_ends_no_trigger() {
    let (running, _gauge) = start(Fault::Panics);
    sleep(ms(109_900)).await;
    let account = running.account();
    assert_eq!((account.panicked, account.succeeded), (100, 10));
}

// W13, S12
#[tokio::test(start_paused = true)]
async fn a_request_that_breaks_a_rule_is_a_failed_run() {
    for (key, most, longest) in [("", max(1), secs(9)), (KEY, max(0), secs(9)), (KEY, max(1), secs(0))] {
        let runner = SemaphoreGatedRunner::new(MemorySemaphore::new(), key, most, longest);
        let running = secondly().run(runner, work(take).with((Gauge::default(), ms(10))));
        sleep(ms(100)).await;
        assert_eq!(running.account().failed, 1, "{key:?} {most:?} {longest:?}");
    }
}
