//! A semaphore in memory behind gates: each of the first calls for a permit goes well or wrong, in every combination.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use semaphore::{
    Grant, Lessor, MemorySemaphore, Permit, PermitRequest, PermitToken, Renewal, Semaphore, SemaphoreError,
    async_trait, lease, max,
};
use testkit::Run;
use tokio::time::{Instant, sleep};

pub(crate) const LEASE: Duration = Duration::from_mins(1);

/// How long slow calls take.
const SLOW: Duration = Duration::from_secs(1);

pub(crate) fn request() -> PermitRequest {
    PermitRequest::new("key", max(1), lease(LEASE))
}

/// Takes the only permit, whose first calls pass gates.
pub(crate) async fn take(semaphore: &MemorySemaphore, run: &Run, gates: usize) -> Permit {
    let asked = Instant::now();
    let permit = semaphore.try_acquire(request()).await.unwrap().unwrap();
    let grant = Grant { token: permit.token().clone(), fencing_token: permit.fencing_token(), asked };
    let lessor = Arc::clone(permit.lessor());
    let passed = AtomicUsize::new(0);
    Permit::new(&request(), grant, Arc::new(Gated { lessor, run: run.clone(), gates, passed }))
}

/// Whether the slot is free now.
pub(crate) async fn is_free(semaphore: &MemorySemaphore) -> bool {
    semaphore.try_acquire(request()).await.unwrap().is_some()
}

/// How many permits were dropped, without the one that `take` drops.
pub(crate) fn drops(semaphore: &MemorySemaphore) -> u64 {
    semaphore.counts().abandoned - 1
}

#[derive(Debug)]
struct Gated {
    lessor: Arc<dyn Lessor>,
    run: Run,
    gates: usize,
    passed: AtomicUsize,
}

impl Gated {
    async fn pass(
        &self,
        call: impl Future<Output = Result<(), SemaphoreError>> + Send,
    ) -> Result<(), SemaphoreError> {
        if self.passed.fetch_add(1, Ordering::SeqCst) >= self.gates {
            return call.await;
        }
        let outcomes = &[
            "is well",
            "fails",
            "is lost",
            "is slow",
            "answers late",
            "hangs",
            "is unanswered",
            "is refused",
        ];
        match self.run.choose("a call", outcomes) {
            0 => return call.await,
            1 => return Err(SemaphoreError::transient("the gate is shut")),
            2 => {
                call.await.ok();
                return Err(SemaphoreError::indeterminate("the answer is lost"));
            }
            3 => {
                sleep(SLOW).await;
                return call.await;
            }
            4 => {
                let answer = call.await;
                sleep(SLOW).await;
                return answer;
            }
            5 => {}
            6 => drop(call.await),
            _ => return Err(SemaphoreError::permanent("the gate is no more")),
        }
        pending().await
    }
}

#[async_trait]
impl Lessor for Gated {
    async fn renew(&self, token: PermitToken, renewal: Renewal) -> Result<(), SemaphoreError> {
        self.pass(self.lessor.renew(token, renewal)).await
    }

    async fn release(&self, token: PermitToken) -> Result<(), SemaphoreError> {
        self.pass(self.lessor.release(token)).await
    }

    fn abandon(&self, token: PermitToken) {
        self.lessor.abandon(token);
    }
}
