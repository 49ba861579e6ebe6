//! An entry: a message that was published to a topic, on its way to the subscribers.

use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use uuid::Uuid;

use super::{MemoryTopic, Subscription};
use crate::{Limits, MessageId, Outgoing, QueueError, QueueErrorKind, Rejected, envelope};

#[derive(Debug)]
pub(super) struct Entry {
    message: Outgoing,
    id: MessageId,
    envelope: OnceLock<Arc<str>>,
}

impl Entry {
    pub(super) fn new(message: Outgoing) -> Self {
        let id =
            message.attributes().message_id().unwrap_or_else(|| MessageId::new(Uuid::new_v4().to_string()));
        Self { message, id, envelope: OnceLock::new() }
    }

    pub(super) fn passes(&self, subscription: &Subscription) -> bool {
        subscription.filter().matches(self.message.attributes())
    }

    /// Makes a subscriber's copy. Every copy for an ordered one has a deduplication id, so that it is stored once.
    pub(super) fn copy(
        &self,
        subscription: &Subscription,
        ordered: bool,
        topic: (&str, SystemTime),
    ) -> Outgoing {
        let copy = if subscription.is_enveloped() {
            Outgoing::new(self.envelope(topic))
        } else {
            Outgoing::new(self.message.shared_body()).with_attributes(self.message.attributes().clone())
        };
        let once = self.message.deduplication_id().unwrap_or(self.id.as_str());
        let copy = ordered.then_some(once).into_iter().fold(copy, Outgoing::with_deduplication_id);
        let copy = self.message.group_key().into_iter().fold(copy, Outgoing::with_group_key);
        self.message.delay().into_iter().fold(copy, Outgoing::with_delay)
    }

    fn envelope(&self, (topic, at): (&str, SystemTime)) -> Arc<str> {
        Arc::clone(self.envelope.get_or_init(|| envelope::wrap(&self.message, &self.id, topic, at).into()))
    }

    /// Answers for it. What may have been stored somewhere is handed back under its id, if there is room for it.
    pub(super) fn answer(
        self,
        verdict: Result<(), QueueError>,
        limits: &Limits,
    ) -> Result<MessageId, Rejected> {
        let Err(error) = verdict else { return Ok(self.id) };
        if error.kind() != QueueErrorKind::Indeterminate {
            return Err(Rejected::new(self.message, error));
        }
        let renamed = self.message.attributes().get(MemoryTopic::MESSAGE_ID).is_none();
        let under_id = self.message.clone().with_attribute(MemoryTopic::MESSAGE_ID, self.id.as_str());
        let fits = renamed && limits.check(&under_id).is_ok();
        Err(Rejected::new(if fits { under_id } else { self.message }, error))
    }
}
