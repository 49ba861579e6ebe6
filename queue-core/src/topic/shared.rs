//! What the clones of a topic share.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use super::branch::Branch;
use super::branches::Branches;
use super::courier::Courier;
use super::entry::Entry;
use super::fan_out::{FanOut, Sent};
use super::group::Group;
use super::parcel::Parcel;
use super::{Subscription, TopicOptions};
use crate::clock::WallClock;
use crate::{Limits, Outgoing, QueueError, Rejected};

/// A deadline beyond this is as good as none.
const LONGEST_DEADLINE: Duration = Duration::from_hours(24 * 365);

type Load = (Arc<Branch>, BTreeMap<usize, Parcel>);

pub(super) struct Shared {
    name: Arc<str>,
    options: TopicOptions,
    clock: WallClock,
    pub(super) branches: Branches,
    pub(super) tasks: TaskTracker,
    /// Held while a publish takes its places in the lines, so that it has the same in all.
    departures: Mutex<()>,
    unmatched: AtomicU64,
}

impl Shared {
    pub(super) fn new(name: Arc<str>, options: TopicOptions) -> Self {
        let tasks = TaskTracker::new();
        tasks.close(); // so that it can be waited for
        Self {
            name,
            options,
            clock: WallClock::start(),
            branches: Branches::default(),
            tasks,
            departures: Mutex::new(()),
            unmatched: AtomicU64::new(0),
        }
    }

    pub(super) fn subscribe(&self, subscription: Subscription) -> Result<(), QueueError> {
        let branch = Branch::new(subscription);
        if branch.is_ordered() && !self.options.limits.ordered {
            let name = branch.subscription().name();
            return Err(QueueError::permanent(format!(
                "{name:?} is ordered and needs a group key on each message; that takes an ordered topic"
            )));
        }
        self.branches.add(branch)
    }

    pub(super) fn limits(&self) -> Limits {
        self.narrowed(&self.branches.list())
    }

    fn narrowed(&self, branches: &[Arc<Branch>]) -> Limits {
        let own = self.options.limits.clone();
        branches.iter().fold(own, |limits, branch| branch.narrow(limits, &self.name))
    }

    pub(super) fn unmatched(&self) -> u64 {
        self.unmatched.load(Ordering::Relaxed)
    }

    /// Sends the copies of what the limits allow on their way.
    pub(super) fn fan_out(&self, batch: Vec<Outgoing>) -> FanOut {
        let branches = self.branches.list();
        let limits = self.narrowed(&branches);
        let checked = limits.check_batch(batch, |_message| Ok(())).into_iter();
        let entries: Vec<_> = checked.map(|entry| entry.map(Entry::new)).collect();
        let loads: Vec<_> = branches.into_iter().map(|branch| self.load(branch, &entries)).collect();
        self.count_unmatched(&entries, &loads);
        FanOut { limits, entries, sent: self.depart(loads) }
    }

    /// The copies for one subscriber.
    fn load(&self, branch: Arc<Branch>, entries: &[Result<Entry, Rejected>]) -> Load {
        let (subscription, ordered) = (branch.subscription(), branch.is_ordered());
        let topic = (&*self.name, self.clock.at(Instant::now()));
        let checked =
            entries.iter().enumerate().filter_map(|(number, entry)| Some((number, entry.as_ref().ok()?)));
        let parcel = |(number, entry): (usize, &Entry)| {
            let message = entry.copy(subscription, ordered, topic);
            let group = Group::of(&message, number, ordered);
            (number, Parcel::new(message, group))
        };
        let parcels = checked.filter(|(_, entry)| entry.passes(subscription)).map(parcel).collect();
        (branch, parcels)
    }

    fn count_unmatched(&self, entries: &[Result<Entry, Rejected>], loads: &[Load]) {
        let is_taken = |number: &usize| loads.iter().any(|(_, parcels)| parcels.contains_key(number));
        let published = entries.iter().enumerate().filter(|(_, entry)| entry.is_ok());
        let unmatched = published.filter(|(number, _)| !is_taken(number)).count();
        self.unmatched.fetch_add(unmatched as u64, Ordering::Relaxed);
    }

    fn depart(&self, loads: Vec<Load>) -> Vec<Sent> {
        let _order = self.departures.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = Instant::now() + self.options.deadline.min(LONGEST_DEADLINE);
        let loads = loads.into_iter().filter(|(_, parcels)| !parcels.is_empty());
        loads.map(|load| self.send(load, deadline)).collect()
    }

    fn send(&self, (branch, parcels): Load, deadline: Instant) -> Sent {
        let place = branch.is_ordered().then(|| branch.line.join());
        let (subscriber, numbers) = (branch.subscription().name().into(), parcels.keys().copied().collect());
        let courier = Courier::new(branch, deadline, parcels);
        Sent { subscriber, numbers, courier: self.tasks.spawn(courier.run(place)) }
    }
}

/// Names the subscribers, not what they hold.
impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let branches = self.branches.list();
        let names: Vec<_> = branches.iter().map(|branch| branch.subscription().name()).collect();
        f.debug_struct("MemoryTopic")
            .field("name", &self.name)
            .field("subscribers", &names)
            .finish_non_exhaustive()
    }
}
