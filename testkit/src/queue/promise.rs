//! What a queue may promise beyond what every queue of the family does.

use crate::promises::Promises;

/// What a queue may promise, or not.
///
/// What is not here every queue promises: deliveries are hidden and come back, what is deleted stays deleted, batches
/// are answered entry by entry, an empty queue gives an empty list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum QueuePromise {
    /// Q4: deleting by a receipt whose message was given to another consumer is *lost* and deletes nothing. Standard
    /// queues of Amazon SQS can't tell.
    StaleDeletes,
    /// Q4: changing the visibility by such a receipt is *lost* and changes nothing.
    StaleExtensions,
    /// Q4: changing the visibility of a delivery whose time ran out is *lost*, though nobody else got the message.
    ExpiredExtensions,
    /// Q3: a delete that comes late, but before anybody else got the message, deletes it. Ordered queues refuse it.
    LateDeletes,
    /// Q8, P1: on an ordered queue deleting a delivery whose time ran out is *lost*, though nobody else got the message.
    /// Emulators let it.
    ExpiredDeletes,
    /// Q8: one receive of an ordered queue brings as many of a group as it asks for and as are there. Some emulators
    /// bring one.
    GroupBatches,
    /// Q8: a group of which one receive brought several is held until the last of them is settled. Some emulators let
    /// it go with the first.
    WholeGroups,
    /// Q8: each group of an ordered queue that is ready has its turn before one has a second. Amazon SQS does not say
    /// so.
    GroupTurns,
    /// Q9: what is sent to an ordered queue twice under one deduplication id is stored once.
    Deduplication,
    /// Q9: an ordered queue can be set up to tell what was sent twice by its body.
    ContentDeduplication,
    /// Q9: an id that spells a body's digest is not that body. At Amazon SQS it is.
    SeparateIds,
    /// Q8: a receive of an ordered queue is repeated under its attempt id. Emulators ignore it.
    AttemptIds,
    /// Q5: a waiting receive returns as soon as a message arrives or becomes visible again.
    LongPolls,
    /// Q5: the stop token ends a wait. A remote service finishes its wait.
    Stop,
    /// A receive brings as many as were asked for when that many are there. Amazon SQS often brings fewer.
    FullBatches,
    /// Q3: two consumers never hold the same message at a time. Standard queues of Amazon SQS may deliver twice.
    SingleDelivery,
    /// Q7: the receive count is exact.
    ReceiveCounts,
    /// A receive that is dropped while it waits takes no message with it that is published later. Emulators let it.
    DroppedReceives,
    /// Q7: there is a dead-letter queue where the set-up asks for one.
    DeadLetter,
    /// Q10: messages older than the retention period are gone. Services may know no retention short enough to wait
    /// for in a test.
    Retention,
    /// A message can be published with a delay of its own. Ordered queues take none.
    Delay,
    /// Q11: the message has to keep the rules of Amazon SQS: no empty body, only characters that XML knows, names and
    /// values of attributes that it would take.
    MessageRules,
    /// Q11: the size of messages and the number of their attributes are bounded.
    Bounds,
    /// Characters beyond U+FFFF come back. Some emulators refuse them.
    FullUnicode,
    /// Q11: attribute names of 256 characters are taken. Some emulators take one character fewer.
    LongNames,
    /// The fixture's [`Inspect`](queue_core::Inspect) counts exactly. Not in [`Promises::standard`].
    ExactDepth,
    /// The fixture's [`Inspect`](queue_core::Inspect) purges at once. Not in [`Promises::standard`].
    Purge,
}

/// What [`Promises::standard`] promises.
const STANDARD: [QueuePromise; 17] = [
    QueuePromise::StaleDeletes,
    QueuePromise::StaleExtensions,
    QueuePromise::ExpiredExtensions,
    QueuePromise::LateDeletes,
    QueuePromise::LongPolls,
    QueuePromise::Stop,
    QueuePromise::FullBatches,
    QueuePromise::SingleDelivery,
    QueuePromise::ReceiveCounts,
    QueuePromise::DroppedReceives,
    QueuePromise::DeadLetter,
    QueuePromise::Retention,
    QueuePromise::Delay,
    QueuePromise::MessageRules,
    QueuePromise::Bounds,
    QueuePromise::FullUnicode,
    QueuePromise::LongNames,
];

/// What [`Promises::ordered`] promises.
const ORDERED: [QueuePromise; 14] = [
    QueuePromise::StaleDeletes,
    QueuePromise::StaleExtensions,
    QueuePromise::ExpiredExtensions,
    QueuePromise::ExpiredDeletes,
    QueuePromise::GroupBatches,
    QueuePromise::WholeGroups,
    QueuePromise::GroupTurns,
    QueuePromise::Deduplication,
    QueuePromise::ContentDeduplication,
    QueuePromise::SeparateIds,
    QueuePromise::AttemptIds,
    QueuePromise::LongPolls,
    QueuePromise::DeadLetter,
    QueuePromise::MessageRules,
];

impl Promises<QueuePromise> {
    /// What an ordered queue promises that keeps its messages itself, in real time: for
    /// [`ordered_queue`](fn@crate::ordered_queue).
    pub fn ordered() -> Self {
        Self::of(ORDERED)
    }

    /// What a queue without order promises that keeps its messages itself, in real time: all but what takes an
    /// [`Inspect`](queue_core::Inspect).
    pub fn standard() -> Self {
        Self::of(STANDARD)
    }
}
