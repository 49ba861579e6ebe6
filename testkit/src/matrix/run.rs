//! A run: one combination of what can happen in a scenario.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use queue_core::QueueError;
use tokio::time::{Instant, timeout};

use super::path::Path;
use crate::{CallKind, Fault};

/// How long a future may sleep before it counts as given up by its caller.
const PATIENCE: Duration = Duration::from_hours(1);
/// How long slow calls take.
const SLOW: Duration = Duration::from_secs(1);

/// One run of a scenario in a [`matrix`](super::matrix()). Clones are the same run.
#[derive(Clone, Debug)]
pub struct Run(Arc<Mutex<Path>>);

impl Run {
    pub(super) fn new(path: Path) -> Self {
        Self(Arc::new(Mutex::new(path)))
    }

    pub(super) fn path(&self) -> Path {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Chooses one of `outcomes`, and answers its index. Over all runs each is chosen.
    ///
    /// # Panics
    /// If there are none.
    pub fn choose(&self, what: &str, outcomes: &'static [&'static str]) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).step(what, outcomes)
    }

    /// Polls `future` to its end, or drops it on the way: before its first poll, or at any of its await points, either
    /// while it sleeps or when it was woken and not polled again yet. `None`: it was dropped.
    ///
    /// A future that nothing wakes for an hour is dropped in any case.
    ///
    /// # Cancel safety
    /// Safe: the future is dropped too.
    pub async fn cut<F: Future>(&self, future: F) -> Option<F::Output> {
        if self.choose("the future is", &["polled", "dropped before its first poll"]) == 1 {
            return None;
        }
        let mut future = pin!(future);
        loop {
            if let Poll::Ready(output) = poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await {
                return Some(output);
            }
            let next = self.choose("it is", &["polled again", "dropped asleep", "dropped awake"]);
            if next == 1 || !is_woken().await || next == 2 {
                return None;
            }
        }
    }

    /// Chooses what becomes of a call: it goes through, fails, is lost, is slow before or after it is done, or is never
    /// answered, done or not.
    pub fn gate(&self, what: &str) -> Fault {
        let outcomes = &["is well", "fails", "is lost", "is slow", "answers late", "hangs", "is unanswered"];
        match self.choose(what, outcomes) {
            0 => Fault::None,
            1 => Fault::Error(QueueError::transient("the gate is shut")),
            2 => Fault::Lost,
            3 => Fault::Delay(SLOW),
            4 => Fault::Late(SLOW),
            5 => Fault::Hang,
            _ => Fault::Unanswered,
        }
    }

    /// A script for a [`Faulty`](crate::Faulty): each of the first `most` calls of `kind` passes a gate, all others go
    /// through.
    pub fn gates(
        &self,
        kind: CallKind,
        most: usize,
    ) -> impl FnMut(CallKind, usize) -> Fault + Send + 'static {
        let run = self.clone();
        move |call, number| {
            if call == kind && number < most { run.gate(&format!("{call} {number}")) } else { Fault::None }
        }
    }
}

/// Sleeps until whoever waits here is woken by something else; `false` if nothing did.
async fn is_woken() -> bool {
    let asleep = Instant::now();
    let mut polled = false;
    let again =
        poll_fn(|_| if std::mem::replace(&mut polled, true) { Poll::Ready(()) } else { Poll::Pending });
    timeout(PATIENCE, again).await.is_ok() && asleep.elapsed() < PATIENCE
}
