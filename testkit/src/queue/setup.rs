//! How a clause wants its queue to be set up.

use std::time::Duration;

use queue_core::{QueueName, QueueType};
use uuid::Uuid;

/// How a clause wants its queue to be set up. Every queue is to be fresh: empty, and shared with no other clause.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setup {
    /// A name that no other clause uses, of 49 characters, such as `conformance_test_<32 hexadecimal digits>`; of an
    /// ordered queue 54, with `.fifo` at the end, as Amazon SQS wants it.
    pub name: QueueName,
    /// The visibility timeout in force when a receive names none; 30 s unless the clause is about it.
    pub visibility: Duration,
    /// The retention period; 4 days unless the clause is about it.
    pub retention: Duration,
    /// How often a message may be received before it moves to a dead-letter queue; `None`: no such queue is wanted.
    /// If there is one, [`Fixture::with_dead_letter`](crate::Fixture::with_dead_letter) hands it over.
    /// It is of the same kind as the queue.
    pub max_receive_count: Option<u32>,
    /// Whether the queue is to be an ordered one, what Amazon SQS calls FIFO. Only clauses of
    /// [`ordered_queue`](fn@crate::ordered_queue) ask for it.
    pub ordered: bool,
    /// Whether an ordered queue is to tell messages without a deduplication id apart by their bodies.
    pub content_deduplication: bool,
}

impl Setup {
    /// What clauses take that are not about the set-up.
    pub(crate) fn usual() -> Self {
        let token = Uuid::new_v4().simple().to_string();
        Self {
            name: QueueName::new("conformance", QueueType::Test, &token)
                .expect("49 characters, all of them letters, digits and underscores"),
            visibility: Duration::from_secs(30),
            retention: Duration::from_hours(4 * 24),
            max_receive_count: None,
            ordered: false,
            content_deduplication: false,
        }
    }

    /// The same for an ordered queue.
    pub(crate) fn into_ordered(self) -> Self {
        let name = self.name.into_fifo().expect("49 characters and the suffix are fewer than 80");
        Self { name, ordered: true, ..self }
    }
}
