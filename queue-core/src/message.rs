//! A message as a consumer sees it.

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use serde::de::DeserializeOwned;

use crate::{Attributes, Outgoing};

/// The id that the queue gave a message when it stored it; unique within the queue.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageId(Arc<str>);

impl MessageId {
    /// Takes over an id as the backend wrote it.
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self(id.into())
    }

    /// The id's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MessageId({})", self.0)
    }
}

/// A message: its body, its attributes, and what the queue knows of it.
///
/// Cheap to clone: body and attributes are shared.
#[derive(Clone)]
pub struct Message {
    id: MessageId,
    body: Arc<str>,
    attributes: Attributes,
    receive_count: u32,
    sent_at: Option<SystemTime>,
    group_key: Option<Arc<str>>,
}

impl Message {
    /// Makes a message that is received for the first time.
    pub fn new(id: MessageId, body: impl Into<Arc<str>>) -> Self {
        Self {
            id,
            body: body.into(),
            attributes: Attributes::new(),
            receive_count: 1,
            sent_at: None,
            group_key: None,
        }
    }

    /// Sets the attributes.
    #[must_use]
    pub fn with_attributes(mut self, attributes: Attributes) -> Self {
        self.attributes = attributes;
        self
    }

    /// Sets how often it has been delivered, this time included.
    #[must_use]
    pub fn with_receive_count(mut self, receive_count: u32) -> Self {
        self.receive_count = receive_count;
        self
    }

    /// Sets when the queue stored it, by the queue's clock.
    #[must_use]
    pub fn with_sent_at(mut self, sent_at: SystemTime) -> Self {
        self.sent_at = Some(sent_at);
        self
    }

    /// Sets the group it belongs to.
    #[must_use]
    pub fn with_group_key(mut self, group_key: impl Into<Arc<str>>) -> Self {
        self.group_key = Some(group_key.into());
        self
    }

    /// The id that the queue gave it.
    pub fn id(&self) -> &MessageId {
        &self.id
    }

    /// The body.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The attributes.
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// How often it has been delivered, this time included (Q7).
    pub fn receive_count(&self) -> u32 {
        self.receive_count
    }

    /// When the queue stored it, by the queue's clock; `None` where the backend does not say.
    pub fn sent_at(&self) -> Option<SystemTime> {
        self.sent_at
    }

    /// The group it belongs to.
    pub fn group_key(&self) -> Option<&str> {
        self.group_key.as_deref()
    }

    /// Its size as queues count it, in bytes: the body and the attributes' names, types and values.
    pub fn size(&self) -> usize {
        self.body.len() + self.attributes.size()
    }

    /// Reads the body as JSON.
    ///
    /// # Errors
    /// What `serde_json` says of a body that is not JSON or has other fields or types.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.body)
    }

    /// Makes the same content ready to be published elsewhere: body, attributes and group.
    #[must_use]
    pub fn to_outgoing(&self) -> Outgoing {
        let outgoing = Outgoing::new(Arc::clone(&self.body)).with_attributes(self.attributes.clone());
        match &self.group_key {
            Some(group) => outgoing.with_group_key(Arc::clone(group)),
            None => outgoing,
        }
    }
}

/// The body's beginning only: it can be long, and it is the customer's.
impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("id", &self.id)
            .field("body", &Beginning(&self.body))
            .field("attributes", &self.attributes)
            .field("receive_count", &self.receive_count)
            .field("sent_at", &self.sent_at)
            .field("group_key", &self.group_key)
            .finish()
    }
}

/// The first characters of a body, and how many bytes it has.
pub(crate) struct Beginning<'a>(pub(crate) &'a str);

impl fmt::Debug for Beginning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = self.0.chars().take(64).collect();
        if shown.len() == self.0.len() {
            write!(f, "{shown:?}")
        } else {
            write!(f, "{shown:?}… {} bytes", self.0.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_body_is_not_printed_whole() {
        let long = "x".repeat(1_000_000);
        let message = format!("{:?}", Message::new(MessageId::new("1"), long.clone()));
        let outgoing = format!("{:?}", Outgoing::new(long));
        assert!(message.len() < 400 && message.contains("1000000 bytes"), "{message}");
        assert!(outgoing.len() < 400 && outgoing.contains("1000000 bytes"), "{outgoing}");
        assert!(format!("{:?}", Outgoing::new("short")).contains("\"short\""));
    }
}
