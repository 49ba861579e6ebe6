//! A receiver at work, and how it is stopped.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use queue_core::CancellationToken;
use tokio::time::timeout;

use super::Shared;
use super::probe::Probe;
use crate::{Account, Health};

/// A receiver at work.
///
/// # Drop
/// Stops it as [`stop_token`](Self::stop_token) does: nothing new is received, what waits is given back, and handlers
/// that run go on to their end. Only [`stop`](Self::stop) waits for them and bounds them.
#[must_use = "dropping it stops the receiver"]
pub struct Running {
    shared: Arc<Shared>,
}

impl Running {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// What it has done so far.
    pub fn account(&self) -> Account {
        self.shared.account()
    }

    /// How well it is now: see [`Probe::health`].
    pub fn health(&self) -> Health {
        self.probe().health()
    }

    /// A view of its health to keep elsewhere, which outlives it.
    pub fn probe(&self) -> Probe {
        Probe::new(&self.shared.vitals)
    }

    /// Cancelling this token stops the receiver from anywhere, also from inside a handler (P21).
    pub fn stop_token(&self) -> CancellationToken {
        self.shared.stop.clone()
    }

    /// Stops in three steps and says what was done (W10).
    ///
    /// *Stop*: no new receive; what waits for a slot is made visible at once. *Drain*: running handlers are renewed
    /// and awaited up to `grace`, and settled. *Abort*: handlers that still run are dropped and their messages made
    /// visible at once.
    ///
    /// A receive in flight is awaited, not dropped, and what it brings is given back. Embedded backends end its wait
    /// at once; a remote service finishes it, so this can take as long as the wait even when `grace` is shorter.
    ///
    /// # Cancel safety
    /// Safe: a dropped call leaves it stopping, with no bound on running handlers.
    pub async fn stop(self, grace: Duration) -> Account {
        self.shared.stop.cancel();
        if timeout(grace, self.shared.handling.wait()).await.is_err() {
            self.shared.abort.cancel();
        }
        self.shared.tasks.wait().await;
        self.shared.account()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shared.stop.cancel();
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("account", &self.account()).finish_non_exhaustive()
    }
}
