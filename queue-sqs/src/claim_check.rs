//! The claim check: a queue whose large messages leave their bodies in an object store.

mod inspect;
mod outstanding;
mod packing;
mod pointer;
mod publish;
mod receive;
mod settings;
mod settler;
mod sorting;
mod vault;

use std::sync::Arc;
use std::time::Duration;

use object_store::ObjectStore;
use object_store::path::Path;

use outstanding::Outstanding;
use settings::{Settings, Stored};
use vault::Vault;

/// How many bodies of one call are written or fetched at a time: as many as a call of Amazon SQS has messages.
const AT_A_TIME: usize = 10;

/// Leaves the bodies of large messages in an object store and sends pointers in their place.
///
/// Put it around any queue or topic. A message that is larger than the queue takes is written to the store, under a
/// fresh key, and then published with a pointer as its body; whoever receives it through a claim check gets the message
/// as it was, byte for byte, and when it is acked the body is removed. Small messages travel as they are.
///
/// The pointer, and the attribute `ExtendedPayloadSize` that marks it, are those of the Amazon SQS Extended Client
/// Library for Java and its likes for other languages: each reads what the other wrote. The older attribute
/// `SQSLargePayloadSize` is read too.
///
/// # What is left behind
/// Nothing here collects. A body stays in the store for good when its publisher or its consumer was killed between two
/// steps, when an answer was lost, when its removal failed, when it is not named as this layer names bodies, when a
/// message ran into the retention period, when an ordered queue knew the message already, and at a purge. Give the
/// bucket a lifecycle rule that removes what is older than the queue's retention period and the dead-letter queue's
/// together; keep nothing else there, or set a [folder](Self::with_folder).
///
/// # Bodies that can't be had
/// A message whose body is missing, larger than [allowed](Self::with_largest), not UTF-8 or not
/// [ours](Self::with_folder) to read is *not handed out*: a handler that takes any text would take the pointer for the
/// message. It rests for [a while](Self::with_pause), is received again, and moves to the queue's own dead-letter queue
/// after as many receives as the redrive policy says, with its pointer intact. So have one; without it the message
/// comes again until its retention period ends. Each time it is logged. With
/// [`with_broken_delivered`](Self::with_broken_delivered) such a message is handed out with the pointer as its body, for
/// handlers that discard what they can't read.
///
/// When the *store fails*, messages rest too and the others are handed out; if there are none, the receive fails, so
/// that whoever polls backs off (W7). Each time counts as a receive: a store that is away for longer than the pause
/// times the redrive policy's count sends messages to the dead-letter queue. Nothing is lost there; move them back.
///
/// # Who can write
/// A pointer is input: whoever may send to the queue writes what its consumers redeem. Such a sender can have them *read*
/// objects of the bucket whose keys end in a UUID, as those of bodies do; a [folder](Self::with_folder) narrows that down
/// to its objects. An ack *removes* nothing but what is named as this layer names bodies: a random UUID right in the
/// folder, or at the top of the bucket if there is none. The sender would have to know such a key; whoever may receive
/// from a queue knows those of its messages. So let each queue have a folder of its own, and keep nothing else there.
/// Other buckets are not read unless they are [named](Self::with_other_bucket), and never written.
///
/// # Fan-out, retries, dead letters
/// Copies of one message have one body: with a topic in front of several queues, its publishers and the queues'
/// consumers need [`with_bodies_kept`](Self::with_bodies_kept), or the first to ack takes the body from the others.
/// A standard queue may deliver a copy after the message was deleted: that copy's body is gone, and it ends in the
/// dead-letter queue. Queues that a receiver moves messages to are given whole messages, so they need a claim check
/// of their own around them.
///
/// Put it inside of [`Coalesced`](queue_core::Coalesced) and outside of [`Unwrapped`](queue_core::Unwrapped):
/// `Coalesced<ClaimCheck<Metered<Q>>>`.
///
/// # Guarantees
/// Those of the queue, and Q13.
///
/// # Cancel safety
/// Publishing: that of the queue. Receiving: lossy until the bodies are there. Settling: safe; an ack that is
/// dropped may leave the body behind.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use queue_core::{Consumer, MemoryQueue, Outgoing, PublisherExt, ReceiveOptions};
/// use queue_sqs::ClaimCheck;
/// use queue_sqs::object_store::memory::InMemory;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = Arc::new(InMemory::new());
/// let queue = ClaimCheck::new(MemoryQueue::new(), store, "bodies").with_folder("visits");
/// queue.publish_one(Outgoing::new("a visit ".repeat(1_000_000))).await?;
/// for delivery in queue.receive(ReceiveOptions::default()).await? {
///     assert_eq!(delivery.message().body().len(), 8_000_000);
///     delivery.ack().await?;
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct ClaimCheck<Q> {
    queue: Q,
    vault: Vault,
    settings: Settings,
    outstanding: Arc<Outstanding>,
}

impl<Q> ClaimCheck<Q> {
    /// Puts a claim check in front of `queue`. `bucket` is the name of what `store` stores in, as pointers spell it.
    pub fn new(queue: Q, store: Arc<dyn ObjectStore>, bucket: impl Into<Arc<str>>) -> Self {
        let vault = Vault::new(store, bucket.into());
        Self { queue, vault, settings: Settings::default(), outstanding: Arc::default() }
    }

    /// Sets from how many bytes on, exclusive and attributes included, a message leaves its body in the store: more
    /// than the queue takes, unless set.
    ///
    /// A batch of smaller messages that are too large together for one call of the queue leaves the largest of its
    /// bodies in the store too.
    #[must_use]
    pub fn with_threshold(mut self, bytes: usize) -> Self {
        self.settings.stored = Stored::Above(bytes);
        self
    }

    /// Lets every message leave its body in the store, however small.
    #[must_use]
    pub fn with_every_body_stored(mut self) -> Self {
        self.settings.stored = Stored::Every;
        self
    }

    /// Sets how many bytes a message has at most, attributes included, and a batch too: 64 MiB unless set.
    ///
    /// The bodies of a whole receive are in memory at a time, ten of them at Amazon SQS. Extended clients take up to
    /// 2 GB (Amazon SQS Developer Guide, "Managing large Amazon SQS messages using Amazon S3"). It bounds
    /// what is read, too.
    #[must_use]
    pub fn with_largest(mut self, bytes: usize) -> Self {
        self.vault.largest = bytes;
        self
    }

    /// Sets the folder of the bucket that bodies are kept in, without a slash at the end; no pointer reaches out of it.
    /// Characters that the store advises against are percent-encoded. Unless set, bodies lie at the top.
    ///
    /// All publishers and consumers of a queue have the same one. Extended clients that set a prefix are
    /// understood if theirs begins with the folder and a slash; if it is more than that, their bodies are not removed.
    #[must_use]
    pub fn with_folder(mut self, folder: &str) -> Self {
        self.vault.folder = Path::from(folder);
        self
    }

    /// Lets pointers to keys of any form be redeemed, within the bucket and its folder, and in other buckets that are
    /// [named](Self::with_other_bucket). Unless told so, only keys that end in a UUID are: those that this layer and the
    /// extended clients choose by themselves.
    ///
    /// For senders that are set up to name their objects. What is not named as this layer names bodies is never removed.
    #[must_use]
    pub fn with_any_key(mut self) -> Self {
        self.vault.any_key = true;
        self
    }

    /// Lets pointers into another bucket be redeemed, in whatever folder of it. What lies there is read, and never
    /// removed.
    #[must_use]
    pub fn with_other_bucket(mut self, bucket: impl Into<String>, store: Arc<dyn ObjectStore>) -> Self {
        self.vault.others.push((bucket.into(), store));
        self
    }

    /// Removes no body, be its message acked or refused, and leaves that to a lifecycle rule of the bucket.
    #[must_use]
    pub fn with_bodies_kept(mut self) -> Self {
        self.settings.keeps_bodies = true;
        self
    }

    /// Sets how long the bodies of one call may take to be written or fetched: 3 s unless set.
    ///
    /// A receiver gives up a receive that takes longer than its wait and its call margin, and drops what it brought; so
    /// for bodies that take longer set both. Removing bodies after an ack takes a second at most.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.vault.deadline = deadline;
        self
    }

    /// Sets for how long a message rests whose body could not be had: 30 s unless set.
    #[must_use]
    pub fn with_pause(mut self, pause: Duration) -> Self {
        self.settings.pause = pause;
        self
    }

    /// Says that the ordered queue tells messages without a deduplication id apart by their bodies (Q9).
    ///
    /// As the body of a pointer is always another one, such messages are named by the SHA-256 of their own bodies, small
    /// ones too, as the service itself would name them. Without this, a message that leaves its body in the store and
    /// has no deduplication id is refused on an ordered queue.
    #[must_use]
    pub fn with_content_deduplication(mut self) -> Self {
        self.settings.content_deduplication = true;
        self
    }

    /// Hands out messages whose body can't be had, with the pointer as their body and its attribute. Their bodies, if
    /// there are any, are not removed when they are acked.
    ///
    /// For handlers that discard what they can't read, such as [`json`](fn@queue_core::json) of a type with fields: a
    /// receiver then moves them to a dead-letter queue of its own at once.
    #[must_use]
    pub fn with_broken_delivered(mut self) -> Self {
        self.settings.delivers_broken = true;
        self
    }

    /// The queue behind it, whose messages still carry their pointers.
    pub fn queue(&self) -> &Q {
        &self.queue
    }
}
