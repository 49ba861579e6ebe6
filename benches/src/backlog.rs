//! A backlog to work off.

use queue_core::{Outgoing, Publisher};

/// Publishes so many messages, each with a body of so many bytes.
///
/// # Panics
/// If a message is refused: what is measured afterwards would not be what it is called.
pub async fn fill(queue: &impl Publisher, messages: usize, bytes: usize) {
    let message = Outgoing::new("x".repeat(bytes));
    let mut left = messages;
    while left > 0 {
        let batch = left.min(queue.limits().batch);
        let answers = queue.publish(vec![message.clone(); batch]).await;
        assert!(answers.iter().all(Result::is_ok), "a message of {bytes} bytes was refused");
        left -= batch;
    }
}
