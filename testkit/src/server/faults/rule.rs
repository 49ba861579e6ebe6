//! A rule of a script: which calls a fault strikes.

use serde::{Deserialize, Serialize};

use super::Fault;

/// Which calls go wrong, and how.
///
/// Of the calls that a rule is about, it passes over the first `after`, then strikes each `every`th, or a `share` of
/// them at random, or else each, until it struck `times` times. `every` with a `seed` strikes one of each so many, at a place
/// that the seed determines, so that it doesn't fall in step with what comes at regular places. It is about each call that works with messages, or
/// those of its `operation`, whatever that does; and of these about those to its `queue`, if it names one, or to a topic of
/// that name.
///
/// It has one `fault`, or several that take turns. One that does nothing to the call, as a partial failure does nothing
/// to a call without entries, lets the next one have its turn, and comes first at the next call.
///
/// # Examples
/// ```
/// use testkit::server::{Cut, Fault, FaultScript, Rule};
///
/// let script = FaultScript::new([
///     Rule::new(Fault::cut(Cut::After)).with_operation("SendMessage").with_times(1),
///     Rule::in_turn([Fault::throttled(), Fault::error("InternalError")]).with_share(0.2, 7),
/// ]);
/// let json = r#"[
///     {"operation":"SendMessage","times":1,"fault":{"cut":"after"}},
///     {"share":0.2,"seed":7,"turns":[{"throttled":true},{"error":"InternalError"}]}
/// ]"#;
/// assert_eq!(FaultScript::parse(json)?, script);
/// # Ok::<(), testkit::server::FaultScriptError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rule {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) operation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) queue: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) every: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) times: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fault: Option<Fault>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) turns: Vec<Fault>,
}

impl Rule {
    /// One fault.
    pub fn new(fault: Fault) -> Self {
        Self { fault: Some(fault), ..Self::default() }
    }

    /// Several faults that take turns.
    pub fn in_turn(faults: impl IntoIterator<Item = Fault>) -> Self {
        Self { turns: faults.into_iter().collect(), ..Self::default() }
    }

    /// Only calls of this operation, also if it manages queues or topics.
    #[must_use]
    pub fn with_operation(mut self, operation: impl Into<String>) -> Self {
        self.operation = Some(operation.into());
        self
    }

    /// Only calls to the queue, or the topic, of this name.
    #[must_use]
    pub fn with_queue(mut self, queue: impl Into<String>) -> Self {
        self.queue = Some(queue.into());
        self
    }

    /// Not the first so many.
    #[must_use]
    pub fn with_after(mut self, calls: u64) -> Self {
        self.after = Some(calls);
        self
    }

    /// Only each so manieth.
    #[must_use]
    pub fn with_every(mut self, calls: u64) -> Self {
        self.every = Some(calls);
        self
    }

    /// Of each so many calls of [`with_every`](Self::with_every) not the last, but one that the seed determines.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Only a share, from 0 to 1, as the seed and the order of the calls determine.
    #[must_use]
    pub fn with_share(mut self, share: f64, seed: u64) -> Self {
        (self.share, self.seed) = (Some(share), Some(seed));
        self
    }

    /// Only so many.
    #[must_use]
    pub fn with_times(mut self, calls: u64) -> Self {
        self.times = Some(calls);
        self
    }

    /// The faults, in the order in which they take turns.
    pub(super) fn faults(&self) -> impl Iterator<Item = &Fault> {
        self.fault.iter().chain(&self.turns)
    }

    /// Why it makes no sense, if it makes none.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.fault.is_some() != self.turns.is_empty() {
            return Err("a rule has either a `fault` or some `turns`".to_owned());
        }
        if self.every == Some(0) {
            return Err("`every` is 0; 1 is every call".to_owned());
        }
        match self.share {
            Some(_) if self.every.is_some() => {
                return Err("a rule has `every` or `share`, not both".to_owned());
            }
            Some(share) if !(0.0..=1.0).contains(&share) => {
                return Err(format!("the share is {share}; 0 to 1 are allowed"));
            }
            None if self.seed.is_some() && self.every.is_none() => {
                return Err("a `seed` is for a `share` or for `every`".to_owned());
            }
            _ => {}
        }
        self.faults().try_for_each(Fault::check)?;
        self.check_that_it_strikes()
    }

    /// A rule that never strikes lets a test pass for nothing.
    fn check_that_it_strikes(&self) -> Result<(), String> {
        if self.times == Some(0) {
            return Err("`times` is 0; leave it out for a rule without an end".to_owned());
        }
        let Some(operation) = &self.operation else { return Ok(()) };
        if !operation.starts_with(|first: char| first.is_ascii_uppercase()) {
            return Err(format!("{operation:?} is no operation; they are spelled as in `SendMessage`"));
        }
        if !self.faults().any(|fault| fault.suits(operation)) {
            return Err(format!("what the rule does is never done to calls of {operation}"));
        }
        Ok(())
    }
}
