//! The options of a topic in memory.

use std::time::Duration;

use crate::Limits;

/// What a [`MemoryTopic`](crate::MemoryTopic) can be set to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TopicOptions {
    /// How long a publish waits for the subscribers, its repetitions included: 10 s.
    pub deadline: Duration,
    /// What can be published, before subscriptions narrow it. The defaults are those of an Amazon SNS topic: 262,144
    /// bytes in a message and in a batch (Amazon SNS endpoints and quotas, "Message size"), 10 attributes, which is
    /// what raw delivery to Amazon SQS carries (P52), and no delays.
    pub limits: Limits,
}

impl TopicOptions {
    /// Sets how long a publish waits for the subscribers, its repetitions included.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Sets what can be published, before subscriptions narrow it; and whether the topic is ordered.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl Default for TopicOptions {
    fn default() -> Self {
        let mut limits = Limits::default().with_message_bytes(262_144);
        limits.max_delay = Duration::ZERO;
        Self { deadline: Duration::from_secs(10), limits }
    }
}
