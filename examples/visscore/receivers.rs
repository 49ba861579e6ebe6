//! The receivers of one account at work.

use std::time::Duration;

use worker::{Account, Running};

/// The receivers of a main queue and its retry queue.
#[derive(Debug)]
pub(crate) struct Receivers {
    main: Running,
    retry: Running,
}

impl Receivers {
    pub(crate) fn new(main: Running, retry: Running) -> Self {
        Self { main, retry }
    }

    /// How many messages they have received and not settled yet, the answer of the queue included.
    pub(crate) fn unsettled(&self) -> u64 {
        unsettled(&self.main.account()) + unsettled(&self.retry.account())
    }

    /// Stops both, and says how many visits were moved to the retry queue.
    pub(crate) async fn stop(self, grace: Duration) -> u64 {
        let (main, _retry) = tokio::join!(self.main.stop(grace), self.retry.stop(grace));
        main.moved
    }
}

fn unsettled(account: &Account) -> u64 {
    let kept = account.retried + account.released + account.orphaned + account.lost;
    account.received.saturating_sub(account.handled + account.moved + account.discarded + kept)
}
