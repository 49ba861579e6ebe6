//! Publishing: the bodies first, then the messages that point to them.

use std::collections::HashSet;
use std::fmt::Write;

use futures::stream::{StreamExt, iter};
use object_store::path::Path;
use queue_core::{
    Limits, MessageId, Outgoing, Publisher, PublisherExt, QueueError, QueueErrorKind, Rejected, async_trait,
};
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::settings::is_claim;
use super::{AT_A_TIME, ClaimCheck, packing, pointer};

/// A message on its way.
struct Parcel {
    /// As it was handed over, to be handed back.
    original: Outgoing,
    /// As it is sent.
    sent: Outgoing,
    /// Where its body was put, if it was.
    body: Option<Path>,
}

type Packed = Result<Parcel, Rejected>;

#[async_trait]
impl<Q: Publisher> Publisher for ClaimCheck<Q> {
    /// Publishes a batch: see [`Publisher::publish`].
    ///
    /// The bodies that are too large are written first, ten at a time, each under a fresh key; then the messages go out
    /// in one call of the queue. It takes more only if the attributes, which stay with the messages, are too
    /// large for one.
    ///
    /// A message that carries a pointer already, because it could not be redeemed or was read past the claim check,
    /// is passed on as it is.
    ///
    /// # Guarantees
    /// Q6, Q11. No message is stored whose body is not. Q8: on an ordered queue nothing overtakes a message of its group
    /// whose body could not be written: it is refused too, as *transient*.
    ///
    /// # Cancel safety
    /// That of the queue; bodies that were written stay behind in the store.
    ///
    /// # Errors
    /// Those of the queue, with the message as it was handed over. *Transient*: the body could not be written.
    /// *Permanent*: the store can't do it; an attribute of a reserved name; on an ordered queue no deduplication id
    /// where one is needed. The body of a message that the queue refused is removed; that of an *indeterminate* one is
    /// kept.
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        let packed = self.pack(self.check(batch)).await;
        let mut orphans = Vec::new();
        let packed = self.in_order(packed, &mut orphans);
        let answers = self.send(packed, &mut orphans).await;
        if !self.settings.keeps_bodies {
            self.vault.remove_all(orphans).await;
        }
        answers
    }

    /// What can be published: messages of any size up to [`with_largest`](Self::with_largest), and one attribute less
    /// than the queue takes, which a message with its body in the store needs for itself. That one is kept free on
    /// small messages too, so that it does not depend on a message's size whether it is taken.
    fn limits(&self) -> Limits {
        let inner = self.queue.limits();
        let attributes = inner.attributes.saturating_sub(1);
        inner.with_message_bytes(self.vault.largest).with_attributes(attributes)
    }
}

impl<Q: Publisher> ClaimCheck<Q> {
    fn check(&self, batch: Vec<Outgoing>) -> Vec<Result<Outgoing, Rejected>> {
        let (inner, pointer) = (self.queue.limits(), self.pointer_size());
        // A pointer that is passed on has the mark among its attributes already.
        let limits = self.limits().with_attributes(inner.attributes);
        limits.check_batch(batch, |message| self.settings.check(message, (&inner, pointer)))
    }

    fn pointer_size(&self) -> usize {
        self.vault.pointer(&self.vault.fresh()).body().len()
    }

    /// Writes the bodies that go into the store.
    async fn pack(&self, checked: Vec<Result<Outgoing, Rejected>>) -> Vec<Packed> {
        let sound: Vec<_> = checked.iter().flatten().collect();
        let sizes = (&self.queue.limits(), self.pointer_size());
        let mut chosen = packing::choose(&sound, &self.settings, sizes).into_iter();
        let until = Instant::now() + self.vault.deadline;
        let mut parcels = Vec::with_capacity(checked.len());
        for entry in checked {
            let stored = entry.is_ok() && chosen.next().unwrap_or(false);
            parcels.push(self.parcel(entry, (stored, until)));
        }
        iter(parcels).buffered(AT_A_TIME).collect().await
    }

    async fn parcel(&self, entry: Result<Outgoing, Rejected>, (stored, until): (bool, Instant)) -> Packed {
        let original = entry?;
        let named = self.named(&original);
        if !stored {
            return Ok(Parcel { sent: named, original, body: None });
        }
        let path = self.vault.fresh();
        if let Err(error) = self.vault.put(&path, (original.shared_body(), until)).await {
            return Err(Rejected::new(original, error));
        }
        let attributes = pointer::marked(named.attributes(), original.body().len());
        let body = self.vault.pointer(&path).body();
        let sent = with_body(&named, body).with_attributes(attributes);
        Ok(Parcel { original, sent, body: Some(path) })
    }

    /// On a queue that tells messages apart by their bodies a message is named by its own, as its pointer's is always
    /// another one; by the SHA-256 of it, as the service does (Amazon SQS API Reference, `SendMessage`,
    /// `MessageDeduplicationId`).
    fn named(&self, message: &Outgoing) -> Outgoing {
        let by_content = self.settings.content_deduplication && message.deduplication_id().is_none();
        if !by_content || is_claim(message) || !self.queue.limits().ordered {
            return message.clone();
        }
        message.clone().with_deduplication_id(digest(message.body()))
    }

    /// Holds back, on an ordered queue, what would overtake an earlier message of its group.
    fn in_order(&self, packed: Vec<Packed>, orphans: &mut Vec<Path>) -> Vec<Packed> {
        let ordered = self.queue.limits().ordered;
        let mut stuck: HashSet<String> = HashSet::new();
        let mut admit = |entry: Packed| match entry {
            Ok(parcel) if parcel.original.group_key().is_some_and(|group| stuck.contains(group)) => {
                orphans.extend(parcel.body);
                let error =
                    QueueError::transient("the body of an earlier message of its group was not written");
                Err(Rejected::new(parcel.original, error))
            }
            Err(rejected) if ordered && rejected.kind().is_passing() => {
                stuck.extend(rejected.message().group_key().map(str::to_owned));
                Err(rejected)
            }
            entry => entry,
        };
        packed.into_iter().map(&mut admit).collect()
    }

    async fn send(&self, packed: Vec<Packed>, orphans: &mut Vec<Path>) -> Vec<Result<MessageId, Rejected>> {
        let sent = packed.iter().flatten().map(|parcel| parcel.sent.clone()).collect();
        let mut answers = self.queue.publish_all(sent).await.into_iter();
        let mut answer = |entry: Packed| {
            let parcel = entry?;
            let answer = answers.next().map(|answer| answer.map_err(Rejected::into_error));
            let error = match answer {
                Some(Ok(id)) => return Ok(id),
                Some(Err(error)) => error,
                None => QueueError::indeterminate("the backend gave no answer for this entry"),
            };
            if error.kind() != QueueErrorKind::Indeterminate {
                orphans.extend(parcel.body);
            }
            Err(Rejected::new(parcel.original, error))
        };
        packed.into_iter().map(&mut answer).collect()
    }
}

/// The same message with another body.
fn with_body(message: &Outgoing, body: String) -> Outgoing {
    let mut copy = Outgoing::new(body);
    if let Some(delay) = message.delay() {
        copy = copy.with_delay(delay);
    }
    if let Some(group) = message.group_key() {
        copy = copy.with_group_key(group);
    }
    match message.deduplication_id() {
        Some(id) => copy.with_deduplication_id(id),
        None => copy,
    }
}

fn digest(body: &str) -> String {
    let mut digest = String::with_capacity(64);
    for byte in Sha256::digest(body) {
        // Writing to a String can't fail.
        write!(digest, "{byte:02x}").ok();
    }
    digest
}
