//! A message on its way to a publisher.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::message::Beginning;
use crate::{AttributeValue, Attributes, QueueError};

/// A message to publish.
///
/// It is checked against the publisher's [`Limits`](crate::Limits) when it is published, not before (Q11).
/// Cheap to clone.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Outgoing {
    body: Arc<str>,
    attributes: Attributes,
    delay: Option<Duration>,
    group_key: Option<Arc<str>>,
    deduplication_id: Option<Arc<str>>,
}

impl Outgoing {
    /// Makes a message with `body` and nothing else.
    pub fn new(body: impl Into<Arc<str>>) -> Self {
        Self { body: body.into(), ..Self::default() }
    }

    /// Makes a message whose body is `value` as JSON.
    ///
    /// # Errors
    /// [`Permanent`](crate::QueueErrorKind::Permanent) when `value` has no JSON form.
    pub fn json<T: Serialize + ?Sized>(value: &T) -> Result<Self, QueueError> {
        serde_json::to_string(value).map(Self::new).map_err(|error| {
            QueueError::permanent(format!("{} has no JSON form", std::any::type_name::<T>()))
                .with_source(error)
        })
    }

    /// Sets one attribute.
    #[must_use]
    pub fn with_attribute(mut self, name: impl Into<String>, value: impl Into<AttributeValue>) -> Self {
        self.attributes.insert(name, value);
        self
    }

    /// Sets all attributes.
    #[must_use]
    pub fn with_attributes(mut self, attributes: Attributes) -> Self {
        self.attributes = attributes;
        self
    }

    /// Hides it for `delay` after it is stored.
    #[must_use]
    pub fn with_delay(mut self, delay: Duration) -> Self {
        self.delay = Some(delay);
        self
    }

    /// Puts it in a group: on ordered queues a group's messages keep their order (Q8); on standard queues the
    /// key marks the tenant and orders nothing.
    #[must_use]
    pub fn with_group_key(mut self, group_key: impl Into<Arc<str>>) -> Self {
        self.group_key = Some(group_key.into());
        self
    }

    /// Names it, so that an ordered queue stores it once however often it is sent (Q9).
    #[must_use]
    pub fn with_deduplication_id(mut self, id: impl Into<Arc<str>>) -> Self {
        self.deduplication_id = Some(id.into());
        self
    }

    /// The body.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The body, shared.
    pub fn shared_body(&self) -> Arc<str> {
        Arc::clone(&self.body)
    }

    /// The attributes.
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// How long it is hidden after it is stored; `None` leaves it to the queue.
    pub fn delay(&self) -> Option<Duration> {
        self.delay
    }

    /// The group it belongs to.
    pub fn group_key(&self) -> Option<&str> {
        self.group_key.as_deref()
    }

    /// The name under which it is stored once.
    pub fn deduplication_id(&self) -> Option<&str> {
        self.deduplication_id.as_deref()
    }

    /// Its size as queues count it, in bytes: the body and the attributes' names, types and values.
    pub fn size(&self) -> usize {
        self.body.len() + self.attributes.size()
    }
}

/// The body's beginning only: it can be long, and it is the customer's.
impl fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outgoing")
            .field("body", &Beginning(&self.body))
            .field("attributes", &self.attributes)
            .field("delay", &self.delay)
            .field("group_key", &self.group_key)
            .field("deduplication_id", &self.deduplication_id)
            .finish()
    }
}
