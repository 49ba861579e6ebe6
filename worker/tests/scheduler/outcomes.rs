//! What becomes of errors and panics.

use std::io::Write;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tokio::time::sleep;
use worker::{Run, RunContext, RunOutcome, Runner, Trigger, work};

use crate::support::{Notes, ms, only, secondly, secs};

/// Fails first, then panics, then declines, then succeeds, and so on.
async fn by_turns(turn: Arc<AtomicU32>, _context: RunContext) -> RunOutcome {
    sleep(ms(100)).await;
    match turn.fetch_add(1, Ordering::Relaxed) % 4 {
        0 => RunOutcome::failed("disk full"),
        1 => panic!("index {} out of range", 7),
        2 => RunOutcome::declined("nothing to do"),
        _ => RunOutcome::Succeeded,
    }
}

// W12
#[tokio::test(start_paused = true)]
async fn errors_and_panics_end_nothing_and_are_counted() {
    let running = secondly().start(work(by_turns).with(Arc::default()));
    sleep(ms(39_500)).await;
    let account = running.stop(secs(1)).await;
    let counted = (account.failed, account.panicked, account.declined, account.succeeded);
    assert_eq!((counted, account.runs()), ((10, 10, 10, 10), 30));
}

// W12
#[tokio::test(start_paused = true)]
async fn the_status_says_what_the_last_error_was_until_a_run_succeeds() {
    let running = secondly().start(work(by_turns).with(Arc::default()));
    let mut errors = Vec::new();
    for _ in 0..4 {
        sleep(ms(1_000)).await;
        errors.push(only(running.handle().status()).last_error);
    }
    let expected =
        [Some("disk full"), Some("panicked: index 7 out of range"), Some("panicked: index 7 out of range")];
    assert_eq!(errors[..3], expected.map(|error| error.map(str::to_owned)));
    assert_eq!(errors[3], None);
}

// W12
#[tokio::test(start_paused = true)]
async fn what_displays_is_an_error_that_work_may_return() {
    let fails = async |_: RunContext| Err::<(), _>(std::io::Error::other("connection refused"));
    let running = secondly().start(fails);
    sleep(ms(100)).await;
    assert_eq!(only(running.handle().status()).last_error.as_deref(), Some("connection refused"));
}

// W12: a panic before the first await, in a function that returns a future
#[tokio::test(start_paused = true)]
async fn a_panic_before_there_is_a_future_is_a_panic_of_the_run() {
    fn at_once(_: RunContext) -> std::future::Ready<()> {
        panic!("not even a future")
    }
    let running = secondly().start(at_once);
    sleep(ms(2_500)).await;
    assert_eq!(running.account().panicked, 3);
}

/// A runner that panics, every other time.
#[derive(Debug, Default)]
struct Shaky(AtomicU32);

#[async_trait]
impl Runner for Shaky {
    async fn run(&self, run: Run) -> RunOutcome {
        assert!(self.0.fetch_add(1, Ordering::Relaxed).is_multiple_of(2), "shaky");
        run.start().await
    }
}

// W12
#[tokio::test(start_paused = true)]
async fn a_runner_that_panics_ends_nothing_either() {
    let notes = Notes::new();
    let running = secondly().run(Shaky::default(), notes.work(ms(10)));
    sleep(ms(9_500)).await;
    let account = running.account();
    assert_eq!((account.succeeded, account.panicked, notes.runs().len()), (5, 5, 5));
}

/// A log to look into.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

// W12
#[tokio::test(start_paused = true)]
async fn a_failure_is_logged_in_a_span_with_the_triggers_name() {
    // Somebody always listens, so that no callsite is switched off for all by a test that listens to nothing.
    tracing::subscriber::set_global_default(tracing_subscriber::registry()).unwrap();
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let fails = async |_: RunContext| Err("disk full");
    let _running = Trigger::every(secs(10)).named("search-index").start(fails);
    sleep(ms(100)).await;
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("run{trigger=\"search-index\" fired=false}"), "{text}");
    assert!(text.contains("WARN") && text.contains("the run failed error=disk full"), "{text}");
}
