//! Every end of a run frees its permit.

use std::future::pending;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use semaphore::{FencingToken, Holders, MemorySemaphore, SemaphoreKey};
use tokio::time::sleep;
use worker::{Run, RunContext, RunOutcome, Runner, SemaphoreGatedRunner, Work, lease, max, work};

use crate::support::{Gauge, KEY, is_free, ms, runner, secondly, secs, take};

/// Runs `work` once, right now.
async fn once(semaphore: &MemorySemaphore, work: impl Work + 'static) -> RunOutcome {
    runner(semaphore).run(Run::new(work, RunContext::detached("index"))).await
}

// W13
#[tokio::test(start_paused = true)]
async fn a_return_an_error_and_a_panic_free_the_permit_at_once() {
    let semaphore = MemorySemaphore::new();
    assert_eq!(once(&semaphore, async |_: RunContext| {}).await, RunOutcome::Succeeded);
    assert!(is_free(&semaphore).await);
    assert_eq!(once(&semaphore, async |_: RunContext| Err("no")).await, RunOutcome::failed("no"));
    assert!(is_free(&semaphore).await);
    let outcome = once(&semaphore, async |_: RunContext| -> () { panic!("no") }).await;
    assert!(matches!(outcome, RunOutcome::Panicked { .. }) && is_free(&semaphore).await);
    assert_eq!((semaphore.counts().released, semaphore.counts().abandoned), (3, 0));
}

// W13
#[tokio::test(start_paused = true)]
async fn a_run_that_is_cancelled_by_its_token_frees_the_permit_at_once() {
    let semaphore = MemorySemaphore::new();
    let run = Run::new(async |_: RunContext| pending::<()>().await, RunContext::detached("index"));
    let (token, runner) = (run.cancel_token(), runner(&semaphore));
    let cancels = async {
        sleep(secs(1)).await;
        assert!(!is_free(&semaphore).await);
        token.cancel();
    };
    let (outcome, ()) = tokio::join!(runner.run(run), cancels);
    assert_eq!(outcome, RunOutcome::Cancelled);
    assert!(is_free(&semaphore).await);
}

// W13
#[tokio::test(start_paused = true)]
async fn a_run_that_was_given_up_before_it_began_takes_no_permit() {
    let semaphore = MemorySemaphore::new();
    let run = Run::new(async |_: RunContext| {}, RunContext::detached("index"));
    run.cancel_token().cancel();
    assert_eq!(runner(&semaphore).run(run).await, RunOutcome::Cancelled);
    assert_eq!(semaphore.counts().granted, 0);
}

/// Work that does not end, and notes whether it was told to.
async fn hears(told: Arc<AtomicU32>, context: RunContext) {
    context.cancelled().cancelled().await;
    told.fetch_add(1, Ordering::Relaxed);
}

// W13, S9
#[tokio::test(start_paused = true)]
async fn a_run_past_its_maximum_is_told_and_frees_the_permit_at_once() {
    let (semaphore, told) = (MemorySemaphore::new(), Arc::<AtomicU32>::default());
    let runner = SemaphoreGatedRunner::new(semaphore.clone(), KEY, max(1), ms(49_500));
    let running = secondly().run(runner, work(hears).with(Arc::clone(&told)));
    sleep(ms(49_400)).await;
    assert_eq!((told.load(Ordering::Relaxed), is_free(&semaphore).await), (0, false));
    sleep(ms(200)).await;
    assert_eq!(
        (told.load(Ordering::Relaxed), is_free(&semaphore).await, running.account().cancelled),
        (1, true, 1)
    );
    assert_eq!(semaphore.counts().renewed, 4, "every 10 s until then");
}

// W13, S9: work that blocks can't be dropped; its permit is renewed no longer, and the slot is free within a lease
#[tokio::test(start_paused = true)]
async fn a_run_that_hears_of_nothing_loses_its_permit_within_a_lease_of_its_maximum() {
    let semaphore = MemorySemaphore::new();
    let runner = SemaphoreGatedRunner::new(semaphore.clone(), KEY, max(1), secs(50));
    let run = Run::new(async |_: RunContext| pending::<()>().await, RunContext::detached("index"));
    let mut running = Box::pin(runner.run(run));
    assert!(futures::poll!(running.as_mut()).is_pending());
    sleep(ms(500)).await;
    assert!(futures::poll!(running.as_mut()).is_pending());
    sleep(secs(49)).await;
    assert!(!is_free(&semaphore).await);
    sleep(secs(31)).await;
    assert!(is_free(&semaphore).await);
    assert_eq!(running.await, RunOutcome::Cancelled);
}

// W13, S8
#[tokio::test(start_paused = true)]
async fn a_run_whose_permit_is_taken_is_told() {
    let (semaphore, told) = (MemorySemaphore::new(), Arc::<AtomicU32>::default());
    let running = secondly().run(runner(&semaphore), work(hears).with(Arc::clone(&told)));
    sleep(secs(5)).await;
    semaphore.force_release_all(SemaphoreKey::new(KEY).unwrap()).await.unwrap();
    sleep(secs(11)).await; // until the next renewal
    assert_eq!((told.load(Ordering::Relaxed), running.account().cancelled), (1, 1));
}

// W13, S4, S10
#[tokio::test(start_paused = true)]
async fn a_run_that_is_dropped_frees_its_permit_at_the_end_of_the_lease() {
    let semaphore = MemorySemaphore::new();
    let runner = runner(&semaphore).with_lease(lease(secs(20)));
    let run = Run::new(async |_: RunContext| pending::<()>().await, RunContext::detached("index"));
    let mut running = Box::pin(runner.run(run));
    assert!(futures::poll!(running.as_mut()).is_pending());
    drop(running);
    sleep(ms(19_900)).await;
    assert!(!is_free(&semaphore).await);
    sleep(ms(200)).await;
    assert!(is_free(&semaphore).await);
}

// W10, W13
#[tokio::test(start_paused = true)]
async fn a_stop_with_grace_frees_the_permit_whether_the_work_ends_in_it_or_not() {
    for (length, expected) in [(secs(4), (1, 0)), (secs(400), (0, 1))] {
        let semaphore = MemorySemaphore::new();
        let running = secondly().run(runner(&semaphore), work(take).with((Gauge::default(), length)));
        sleep(ms(500)).await;
        let account = running.stop(secs(20)).await;
        assert_eq!((account.succeeded, account.cancelled), expected);
        assert!(is_free(&semaphore).await && semaphore.counts().abandoned == 0);
    }
}

// W13, S3
#[tokio::test(start_paused = true)]
async fn the_work_is_told_its_fencing_token_and_each_is_larger_than_the_last() {
    let (semaphore, tokens) = (MemorySemaphore::new(), Arc::<Mutex<Vec<FencingToken>>>::default());
    let notes = async |tokens: Arc<Mutex<Vec<FencingToken>>>, context: RunContext| {
        tokens.lock().unwrap().extend(context.fencing_token());
    };
    let _running = secondly().run(runner(&semaphore), work(notes).with(Arc::clone(&tokens)));
    sleep(ms(9_500)).await;
    let tokens = tokens.lock().unwrap();
    assert!(tokens.len() == 10 && tokens.is_sorted_by(|one, next| one < next), "{tokens:?}");
    assert_eq!(RunContext::detached("index").fencing_token(), None);
}
