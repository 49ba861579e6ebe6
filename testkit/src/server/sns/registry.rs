//! The registry: the topics there are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::super::error::ServiceError;
use super::arn;
use super::refusal::no_topic;
use super::topic::Topic;

#[derive(Debug, Default)]
pub(super) struct Registry(Mutex<BTreeMap<String, Arc<Topic>>>);

impl Registry {
    /// The topic of that ARN, or else the new one.
    pub(super) fn add(&self, topic: Topic) -> Arc<Topic> {
        Arc::clone(self.lock().entry(topic.arn().to_owned()).or_insert_with(|| Arc::new(topic)))
    }

    pub(super) fn remove(&self, arn: &str) {
        self.lock().remove(arn);
    }

    pub(super) fn find(&self, arn: &str) -> Option<Arc<Topic>> {
        self.lock().get(arn).cloned()
    }

    /// The topic that `parameter` names.
    pub(super) fn topic(&self, parameter: &str, arn: &str) -> Result<Arc<Topic>, ServiceError> {
        arn::check(parameter, arn)?;
        self.find(arn).ok_or_else(no_topic)
    }

    /// The topic that a subscription of this ARN belongs to.
    pub(super) fn topic_of(&self, subscription: &str) -> Option<Arc<Topic>> {
        self.find(subscription.rsplit_once(':')?.0)
    }

    /// All, in the order of their ARNs.
    pub(super) fn topics(&self) -> Vec<Arc<Topic>> {
        self.lock().values().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Topic>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
