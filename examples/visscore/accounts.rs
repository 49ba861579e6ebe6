//! The accounts: each has a pair of queues and its workers, made on first use.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::join_all;
use queue_core::{Publisher, QueueError};
use tokio::time::sleep;

use crate::consumer::Consumer;
use crate::receivers::Receivers;
use crate::service::{Pair, Service};

/// How often it looks whether the last calls were answered.
const LOOK: Duration = Duration::from_millis(5);

/// All accounts of this run.
#[derive(Debug)]
pub(crate) struct Accounts {
    service: Service,
    /// Who starts workers; `None` if this process only publishes.
    consumer: Option<Consumer>,
    /// How many messages were there before this run.
    before: AtomicU64,
    stopping: AtomicBool,
    open: Mutex<HashMap<String, Account>>,
}

#[derive(Debug)]
struct Account {
    pair: Pair,
    receivers: Option<Receivers>,
}

impl Accounts {
    /// Opens none yet, and looks what is in quarantine.
    pub(crate) async fn open(service: Service, consumer: Option<Consumer>) -> anyhow::Result<Self> {
        let before = AtomicU64::new(service.quarantine().inspect.depth().await?.total());
        Ok(Self { service, consumer, before, stopping: AtomicBool::new(false), open: Mutex::default() })
    }

    /// Makes the queues of `aid` and starts their workers, and answers where its visits are published. Called once for
    /// each account.
    pub(crate) async fn publisher(&self, aid: &str) -> anyhow::Result<Arc<dyn Publisher>> {
        let pair = self.service.pair(aid).await?;
        self.before.fetch_add(queued(&pair).await?, Ordering::Relaxed);
        let to: Arc<dyn Publisher> = Arc::new(Arc::clone(&pair.main.queue));
        let receivers = self.consumer.as_ref().map(|consumer| consumer.start(&pair));
        self.lock().insert(aid.to_owned(), Account { pair, receivers });
        Ok(to)
    }

    /// How many accounts there are.
    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    /// How many messages workers have in hand, and how many of their answers are under way.
    pub(crate) fn in_flight(&self) -> u64 {
        self.lock().values().filter_map(|account| account.receivers.as_ref()).map(Receivers::unsettled).sum()
    }

    /// Waits until nothing is in flight.
    pub(crate) async fn settled(&self) {
        while self.in_flight() > 0 {
            sleep(LOOK).await;
        }
    }

    /// How many messages are in the accounts' queues.
    pub(crate) async fn queued(&self) -> Result<u64, QueueError> {
        let pairs: Vec<_> = self.lock().values().map(|account| account.pair.clone()).collect();
        let mut all = 0;
        for pair in pairs {
            all += queued(&pair).await?;
        }
        Ok(all)
    }

    /// Whether the workers were told to stop. A receive that waits at SQS ends when its wait does.
    pub(crate) fn are_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// How long nothing may happen until what a queue says of its depth can be believed.
    pub(crate) fn patience(&self) -> Duration {
        self.service.patience()
    }

    /// How many messages were in the queues and in quarantine before this run.
    pub(crate) fn before(&self) -> u64 {
        self.before.load(Ordering::Relaxed)
    }

    /// How many messages are in quarantine.
    pub(crate) async fn quarantined(&self) -> Result<u64, QueueError> {
        Ok(self.service.quarantine().inspect.depth().await?.total())
    }

    /// How often the semaphore behind the gates was called, if there is one.
    pub(crate) fn semaphore_calls(&self) -> Option<u64> {
        self.consumer.as_ref().and_then(Consumer::semaphore_calls)
    }

    /// Stops all workers, and says how many visits were moved to a retry queue.
    pub(crate) async fn stop(&self, grace: Duration) -> u64 {
        self.stopping.store(true, Ordering::Relaxed);
        let receivers: Vec<_> =
            self.lock().values_mut().filter_map(|account| account.receivers.take()).collect();
        let moved = join_all(receivers.into_iter().map(|receivers| receivers.stop(grace))).await;
        if let Some(consumer) = &self.consumer {
            consumer.stop().await;
        }
        moved.into_iter().sum()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Account>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn queued(pair: &Pair) -> Result<u64, QueueError> {
    Ok(pair.main.inspect.depth().await?.total() + pair.retry.inspect.depth().await?.total())
}
