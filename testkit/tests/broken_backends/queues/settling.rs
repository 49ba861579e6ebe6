//! Queues that settle wrongly.

mod expected;
mod settler;

pub(crate) use expected::EXPECTED;
pub(crate) use settler::BrokenSettler;

/// What is wrong with settling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settling {
    /// A delete does nothing.
    DeletesNothing,
    /// A delete after the timeout is lost, though nobody else has the message.
    RefusesLateDeletes,
    /// A second delete is lost.
    RefusesSecondDeletes,
    /// A stale receipt deletes.
    StaleDeletes,
    /// A stale receipt changes the visibility.
    StaleChanges,
    /// A stale receipt is *lost*, and spoils the new one.
    StaleSpoilsTheNew,
    /// All deliveries of a message have the same receipt.
    OneReceipt,
    /// A delivery whose time ran out can be hidden again.
    ExpiredCanBeExtended,
    /// After an extension the receipt deletes no more.
    ExtendingSpoilsTheReceipt,
    /// A release does nothing.
    ReleasesNothing,
    /// A release deletes.
    ReleaseDeletes,
    /// A change of visibility makes the message visible at once.
    IgnoresTheDelay,
    /// An extension is added to what is left.
    AddsUp,
    /// A timeout is never made shorter, unless to zero.
    NeverShortens,
    /// A timeout that is too long is cut to the longest.
    CutsTheTimeout,
    /// Only the first of a batch is deleted.
    DeletesTheFirst,
    /// Only the first of a batch is hidden anew.
    HidesTheFirst,
    /// One stale receipt, and the whole batch is reported as lost.
    AllLost,
    /// A batch may have any number of entries.
    AnyNumber,
    /// The answers of a batch come in the opposite order.
    Backwards,
    /// An empty batch has an answer.
    AnswersNothing,
    /// A delivery that is dropped is released at once.
    DropReleases,
    /// A delivery that is dropped is deleted.
    DropDeletes,
}
