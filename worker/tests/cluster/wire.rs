//! A wire between a process and the database: it counts, it can break and hang, and it can be slow.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use semaphore::{
    Holder, Holders, Lessor, Permit, PermitRequest, PermitToken, Renewal, Semaphore, SemaphoreError,
    SemaphoreKey,
};
use tokio::time::sleep;

use crate::store::Store;

/// How a wire is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum State {
    #[default]
    Up,
    /// Calls fail at once.
    Broken,
    /// Calls are never answered, and never arrive.
    Hung,
    /// Calls panic.
    Panics,
    /// Calls are answered so late.
    Slow(Duration),
}

/// Calls that were begun, by operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) looks: u64,
    pub(crate) tries: u64,
    pub(crate) renewals: u64,
    pub(crate) publications: u64,
    pub(crate) releases: u64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Wire {
    store: Store,
    state: Arc<Mutex<State>>,
    counts: Arc<Mutex<Counts>>,
}

impl Wire {
    pub(crate) fn to(store: &Store) -> Self {
        Self { store: store.clone(), ..Self::default() }
    }

    pub(crate) fn is_now(&self, state: State) {
        *self.state.lock().unwrap() = state;
    }

    pub(crate) fn counts(&self) -> Counts {
        *self.counts.lock().unwrap()
    }

    async fn pass(&self, count: impl FnOnce(&mut Counts)) -> Result<(), SemaphoreError> {
        count(&mut self.counts.lock().unwrap());
        let state = *self.state.lock().unwrap();
        match state {
            State::Up => {}
            State::Broken => return Err(SemaphoreError::transient("connection refused")),
            State::Hung => std::future::pending().await,
            State::Panics => std::panic::resume_unwind(Box::new("the client panics")),
            State::Slow(delay) => sleep(delay).await,
        }
        Ok(())
    }
}

#[async_trait]
impl Semaphore for Wire {
    async fn try_acquire(&self, request: PermitRequest) -> Result<Option<Permit>, SemaphoreError> {
        self.pass(|counts| counts.tries += 1).await?;
        let grant = self.store.acquire(&request);
        Ok(grant.map(|grant| Permit::new(&request, grant, Arc::new(self.clone()))))
    }
}

#[async_trait]
impl Holders for Wire {
    async fn holders(&self, key: SemaphoreKey) -> Result<Vec<Holder>, SemaphoreError> {
        Ok(self.holders_of(vec![key]).await?.remove(0))
    }

    /// One round trip, however many keys.
    async fn holders_of(&self, keys: Vec<SemaphoreKey>) -> Result<Vec<Vec<Holder>>, SemaphoreError> {
        self.pass(|counts| counts.looks += 1).await?;
        Ok(keys.iter().map(|key| self.store.holders(key)).collect())
    }

    async fn force_release(&self, _token: PermitToken) -> Result<bool, SemaphoreError> {
        Err(SemaphoreError::closed("not asked for here"))
    }

    async fn force_release_all(&self, _key: SemaphoreKey) -> Result<u64, SemaphoreError> {
        Err(SemaphoreError::closed("not asked for here"))
    }
}

#[async_trait]
impl Lessor for Wire {
    async fn renew(&self, token: PermitToken, renewal: Renewal) -> Result<(), SemaphoreError> {
        let publishes = renewal.context.is_some();
        let count = |counts: &mut Counts| {
            let count = if publishes { &mut counts.publications } else { &mut counts.renewals };
            *count += 1;
        };
        self.pass(count).await?;
        if self.store.renew(&token, renewal) {
            Ok(())
        } else {
            Err(SemaphoreError::lost("it has another holder"))
        }
    }

    async fn release(&self, token: PermitToken) -> Result<(), SemaphoreError> {
        self.pass(|counts| counts.releases += 1).await?;
        if self.store.release(&token) { Ok(()) } else { Err(SemaphoreError::lost("it has another holder")) }
    }

    fn abandon(&self, _token: PermitToken) {}
}
