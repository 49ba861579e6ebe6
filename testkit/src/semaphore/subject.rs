//! The semaphore under test, with the moves that clauses are made of.

use std::sync::Arc;
use std::time::Duration;

use semaphore::{
    FencingToken, Holder, Holders, Lessor, Permit, PermitRequest, PermitToken, Renewal, Semaphore,
    SemaphoreError, SemaphoreErrorKind, SemaphoreKey, lease, max,
};
use tokio::time::{Instant, sleep, sleep_until};
use uuid::Uuid;

use super::SemaphoreFixture;
use crate::pace::{Pace, Window};

/// The semaphore under test, and one key of it. Clones are the same.
#[derive(Clone)]
pub(super) struct Subject {
    fixture: Arc<SemaphoreFixture>,
    key: SemaphoreKey,
    pub(super) pace: Pace,
}

/// A slot that nobody renews.
pub(super) struct Unrenewed {
    pub(super) token: PermitToken,
    pub(super) fence: FencingToken,
    lessor: Arc<dyn Lessor>,
    /// When its lease ends.
    pub(super) ends: Window,
}

impl Unrenewed {
    /// Renews it for `lease`; success moves the end of the lease.
    pub(super) async fn renew(&mut self, lease: Duration) -> Result<(), SemaphoreError> {
        let asked = Instant::now();
        self.lessor.renew(self.token.clone(), Renewal::new(lease)).await?;
        self.ends = Window::after(asked, lease);
        Ok(())
    }

    pub(super) async fn release(&self) -> Result<(), SemaphoreError> {
        self.lessor.release(self.token.clone()).await
    }

    /// Checks that neither a renewal nor a release is taken any longer.
    pub(super) async fn is_lost(&self) {
        let renewal = Renewal::new(Duration::from_mins(1));
        has_lost(self.lessor.renew(self.token.clone(), renewal).await);
        has_lost(self.release().await);
    }

    /// The same lessor, by another token.
    pub(super) fn forged(&self, token: PermitToken) -> Self {
        let lessor = Arc::clone(&self.lessor);
        Self { token, fence: self.fence, lessor, ends: self.ends }
    }
}

impl Subject {
    pub(super) fn new(fixture: SemaphoreFixture, pace: Pace) -> Self {
        let subject = Self { fixture: Arc::new(fixture), key: key("k"), pace };
        subject.of_new_key()
    }

    /// The same semaphore, and another key that nobody used before.
    pub(super) fn of_new_key(&self) -> Self {
        self.of(&format!("conformance-{}", Uuid::new_v4().simple()))
    }

    /// The same semaphore, and another key.
    pub(super) fn of(&self, name: &str) -> Self {
        Self { key: key(name), ..self.clone() }
    }

    pub(super) fn key(&self) -> &SemaphoreKey {
        &self.key
    }

    pub(super) fn semaphore(&self) -> &dyn Semaphore {
        self.fixture.semaphore.as_ref()
    }

    /// What watches it.
    pub(super) fn watch(&self) -> &dyn Holders {
        let holders = self.fixture.holders.as_deref();
        holders.expect("it promises Watched: the factory has to answer a SemaphoreFixture::with_holders")
    }

    /// Who holds the key.
    pub(super) async fn holders(&self) -> Vec<Holder> {
        self.watch().holders(self.key.clone()).await.expect("holders are listed")
    }

    /// Forgets what has been free for `idle`, also of other keys.
    pub(super) async fn collect(&self, idle: Duration, limit: usize) -> u64 {
        let collect = self.fixture.collector.as_deref();
        let collect = collect
            .expect("it promises Collects: the factory has to answer a SemaphoreFixture::with_collector");
        collect(idle, limit).await.expect("what is idle is collected")
    }

    /// A lease that a clause can wait for.
    pub(super) fn lease(&self) -> Duration {
        (self.pace.slack * 4).max(Duration::from_millis(100))
    }

    /// A request for one of `permits`, for a lease that does not end during the clause.
    pub(super) fn request(&self, permits: u32) -> PermitRequest {
        PermitRequest::new(self.key.as_str(), max(permits), lease(Duration::from_mins(10)))
    }

    /// A request for one of `permits`, for a short lease.
    pub(super) fn brief(&self, permits: u32) -> PermitRequest {
        PermitRequest::new(self.key.as_str(), max(permits), lease(self.lease()))
    }

    /// Tries; an error fails the clause.
    pub(super) async fn tries(&self, request: PermitRequest) -> Option<Permit> {
        self.semaphore().try_acquire(request).await.expect("a try is answered, with a permit or with none")
    }

    /// The permit that has to be free.
    pub(super) async fn takes(&self, permits: u32) -> Permit {
        self.tries(self.request(permits)).await.expect("a slot is free, and has to be found")
    }

    /// All `permits` of them.
    pub(super) async fn takes_all(&self, permits: u32) -> Vec<Permit> {
        let mut held = Vec::new();
        for _ in 0..permits {
            held.push(self.takes(permits).await);
        }
        held
    }

    /// Checks that there is none.
    pub(super) async fn is_full(&self, permits: u32) {
        let extra = self.tries(self.request(permits)).await;
        assert!(extra.is_none(), "all {permits} are held, and yet this was given: {extra:?}");
    }

    /// Takes one for a short lease, and leaves it to expire.
    pub(super) async fn takes_unrenewed(&self, permits: u32) -> Unrenewed {
        let asked = Instant::now();
        let permit = self.tries(self.brief(permits)).await.expect("a slot is free, and has to be found");
        let ends = Window::after(asked, self.lease());
        let (token, fence) = (permit.token().clone(), permit.fencing_token());
        Unrenewed { token, fence, lessor: Arc::clone(permit.lessor()), ends }
    }

    /// Takes the one that has to become free in `window`, neither before nor after.
    pub(super) async fn takes_in(&self, window: Window, permits: u32) -> Permit {
        loop {
            let asked = Instant::now();
            if let Some(permit) = self.tries(self.request(permits)).await {
                let early = window.opens.saturating_duration_since(Instant::now());
                assert!(early <= self.pace.early(), "too early by {early:?}");
                return permit;
            }
            assert!(asked <= window.closes + self.pace.slack, "none became free, though it was time");
            sleep(self.pace.tick()).await;
        }
    }

    /// Waits until what had to happen in `window` has happened.
    pub(super) async fn pass(&self, window: Window) {
        sleep_until(window.closes + self.pace.slack).await;
    }
}

/// Checks that the answer is *lost*.
pub(super) fn has_lost(answer: Result<(), SemaphoreError>) {
    is_refused(answer, SemaphoreErrorKind::Lost);
}

/// Checks that the answer is an error of that kind.
pub(super) fn is_refused<T>(answer: Result<T, SemaphoreError>, kind: SemaphoreErrorKind) {
    match answer {
        Ok(_) => panic!("a success, though it has to be {kind}"),
        Err(error) => assert_eq!(error.kind(), kind, "{error}"),
    }
}

fn key(name: &str) -> SemaphoreKey {
    SemaphoreKey::new(name).expect("a key of letters, digits and hyphens")
}
