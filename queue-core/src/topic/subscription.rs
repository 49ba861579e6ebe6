//! A subscription: who gets a topic's messages, which of them, and in what form.

use std::sync::Arc;

use super::Filter;
use crate::Publisher;

/// A subscription to a [`MemoryTopic`](crate::MemoryTopic). Cheap to clone.
#[derive(Clone, Debug)]
pub struct Subscription {
    name: Arc<str>,
    publisher: Arc<dyn Publisher>,
    enveloped: bool,
    filter: Filter,
}

impl Subscription {
    /// Subscribes `publisher` to the messages as they are: body and attributes.
    pub fn raw(name: impl Into<Arc<str>>, publisher: impl Publisher + 'static) -> Self {
        Self { name: name.into(), publisher: Arc::new(publisher), enveloped: false, filter: Filter::new() }
    }

    /// Subscribes `publisher` to the messages in an envelope: a body of JSON, the one of Amazon SNS notifications
    /// without the signature, that holds body, attributes and the topic's message id. The consumer takes them out with
    /// [`Unwrapped`](crate::Unwrapped).
    pub fn enveloped(name: impl Into<Arc<str>>, publisher: impl Publisher + 'static) -> Self {
        Self { enveloped: true, ..Self::raw(name, publisher) }
    }

    /// Sets which messages it gets; all, unless set.
    #[must_use]
    pub fn with_filter(mut self, filter: Filter) -> Self {
        self.filter = filter;
        self
    }

    /// Its name, unique in its topic.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Who gets the copies.
    pub fn publisher(&self) -> &Arc<dyn Publisher> {
        &self.publisher
    }

    /// Whether the copies come in an envelope.
    pub fn is_enveloped(&self) -> bool {
        self.enveloped
    }

    /// Which messages it gets.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }
}
