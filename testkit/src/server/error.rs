//! A service's refusal.

/// What a call is refused with, in words that either protocol can carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServiceError {
    /// The error's name in AWS JSON, such as `QueueDoesNotExist`; for Amazon SNS its query code, such as `NotFound`.
    pub(super) name: String,
    /// The code in the older query protocol, such as `AWS.SimpleQueueService.NonExistentQueue`.
    pub(super) query_code: String,
    /// The HTTP status.
    pub(super) status: u16,
    /// Whether the sender caused it.
    pub(super) sender: bool,
    /// What is wrong, for people.
    pub(super) message: String,
}

impl ServiceError {
    /// A refusal that the sender caused: status 400, the same name in both protocols.
    pub(super) fn sender(name: impl Into<String>, message: impl Into<String>) -> Self {
        let name = name.into();
        Self { query_code: name.clone(), name, status: 400, sender: true, message: message.into() }
    }

    /// The same under another code in the query protocol.
    pub(super) fn with_query_code(mut self, code: impl Into<String>) -> Self {
        self.query_code = code.into();
        self
    }
}
