//! The line in which deliveries to one ordered subscriber wait for each other.

use std::sync::{Mutex, PoisonError};

use tokio::sync::oneshot;

#[derive(Debug, Default)]
pub(super) struct Line(Mutex<Option<oneshot::Receiver<()>>>);

/// A place in a line. Dropping it lets the next one through, so it is kept until its delivery has ended.
#[derive(Debug)]
pub(super) struct Place {
    before: Option<oneshot::Receiver<()>>,
    _behind: oneshot::Sender<()>,
}

impl Line {
    /// Takes the place behind all others.
    pub(super) fn join(&self) -> Place {
        let (behind, next) = oneshot::channel();
        let before = self.0.lock().unwrap_or_else(PoisonError::into_inner).replace(next);
        Place { before, _behind: behind }
    }
}

impl Place {
    /// Waits until those before are gone.
    pub(super) async fn reached(&mut self) {
        if let Some(before) = self.before.take() {
            before.await.ok();
        }
    }
}
