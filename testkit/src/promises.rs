//! What a backend promises, and at which pace it can be asked.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::time::Duration;

use crate::pace::Pace;

/// What a backend promises. A clause that rests on anything else is ignored.
///
/// `P` is [`QueuePromise`](crate::QueuePromise) or [`GatePromise`](crate::GatePromise). Start from
/// [`Promises::standard`], [`Promises::ordered`], [`Promises::gated`] or [`Promises::ungated`].
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use testkit::{Promises, QueuePromise};
///
/// let promises = Promises::standard()
///     .without(QueuePromise::StaleDeletes)   // a stale receipt deletes, and the service doesn't tell
///     .with(QueuePromise::ExactDepth)
///     .slack(Duration::from_millis(1500));
/// # drop(promises);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Promises<P> {
    kept: BTreeSet<P>,
    paused: bool,
    slack: Option<Duration>,
    retention: Duration,
    needs: Option<Cow<'static, str>>,
}

impl<P: Copy + Debug + Ord> Promises<P> {
    /// Promises these, in real time.
    pub(crate) fn of(kept: impl IntoIterator<Item = P>) -> Self {
        let kept = kept.into_iter().collect();
        Self { kept, paused: false, slack: None, retention: Pace::RETENTION, needs: None }
    }

    /// Promises one thing more.
    pub fn with(mut self, promise: P) -> Self {
        self.kept.insert(promise);
        self
    }

    /// Promises one thing less.
    pub fn without(mut self, promise: P) -> Self {
        self.kept.remove(&promise);
        self
    }

    /// Says that the backend lives on tokio's clock: its clauses run on a paused one and take no time.
    ///
    /// Not for what talks to a socket: a paused clock jumps while an answer is on its way.
    pub fn paused_clock(mut self) -> Self {
        self.paused = true;
        self
    }

    /// Says that the backend lives in real time.
    pub fn real_clock(mut self) -> Self {
        self.paused = false;
        self
    }

    /// Says how late an expiry, the end of a delay or a wake-up may be; in real time 500 ms unless it is said.
    /// Timeouts grow with it, and so does the time that the suite takes.
    pub fn slack(mut self, slack: Duration) -> Self {
        self.slack = Some(slack);
        self
    }

    /// Says how short a retention period the queue can be set up with; 60 s, as of Amazon SQS, unless it is said.
    /// In real time the clauses about retention take as long.
    pub fn shortest_retention(mut self, retention: Duration) -> Self {
        self.retention = retention;
        self
    }

    /// Says what has to be there, such as a server, for the suite to run at all. Its clauses are ignored, with this
    /// text as the reason, unless `--ignored` or `--include-ignored` asks for them.
    pub fn needs(mut self, what: impl Into<Cow<'static, str>>) -> Self {
        self.needs = Some(what.into());
        self
    }

    pub(crate) fn pace(&self) -> Pace {
        Pace::new(self.paused, self.slack, self.retention)
    }

    pub(crate) fn need(&self) -> Option<&str> {
        self.needs.as_deref()
    }

    /// Those of `wanted` that are not kept, in words.
    pub(crate) fn missing(&self, wanted: &[P]) -> Option<String> {
        let missing: Vec<_> = wanted.iter().filter(|promise| !self.kept.contains(promise)).collect();
        (!missing.is_empty()).then(|| {
            let names: Vec<_> = missing.into_iter().map(|promise| format!("{promise:?}")).collect();
            format!("not promised: {}", names.join(", "))
        })
    }
}
