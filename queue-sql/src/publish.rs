//! Publishing: what is checked, what is stored, and what is handed back.

use std::fmt::Write as _;

use queue_core::{Limits, MessageId, Outgoing, QueueError, Rejected};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::queue::Shared;
use crate::store::{Letter, QueueRecord, Store};
use crate::{SqlQueue, attributes};

type Answers = Vec<Result<MessageId, Rejected>>;

impl<S: Store> SqlQueue<S> {
    /// Publishes a batch within the caller's own transaction: the messages are there if and only if it commits.
    ///
    /// `connection` is the transaction's: `queue.publish_in(&mut *transaction, batch)`. Call [`wake`](Self::wake) after the
    /// commit, and a receive of this process that waits gets them at once.
    ///
    /// On an ordered queue it locks the groups of the batch until the transaction ends: other publishers to them
    /// wait, which is what keeps their order that of the commits. Keep such transactions short.
    ///
    /// # Guarantees
    /// Those of [`Publisher::publish`](queue_core::Publisher::publish); Q9 within the transaction's own view.
    ///
    /// # Cancel safety
    /// Unsafe: roll the transaction back.
    ///
    /// # Errors
    /// By entry, as [`Publisher::publish`](queue_core::Publisher::publish). What breaks a limit touches nothing. After any
    /// other error the transaction can't go on: roll it back. A deadlock is not retried, as the transaction is gone.
    pub async fn publish_in(&self, connection: &mut S::Connection, batch: Vec<Outgoing>) -> Answers {
        let shared = &self.shared;
        let checked = shared.check(batch);
        let letters = letters(&shared.record, &checked);
        if letters.is_empty() {
            return answer(checked, Ok(Vec::new()));
        }
        let stored = shared.database.store.publish_in(connection, &shared.record, &letters).await;
        answer(checked, stored)
    }
}

impl<S: Store> Shared<S> {
    pub(crate) fn limits(&self) -> Limits {
        Limits::default().with_ordered(self.record.settings.ordered)
    }

    /// Stores what the limits allow and hands back the rest, in the order of the batch (Q6, Q11).
    pub(crate) async fn publish(&self, batch: Vec<Outgoing>) -> Answers {
        let checked = self.check(batch);
        let letters = letters(&self.record, &checked);
        if letters.is_empty() {
            return answer(checked, Ok(Vec::new()));
        }
        let stored = self.database.store.publish(&self.record, &letters).await;
        if stored.is_ok() {
            self.announce();
        }
        answer(checked, stored)
    }

    fn check(&self, batch: Vec<Outgoing>) -> Vec<Result<Outgoing, Rejected>> {
        self.limits().check_batch(batch, |message| check_identity(&self.record, message))
    }
}

/// Whether an ordered queue can tell the message from others (Q9).
fn check_identity(queue: &QueueRecord, message: &Outgoing) -> Result<(), QueueError> {
    let settings = &queue.settings;
    if !settings.ordered || settings.content_deduplication || message.deduplication_id().is_some() {
        return Ok(());
    }
    Err(QueueError::permanent(
        "an ordered queue needs a deduplication id on each message, or to be set to deduplicate by content",
    ))
}

/// What is to be stored of a batch.
fn letters(queue: &QueueRecord, checked: &[Result<Outgoing, Rejected>]) -> Vec<Letter> {
    checked.iter().flatten().map(|message| letter(queue, message)).collect()
}

fn letter(queue: &QueueRecord, message: &Outgoing) -> Letter {
    Letter {
        id: Uuid::new_v4(),
        body: message.shared_body(),
        attributes: attributes::write(message.attributes()),
        delay: queue.settings.delay_of(message.delay()),
        group: message.group_key().map(Into::into),
        identity: queue.settings.ordered.then(|| identity(message)),
    }
}

/// What two messages have in common when one is the other sent again: the id, else the digest of the body. The prefixes
/// keep an id that spells a digest from being one.
fn identity(message: &Outgoing) -> String {
    if let Some(id) = message.deduplication_id() {
        return format!("id:{id}");
    }
    let mut identity = "body:".to_owned();
    for byte in Sha256::digest(message.body()) {
        // Writing to a String can't fail.
        write!(identity, "{byte:02x}").ok();
    }
    identity
}

/// The answer to each entry, in the order of the batch.
fn answer(checked: Vec<Result<Outgoing, Rejected>>, stored: Result<Vec<Uuid>, QueueError>) -> Answers {
    let mut ids = stored.map(Vec::into_iter);
    let settle = |entry: Result<Outgoing, Rejected>| {
        let message = entry?;
        match &mut ids {
            Ok(ids) => ids.next().map(|id| MessageId::new(id.to_string())).ok_or_else(|| {
                Rejected::new(
                    message,
                    QueueError::indeterminate("the database gave no answer for this entry"),
                )
            }),
            Err(error) => Err(Rejected::new(message, error.clone())),
        }
    };
    checked.into_iter().map(settle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::tests::record;

    // Q9
    #[test]
    fn an_identity_is_the_id_or_else_the_body_and_the_two_never_meet() {
        let by_body = identity(&Outgoing::new("x"));
        assert_eq!(by_body, identity(&Outgoing::new("x").with_attribute("a", "b").with_group_key("g")));
        assert_ne!(by_body, identity(&Outgoing::new("y")));
        assert_ne!(by_body, identity(&Outgoing::new("x").with_deduplication_id(&by_body[5..])));
        assert!(by_body.len() <= 133);
        assert_eq!(identity(&Outgoing::new("x").with_deduplication_id("7")), "id:7");
        assert_eq!(letter(&record(false), &Outgoing::new("x")).identity, None);
    }
}
