//! The service Amazon SNS: its operations by name.
//!
//! What is published has been delivered before the publish answers, so that a test sees it at once; the real service
//! delivers later.
//!
//! It is not made of `queue_core::MemoryTopic`. That discards nothing, refuses for all what one subscriber would
//! refuse, and sends again until a deadline; the service accepts, discards and dead-letters by subscription. And its
//! filters know less than the service's policies: see [`filter`].

mod arn;
mod attributes;
mod batch;
mod deliveries;
mod filter;
mod form;
mod listing;
mod message;
mod notification;
mod once;
mod publish;
mod refusal;
mod registry;
mod settings;
mod subscribe;
mod subscription;
mod tags;
mod terms;
mod topic;
mod topics;
mod xml;

use std::sync::Arc;

use queue_core::MemoryClock;

use super::effects::Effects;
use super::error::ServiceError;
use super::sqs::Sqs;
use deliveries::Counts;
use registry::Registry;
use xml::Xml;

pub use deliveries::Deliveries;
pub(super) use form::Form;

/// The service.
pub(super) struct Sns {
    sqs: Arc<Sqs>,
    clock: MemoryClock,
    registry: Registry,
    counts: Counts,
}

impl Sns {
    pub(super) fn new(sqs: Arc<Sqs>, clock: MemoryClock) -> Self {
        Self { sqs, clock, registry: Registry::default(), counts: Counts::default() }
    }

    /// Does a call. Answers the XML inside of its result.
    ///
    /// # Cancel safety
    /// A publish is done or not begun: once it has come to its topic it waits for nothing. One that waits for its turn
    /// at an ordered topic and is dropped has not been published.
    ///
    /// # Errors
    /// As the service refuses it.
    pub(super) async fn call(
        &self,
        operation: &str,
        form: &Form,
        effects: &Effects,
    ) -> Result<String, ServiceError> {
        let answer = match operation {
            "Publish" => self.publish(form).await,
            "PublishBatch" => self.publish_batch(form, effects).await,
            _ => self.manage(operation, form),
        };
        answer.map(Xml::into_string)
    }

    /// Whether an operation manages topics and subscriptions; the others publish.
    pub(super) fn is_setup(operation: &str) -> bool {
        !matches!(operation, "Publish" | "PublishBatch")
    }

    /// What became of the copies of what was published.
    pub(super) fn deliveries(&self) -> Deliveries {
        self.counts.read()
    }

    fn manage(&self, operation: &str, form: &Form) -> Result<Xml, ServiceError> {
        let registry = &self.registry;
        match operation {
            "CreateTopic" => topics::create(registry, form),
            "DeleteTopic" => topics::delete(registry, form),
            "GetTopicAttributes" => topics::attributes(registry, form),
            "SetTopicAttributes" => topics::set_attribute(registry, form),
            "ListTopics" => listing::topics(registry, form),
            "ListTagsForResource" | "TagResource" | "UntagResource" => tags::call(registry, operation, form),
            _ => subscribe::call(registry, operation, form),
        }
    }
}
