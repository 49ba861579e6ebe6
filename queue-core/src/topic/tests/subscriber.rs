//! A subscriber that does what its script says, and notes what it was asked and what it has stored.

use std::collections::VecDeque;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::{Instant, sleep};

use crate::{Limits, MessageId, Outgoing, Publisher, QueueError, Rejected};

/// What one call does.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Store,
    Slow(Duration),
    Hang,
    Panic,
    /// Fails every entry.
    Fail(QueueError),
    /// Fails the entries that the error is given for, and stores the others.
    Each(fn(&Outgoing) -> Option<QueueError>),
    /// Stores all and answers with the first so many answers.
    Answer(usize),
    /// Stores all, and the answer is lost.
    Lose,
}

#[derive(Debug)]
struct State {
    limits: Limits,
    script: Mutex<VecDeque<Act>>,
    then: Act,
    calls: Mutex<Vec<Vec<String>>>,
    stored: Mutex<Vec<(Outgoing, Instant)>>,
}

#[derive(Clone, Debug)]
pub(super) struct Subscriber(Arc<State>);

impl Subscriber {
    /// Follows the script, and stores everything when it is over.
    pub(super) fn scripted(script: impl IntoIterator<Item = Act>) -> Self {
        Self::build(script.into_iter().collect(), Act::Store, Limits::default())
    }

    /// Does the same each time.
    pub(super) fn always(act: Act) -> Self {
        Self::build(VecDeque::new(), act, Limits::default())
    }

    pub(super) fn well() -> Self {
        Self::always(Act::Store)
    }

    /// Follows the script with other limits.
    pub(super) fn with_limits(limits: Limits, script: impl IntoIterator<Item = Act>) -> Self {
        Self::build(script.into_iter().collect(), Act::Store, limits)
    }

    fn build(script: VecDeque<Act>, then: Act, limits: Limits) -> Self {
        let (calls, stored) = (Mutex::default(), Mutex::default());
        Self(Arc::new(State { limits, script: Mutex::new(script), then, calls, stored }))
    }

    /// The bodies of each call.
    pub(super) fn calls(&self) -> Vec<Vec<String>> {
        self.0.calls.lock().unwrap().clone()
    }

    pub(super) fn stored(&self) -> Vec<Outgoing> {
        self.0.stored.lock().unwrap().iter().map(|(message, _)| message.clone()).collect()
    }

    pub(super) fn bodies(&self) -> Vec<String> {
        self.stored().iter().map(|message| message.body().to_owned()).collect()
    }

    /// When the first was stored, if any was.
    pub(super) fn stored_at(&self) -> Option<Instant> {
        self.0.stored.lock().unwrap().first().map(|(_, at)| *at)
    }

    fn store(&self, message: Outgoing) -> MessageId {
        let mut stored = self.0.stored.lock().unwrap();
        stored.push((message, Instant::now()));
        MessageId::new(format!("its own {}", stored.len()))
    }
}

#[async_trait]
impl Publisher for Subscriber {
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        self.0.calls.lock().unwrap().push(batch.iter().map(|message| message.body().to_owned()).collect());
        let act = self.0.script.lock().unwrap().pop_front().unwrap_or_else(|| self.0.then.clone());
        let entries = batch.into_iter();
        match act {
            Act::Store => entries.map(|message| Ok(self.store(message))).collect(),
            Act::Slow(delay) => {
                sleep(delay).await;
                entries.map(|message| Ok(self.store(message))).collect()
            }
            Act::Hang => pending().await,
            Act::Panic => panic!("as the script says"),
            Act::Fail(error) => entries.map(|message| Err(Rejected::new(message, error.clone()))).collect(),
            Act::Each(error) => entries
                .map(|message| match error(&message) {
                    Some(error) => Err(Rejected::new(message, error)),
                    None => Ok(self.store(message)),
                })
                .collect(),
            Act::Answer(count) => {
                let answers: Vec<_> = entries.map(|message| Ok(self.store(message))).collect();
                answers.into_iter().take(count).collect()
            }
            Act::Lose => {
                let lost = |message: Outgoing| {
                    self.store(message.clone());
                    Err(Rejected::new(message, QueueError::indeterminate("the answer was lost")))
                };
                entries.map(lost).collect()
            }
        }
    }

    fn limits(&self) -> Limits {
        self.0.limits.clone()
    }
}
