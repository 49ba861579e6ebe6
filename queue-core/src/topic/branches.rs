//! The branches of a topic: its subscriptions in force.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::branch::Branch;
use crate::QueueError;

#[derive(Debug, Default)]
pub(super) struct Branches(Mutex<Vec<Arc<Branch>>>);

impl Branches {
    /// Adds a branch, unless there is one of its name.
    pub(super) fn add(&self, branch: Branch) -> Result<(), QueueError> {
        let name = branch.subscription().name();
        let mut branches = self.lock();
        if branches.iter().any(|other| other.subscription().name() == name) {
            return Err(QueueError::permanent(format!(
                "there is a subscription {name:?}; unsubscribe it first"
            )));
        }
        branches.push(Arc::new(branch));
        Ok(())
    }

    pub(super) fn remove(&self, name: &str) -> bool {
        let mut branches = self.lock();
        let Some(at) = branches.iter().position(|branch| branch.subscription().name() == name) else {
            return false;
        };
        branches.remove(at).removed.cancel();
        true
    }

    /// Those in force now.
    pub(super) fn list(&self) -> Vec<Arc<Branch>> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Branch>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
