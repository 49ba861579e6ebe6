//! What a receive asks for.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// What one receive asks for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReceiveOptions {
    /// How many messages at most.
    pub max_messages: usize,
    /// How long to wait for the first one; zero answers at once.
    pub wait: Duration,
    /// How long the messages stay hidden; `None` leaves it to the queue, and nothing is sent over the wire (P9).
    pub visibility: Option<Duration>,
    /// Names the attempt: on an ordered queue a receive under the id of one whose answer was lost, within 5 minutes,
    /// brings the same messages again (Q8). Standard queues ignore it.
    pub attempt_id: Option<Arc<str>>,
    /// Ends the wait early where the backend owns the wait; it then answers with what it has. A remote service
    /// finishes its wait.
    pub stop: CancellationToken,
}

impl ReceiveOptions {
    /// The wait of the default options: 20 s, the longest that Amazon SQS allows (`WaitTimeSeconds` of
    /// `ReceiveMessage`).
    pub const DEFAULT_WAIT: Duration = Duration::from_secs(20);

    /// Asks for `max_messages` at most, with the default wait and the queue's own visibility timeout.
    pub fn new(max_messages: usize) -> Self {
        Self {
            max_messages,
            wait: Self::DEFAULT_WAIT,
            visibility: None,
            attempt_id: None,
            stop: CancellationToken::new(),
        }
    }

    /// Sets how long to wait for the first message.
    #[must_use]
    pub fn with_wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Sets how long the messages stay hidden.
    #[must_use]
    pub fn with_visibility(mut self, visibility: Duration) -> Self {
        self.visibility = Some(visibility);
        self
    }

    /// Names the attempt.
    #[must_use]
    pub fn with_attempt_id(mut self, attempt_id: impl Into<Arc<str>>) -> Self {
        self.attempt_id = Some(attempt_id.into());
        self
    }

    /// Sets what ends the wait early.
    #[must_use]
    pub fn with_stop(mut self, stop: CancellationToken) -> Self {
        self.stop = stop;
        self
    }
}

impl Default for ReceiveOptions {
    /// Asks for ten messages, the most that Amazon SQS gives at once.
    fn default() -> Self {
        Self::new(10)
    }
}
