//! The one thing that a broken ordered queue does wrong.

/// What is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing.
    None,
    Publish(Publishing),
    Receive(Receiving),
    Settle(Settling),
    /// No message moves to the dead-letter queue.
    NoDeadLetter,
    /// In the dead-letter queue the last comes first.
    DeadLastFirst,
}

/// What is wrong with publishing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Publishing {
    /// No message blocks another of its group.
    EachAlone,
    /// All are one group.
    OneGroup,
    /// A batch is stored from its end.
    Backwards,
    /// The limits are those of a standard queue.
    SaysItIsStandard,
    /// What is sent twice is stored twice.
    StoresDuplicates,
    /// A duplicate is answered with an id of its own.
    OwnIds,
    /// After a delete the ids are forgotten.
    ForgetsDeleted,
    /// An id counts within its group.
    ByGroup,
    /// Within a batch ids are not compared.
    BatchBlind,
    /// Between the look for an id and the note of it others have a look too.
    Racy,
    /// What was refused is taken for sent.
    RemembersRefused,
    /// By content, attributes and group count too.
    ByAttributes,
    /// By content, the body is taken for an id.
    BodyIsId,
    /// By content, ids are not looked at.
    BodyBeforeId,
    /// What has no group gets one.
    NeedsNoGroup,
    /// What has no id gets one.
    NeedsNoId,
    /// Delays are dropped.
    TakesDelays,
    /// One bad entry, and the whole batch is refused.
    AllOrNothing,
}

/// What is wrong with receiving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Receiving {
    /// The answer begins with the last.
    Backwards,
    /// One message of each receive, however many were asked for.
    OneOfAGroup,
    /// A message does not tell its group.
    NoGroup,
    /// The first group has its turn as long as it has messages.
    Starves,
    /// The answer comes when the wait is over.
    SleepsThroughTheWait,
    /// Every receive is a new one.
    IgnoresAttempts,
    /// All attempts have one id.
    OneAttempt,
    /// A repeated attempt brings receipts that are good for nothing.
    NewReceipts,
    /// A repeated attempt raises the receive counts.
    CountsRepeats,
    /// An attempt is repeated whatever became of its messages.
    RepeatsTouched,
    /// A repeated attempt hides its messages no longer than the first.
    HidesOnce,
    /// An attempt that brought nothing brings nothing again.
    RemembersEmpty,
}

/// What is wrong with settling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settling {
    /// A delete after the timeout deletes.
    LateDeletes,
    /// A release after the timeout is no error.
    LateReleases,
    /// A stale receipt deletes.
    StaleDeletes,
    /// A stale receipt releases.
    StaleReleases,
    /// What is released goes to the end of its group.
    ReleasesToTheEnd,
    /// The first delete of a batch frees its group.
    OpensEarly,
    /// A delete does nothing.
    DeletesNothing,
    /// A release is one without delay.
    IgnoresDelays,
    /// A delivery can't be extended.
    IgnoresExtensions,
}
