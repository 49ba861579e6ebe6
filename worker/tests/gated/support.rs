//! Work that notes when it runs, and a semaphore that can be at fault.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use semaphore::{Holder, Holders, MemorySemaphore, Permit, PermitRequest, SemaphoreError, SemaphoreKey};
use tokio::time::{Instant, sleep};
use worker::{RunContext, Semaphore, SemaphoreGatedRunner, Trigger, max};

pub(crate) fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(crate) fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

pub(crate) const KEY: &str = "search-index";

/// One at a time, for two minutes at most.
pub(crate) fn runner(semaphore: &MemorySemaphore) -> SemaphoreGatedRunner {
    SemaphoreGatedRunner::new(semaphore.clone(), KEY, max(1), secs(120))
}

pub(crate) fn secondly() -> Trigger {
    Trigger::every(secs(1)).named("index")
}

pub(crate) async fn holders(semaphore: &MemorySemaphore) -> Vec<Holder> {
    semaphore.holders(SemaphoreKey::new(KEY).unwrap()).await.unwrap()
}

pub(crate) async fn is_free(semaphore: &MemorySemaphore) -> bool {
    holders(semaphore).await.is_empty()
}

/// The runs that there are, and the most that there were at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gauge(Arc<Mutex<Level>>);

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Level {
    pub(crate) now: usize,
    pub(crate) most: usize,
    pub(crate) begun: usize,
}

impl Gauge {
    pub(crate) fn read(&self) -> Level {
        *self.0.lock().unwrap()
    }

    /// Counts a run until what is returned is dropped.
    pub(crate) fn begin(&self) -> impl Drop + use<> {
        let mut level = self.0.lock().unwrap();
        level.now += 1;
        level.begun += 1;
        level.most = level.most.max(level.now);
        End(self.clone())
    }
}

struct End(Gauge);

impl Drop for End {
    fn drop(&mut self) {
        self.0.0.lock().unwrap().now -= 1;
    }
}

/// Work that is counted, and takes its time.
pub(crate) async fn take((gauge, length): (Gauge, Duration), _: RunContext) {
    let _run = gauge.begin();
    sleep(length).await;
}

/// What a semaphore does instead of answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Fails,
    Hangs,
    Panics,
}

/// A semaphore that is at fault for a while.
#[derive(Clone, Debug)]
pub(crate) struct Shaky {
    pub(crate) semaphore: MemorySemaphore,
    pub(crate) fault: Fault,
    pub(crate) until: Instant,
}

#[async_trait]
impl Semaphore for Shaky {
    async fn try_acquire(&self, request: PermitRequest) -> Result<Option<Permit>, SemaphoreError> {
        match self.fault {
            _ if Instant::now() >= self.until => {}
            Fault::Fails => return Err(SemaphoreError::transient("connection refused")),
            Fault::Hangs => std::future::pending().await,
            Fault::Panics => panic!("the client panics"),
        }
        self.semaphore.try_acquire(request).await
    }
}
