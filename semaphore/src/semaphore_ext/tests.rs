//! Waiting for a permit, on a paused clock.

use std::collections::VecDeque;
use std::future::pending;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::SemaphoreExt;
use crate::{
    MemorySemaphore, Permit, PermitRequest, Semaphore, SemaphoreError, SemaphoreErrorKind, lease, max,
};

fn request() -> PermitRequest {
    PermitRequest::new("key", max(1), lease(Duration::from_mins(1)))
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Answers as it is told to, then never; notes when it was asked.
#[derive(Debug, Default)]
struct Answers {
    left: Mutex<VecDeque<Option<SemaphoreError>>>,
    asked: Mutex<Vec<Instant>>,
}

impl Answers {
    /// `None` is a miss.
    fn new(answers: impl IntoIterator<Item = Option<SemaphoreError>>) -> Self {
        Self { left: Mutex::new(answers.into_iter().collect()), asked: Mutex::default() }
    }

    fn tries(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

#[async_trait]
impl Semaphore for Answers {
    async fn try_acquire(&self, _request: PermitRequest) -> Result<Option<Permit>, SemaphoreError> {
        self.asked.lock().unwrap().push(Instant::now());
        let answer = self.left.lock().unwrap().pop_front();
        match answer {
            Some(None) => Ok(None),
            Some(Some(error)) => Err(error),
            None => pending().await,
        }
    }
}

async fn kind(answers: &Answers, deadline: Duration) -> (Option<SemaphoreErrorKind>, Duration) {
    let start = Instant::now();
    let answer = answers.acquire(request(), deadline).await;
    (answer.err().map(|error| error.kind()), start.elapsed())
}

// S2
#[tokio::test(start_paused = true)]
async fn a_permit_that_is_free_is_taken_at_once_and_one_that_becomes_free_within_a_pause() {
    let semaphore = MemorySemaphore::new();
    let held = semaphore.acquire(request(), Duration::ZERO).await.unwrap().unwrap();
    let (mut tasks, start, waiting) = (JoinSet::new(), Instant::now(), semaphore.clone());
    tasks.spawn(
        async move { waiting.acquire(request(), seconds(60)).await.unwrap().map(|_| start.elapsed()) },
    );
    sleep(seconds(10)).await;
    held.release().await.unwrap();
    let waited = tasks.join_next().await.unwrap().unwrap().unwrap();
    assert!(waited >= seconds(10) && waited <= seconds(12), "{waited:?}");
}

// The deadline: `None` then, neither before nor after.
#[tokio::test(start_paused = true)]
async fn at_the_deadline_it_says_that_all_were_held() {
    let semaphore = MemorySemaphore::new();
    let held = semaphore.try_acquire(request()).await.unwrap();
    for deadline in [0, 1, 30].map(seconds) {
        let start = Instant::now();
        assert!(semaphore.acquire(request(), deadline).await.unwrap().is_none());
        assert_eq!(start.elapsed(), deadline);
    }
    drop(held);
}

#[tokio::test(start_paused = true)]
async fn pauses_grow_to_a_second_and_differ() {
    let answers = Answers::new((0..200).map(|_| None));
    assert_eq!(kind(&answers, seconds(60)).await, (None, seconds(60)));
    let asked = answers.asked.lock().unwrap().clone();
    let pauses: Vec<_> = asked.windows(2).map(|pair| (pair[1] - pair[0]).as_millis()).collect();
    assert!((10..=21).contains(&pauses[0]), "{pauses:?}");
    assert!(pauses[10..].iter().all(|pause| (1_000..=2_001).contains(pause)), "{pauses:?}");
    assert!((35..=70).contains(&asked.len()), "{}", asked.len());
    assert!(pauses[10..].iter().any(|pause| *pause != pauses[10]), "jitter");
}

#[tokio::test(start_paused = true)]
async fn passing_errors_are_retried_and_told_at_the_deadline_only() {
    let busy = || Some(SemaphoreError::transient("busy"));
    let answers = Answers::new([busy(), busy(), None].into_iter().chain((0..99).map(|_| None)));
    assert_eq!(kind(&answers, seconds(9)).await, (None, seconds(9)));
    let answers = Answers::new((0..99).map(|_| busy()));
    assert_eq!(kind(&answers, seconds(9)).await, (Some(SemaphoreErrorKind::Transient), seconds(9)));
    let patient = || Some(SemaphoreError::transient("busy").with_retry_after(seconds(4)));
    let answers = Answers::new((0..99).map(|_| patient()));
    assert_eq!(kind(&answers, seconds(9)).await, (Some(SemaphoreErrorKind::Transient), seconds(9)));
    assert_eq!(answers.tries(), 3, "it is left alone for as long as it asks");
}

#[tokio::test(start_paused = true)]
async fn errors_that_do_not_pass_are_told_at_once() {
    let errors = [SemaphoreError::permanent("a rule"), SemaphoreError::closed("no pool")];
    for error in errors {
        let expected = (Some(error.kind()), Duration::ZERO);
        assert_eq!(kind(&Answers::new([Some(error)]), seconds(9)).await, expected);
    }
}

// A slot that a dropped try got is taken for a lease: a try under way is not cut off at once.
#[tokio::test(start_paused = true)]
async fn a_try_that_hangs_ends_a_second_after_the_deadline() {
    let answers = Answers::new([]);
    assert_eq!(kind(&answers, seconds(9)).await, (Some(SemaphoreErrorKind::Indeterminate), seconds(10)));
}

#[tokio::test(start_paused = true)]
async fn it_waits_behind_a_dyn_and_for_ever() {
    let semaphore: std::sync::Arc<dyn Semaphore> = std::sync::Arc::new(MemorySemaphore::new());
    let permit = semaphore.acquire(request(), Duration::MAX).await.unwrap();
    assert!(permit.is_some());
}
