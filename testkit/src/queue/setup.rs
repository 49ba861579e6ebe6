//! How a clause wants its queue to be set up.

use std::time::Duration;

use queue_core::{QueueName, QueueType};
use uuid::Uuid;

/// How a clause wants its queue to be set up. Every queue is to be fresh: empty, and shared with no other clause.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setup {
    /// A name that no other clause uses, of 49 characters, such as `conformance_test_<32 hexadecimal digits>`.
    pub name: QueueName,
    /// The visibility timeout in force when a receive names none; 30 s unless the clause is about it.
    pub visibility: Duration,
    /// The retention period; 4 days unless the clause is about it.
    pub retention: Duration,
    /// How often a message may be received before it moves to a dead-letter queue; `None`: no such queue is wanted.
    /// If there is one, [`Fixture::with_dead_letter`](crate::Fixture::with_dead_letter) hands it over.
    pub max_receive_count: Option<u32>,
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
        }
    }
}
