//! The registry: the queues by name, and those deleted lately.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::time::Instant;

use super::name::Name;
use super::queue::Queue;

/// How long the name of a deleted queue can't be used (Amazon SQS API Reference, `CreateQueue`).
const PAUSE: Duration = Duration::from_mins(1);

/// All queues.
#[derive(Debug, Default)]
pub(super) struct Registry(RwLock<Queues>);

#[derive(Debug, Default)]
pub(super) struct Queues {
    by_name: BTreeMap<String, Arc<Queue>>,
    deleted: HashMap<String, Instant>,
}

impl Registry {
    pub(super) fn get(&self, name: &str) -> Option<Arc<Queue>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    pub(super) fn by_arn(&self, arn: &str) -> Option<Arc<Queue>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).by_arn(arn).cloned()
    }

    /// All queues in the order of their names.
    pub(super) fn all(&self) -> Vec<Arc<Queue>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).by_name.values().cloned().collect()
    }

    /// Looks and changes as one.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Queues) -> T) -> T {
        change(&mut self.0.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// The queues that give up their messages to the one with this ARN.
    pub(super) fn sources_of(&self, arn: &str) -> Vec<Arc<Queue>> {
        let gives =
            |queue: &Arc<Queue>| queue.settings().redrive().is_some_and(|redrive| redrive.target_arn == arn);
        self.all().into_iter().filter(gives).collect()
    }
}

impl Queues {
    pub(super) fn get(&self, name: &str) -> Option<&Arc<Queue>> {
        self.by_name.get(name)
    }

    pub(super) fn insert(&mut self, queue: Queue) -> Arc<Queue> {
        let queue = Arc::new(queue);
        self.by_name.insert(queue.name.text.clone(), Arc::clone(&queue));
        queue
    }

    pub(super) fn remove(&mut self, name: &str, now: Instant) -> Option<Arc<Queue>> {
        let removed = self.by_name.remove(name);
        if removed.is_some() {
            self.deleted.insert(name.to_owned(), now);
        }
        removed
    }

    /// Whether the name was deleted less than a minute ago.
    pub(super) fn was_deleted_lately(&mut self, name: &str, now: Instant) -> bool {
        self.deleted.retain(|_, at| *at + PAUSE > now);
        self.deleted.contains_key(name)
    }

    pub(super) fn by_arn(&self, arn: &str) -> Option<&Arc<Queue>> {
        Name::in_arn(arn).and_then(|name| self.get(name))
    }
}
