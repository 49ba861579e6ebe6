//! The courier: it brings the copies of one publish to one subscriber, and tries again what can succeed.

use std::collections::{BTreeMap, HashSet};
use std::iter::repeat_with;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};
use futures::FutureExt;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::branch::Branch;
use super::fate::Fate;
use super::group::Group;
use super::line::Place;
use super::parcel::Parcel;
use crate::{Limits, MessageId, Outgoing, QueueError, Rejected};

/// The pause before copies are sent again, doubled from one time to the next up to the longest, and made longer at
/// random by as much again at most.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct Courier {
    branch: Arc<Branch>,
    deadline: Instant,
    /// The copies that are not settled yet, by the number of their entry.
    parcels: BTreeMap<usize, Parcel>,
    settled: Vec<(usize, Fate)>,
}

impl Courier {
    pub(super) fn new(branch: Arc<Branch>, deadline: Instant, parcels: BTreeMap<usize, Parcel>) -> Self {
        Self { branch, deadline, parcels, settled: Vec::new() }
    }

    /// Answers what became of each copy, by the number of its entry; nothing if the subscription was ended meanwhile.
    pub(super) async fn run(self, place: Option<Place>) -> Vec<(usize, Fate)> {
        let removed = self.branch.removed.clone();
        removed.run_until_cancelled_owned(self.deliver(place)).await.unwrap_or_default()
    }

    async fn deliver(mut self, mut place: Option<Place>) -> Vec<(usize, Fate)> {
        if let Some(place) = &mut place {
            timeout_at(self.deadline, place.reached()).await.ok();
        }
        let pauses = ExponentialBuilder::new().with_min_delay(FIRST_PAUSE).with_max_delay(LONGEST_PAUSE);
        let mut pauses = pauses.without_max_times().with_jitter().build();
        self.pass().await;
        while !self.parcels.is_empty() && !self.is_late() {
            let pause = pauses.next().unwrap_or(LONGEST_PAUSE).max(self.asked_for());
            sleep_until(self.deadline.min(Instant::now() + pause)).await;
            self.pass().await;
        }
        let late = |(number, parcel): (usize, Parcel)| (number, parcel.unsettled());
        self.settled.extend(self.parcels.into_iter().map(late));
        self.settled
    }

    /// Sends every copy once. Where groups are ordered one that fails holds back those behind it.
    async fn pass(&mut self) {
        let limits = self.branch.subscription().publisher().limits();
        let mut held = HashSet::new();
        loop {
            let wave = self.wave(&held);
            if wave.is_empty() || self.is_late() {
                return;
            }
            for numbers in self.calls(&limits, wave) {
                held.extend(self.call(numbers).await);
            }
        }
    }

    /// Those to send next: at most one of a group.
    fn wave(&self, held: &HashSet<Group>) -> Vec<usize> {
        let mut taken = held.clone();
        let mut next = Vec::new();
        for (number, parcel) in &self.parcels {
            if taken.insert(parcel.group.clone()) {
                next.push(*number);
            }
        }
        next
    }

    /// Cuts a wave into calls.
    fn calls(&self, limits: &Limits, wave: Vec<usize>) -> Vec<Vec<usize>> {
        let sizes: Vec<_> = limits.batches(self.messages(&wave)).iter().map(Vec::len).collect();
        let mut numbers = wave.into_iter();
        sizes.into_iter().map(|size| numbers.by_ref().take(size).collect()).collect()
    }

    fn messages(&self, numbers: &[usize]) -> Vec<Outgoing> {
        let parcels = numbers.iter().filter_map(|number| self.parcels.get(number));
        parcels.map(|parcel| parcel.message.clone()).collect()
    }

    /// Makes one call, unless it is too late. Answers the groups of those that are to be sent again.
    async fn call(&mut self, numbers: Vec<usize>) -> Vec<Group> {
        if self.is_late() {
            return Vec::new();
        }
        let answers = self.answers(self.messages(&numbers)).await;
        numbers.into_iter().zip(answers).filter_map(|(number, answer)| self.note(number, answer)).collect()
    }

    /// The answers to a call, one for each entry whatever happens.
    async fn answers(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, QueueError>> {
        let (entries, publisher) = (batch.len(), self.branch.subscription().publisher());
        let call = AssertUnwindSafe(async { publisher.publish(batch).await }).catch_unwind();
        let (answers, lost) = match timeout_at(self.deadline, call).await {
            Ok(Ok(answers)) => (answers, "it gave no answer for this entry"),
            Ok(Err(_panic)) => (Vec::new(), "it panicked"),
            Err(_elapsed) => (Vec::new(), "it gave no answer before the deadline"),
        };
        let answers = answers.into_iter().map(|answer| answer.map_err(Rejected::into_error));
        answers.chain(repeat_with(|| Err(QueueError::indeterminate(lost)))).take(entries).collect()
    }

    /// Notes the answer to a copy. Answers its group if it is to be sent again.
    fn note(&mut self, number: usize, answer: Result<MessageId, QueueError>) -> Option<Group> {
        let mut parcel = self.parcels.remove(&number)?;
        match answer {
            Ok(_) => self.settled.push((number, Fate::Stored)),
            Err(error) if !error.kind().is_passing() => self.settled.push((number, Fate::Refused(error))),
            Err(error) => {
                let group = parcel.group.clone();
                parcel.failed(error);
                self.parcels.insert(number, parcel);
                return Some(group);
            }
        }
        None
    }

    fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// The longest time that the subscriber asked to be left alone.
    fn asked_for(&self) -> Duration {
        let errors = self.parcels.values().filter_map(|parcel| parcel.error.as_ref());
        errors.filter_map(QueueError::retry_after).max().unwrap_or_default()
    }
}
