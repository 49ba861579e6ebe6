//! The polls that gates spare: what the workers that wait at one would have asked meanwhile.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use async_trait::async_trait;
use futures::poll;
use queue_core::{PollGate, Turn, WorkerName};
use tokio::time::Instant;

/// Counts the receives that workers would have begun while they waited at gates. Cheap to clone; all clones count
/// together.
#[derive(Clone, Debug)]
pub(crate) struct Spared {
    wait: Duration,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// By waits that are over.
    over: u64,
    tickets: u64,
    /// Since when each worker waits that waits now.
    waiting: HashMap<u64, Instant>,
}

impl Spared {
    /// Each receive would have waited for `wait`.
    pub(crate) fn new(wait: Duration) -> Self {
        Self { wait, state: Arc::default() }
    }

    /// How many there are so far. A worker that still waits would have begun one at once and one after each wait; one
    /// that went on would be in its last one still.
    pub(crate) fn polls(&self) -> u64 {
        let state = self.lock();
        state.over + state.waiting.values().map(|since| 1 + self.whole(*since)).sum::<u64>()
    }

    fn whole(&self, since: Instant) -> u64 {
        since.elapsed().as_secs() / self.wait.as_secs().max(1)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A gate whose waits are counted.
#[derive(Debug)]
pub(crate) struct WatchedGate {
    gate: Arc<dyn PollGate>,
    spared: Spared,
}

impl WatchedGate {
    pub(crate) fn new(gate: Arc<dyn PollGate>, spared: Spared) -> Self {
        Self { gate, spared }
    }
}

#[async_trait]
impl PollGate for WatchedGate {
    async fn enter(&self, who: &WorkerName) -> Turn {
        let mut turn = pin!(self.gate.enter(who));
        if let Poll::Ready(turn) = poll!(&mut turn) {
            return turn;
        }
        let _waiting = Waiting::start(&self.spared);
        turn.await
    }
}

/// One worker's wait.
///
/// # Drop
/// The wait is over, be it that the worker went on or that it stopped.
struct Waiting<'a> {
    spared: &'a Spared,
    ticket: u64,
}

impl<'a> Waiting<'a> {
    fn start(spared: &'a Spared) -> Self {
        let mut state = spared.lock();
        state.tickets += 1;
        let ticket = state.tickets;
        state.waiting.insert(ticket, Instant::now());
        Self { spared, ticket }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut state = self.spared.lock();
        if let Some(since) = state.waiting.remove(&self.ticket) {
            state.over += self.spared.whole(since);
        }
    }
}

#[cfg(test)]
mod tests {
    use queue_core::{MasterGate, WorkerClass};
    use tokio::time::{sleep, timeout};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_worker_that_waits_spares_a_receive_now_and_one_after_each_wait() {
        let spared = Spared::new(Duration::from_secs(20));
        let gate = WatchedGate::new(Arc::new(MasterGate::new()), spared.clone());
        let [master, other] = [0, 1].map(|number| WorkerName::new(WorkerClass::MAIN, number));
        let _turn = gate.enter(&master).await;
        assert_eq!(spared.polls(), 0);
        let wait = timeout(Duration::from_secs(50), gate.enter(&other));
        let (wait, seen) = tokio::join!(wait, async {
            sleep(Duration::from_secs(41)).await;
            spared.polls()
        });
        assert!(wait.is_err());
        assert_eq!((seen, spared.polls()), (3, 2));
    }
}
