//! The faults that a semaphore can be given.

/// What a broken semaphore does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// One more than the maximum may hold a key.
    OverIssue,
    /// It looks for a free slot, and takes it a moment later.
    CheckThenAct,
    /// It says that all are held when somebody else is trying too.
    FalseFull,
    /// It never looks beyond the first slot that is not held.
    HighestOnly,
    /// A try that finds nothing waits for a while.
    SlowMiss,
    /// A token is not new.
    OldToken,
    /// Fencing tokens stay as they are.
    FenceStays,
    /// All keys are one.
    OneKey,
    /// Keys are compared as some databases do it.
    FoldedKeys,
    /// Keys are cut off.
    CutKeys,
    /// Keys are not checked.
    UncheckedKeys,
    /// Requests are not checked, but for their keys.
    UncheckedRequests,
    /// Contexts are cut off.
    CutContexts,
    /// The maximum that was named first counts.
    FirstMaximum,
    /// A lower maximum takes the slots above it from their holders.
    LowerRevokes,
    /// A large maximum is refused.
    SmallMaximum,
    /// The maximum hold time is not heeded.
    EndlessHold,
    /// Leases never end.
    NeverExpires,
    /// Leases end too soon.
    ExpiresEarly,
    /// Of the slots of the dead, only the first is found.
    OneDead,
    /// A renewal says that all is well and does nothing.
    RenewsNothing,
    /// A change of context leaves the lease as it is.
    ContextRenewsNothing,
    /// A renewal is taken after the lease has ended.
    RenewsExpired,
    /// A renewal is taken after the release.
    RenewsReleased,
    /// A renewal is taken by whatever token.
    RenewsForAnyone,
    /// A release frees the slot at the end of the lease.
    SlowRelease,
    /// A release frees the slot by whatever token.
    ReleasesForAnyone,
    /// A release after the end of the lease is called a success.
    ReleasesExpired,
    /// A second release is called a success.
    ReleasesTwice,
    /// A dropped permit keeps its slot for ever.
    LeaksDropped,
    /// A dropped try keeps its slot for ever.
    LeaksTries,
    /// A dropped release keeps its slot for ever.
    LeaksReleases,
    /// Holders are listed in whatever order.
    Disordered,
    /// Those are listed whose lease has ended.
    ListsExpired,
    /// Times are those of another clock.
    WrongTimes,
    /// A new context is not stored.
    KeepsContext,
    /// A renewal takes the context away.
    DropsContext,
    /// A slot keeps the context of its former holder.
    InheritsContext,
    /// Force does nothing, and says that it did.
    NoForce,
    /// Force takes the slots of all keys.
    ForceOnAll,
    /// Collection removes more than it is told to.
    NoLimit,
    /// Collection removes what was used lately.
    NoIdleTime,
    /// Collection removes what is held.
    CollectsHeld,
    /// Collection does not remove what was never released.
    KeepsDead,
    /// Collection forgets the highest fencing token.
    NoFloor,
}
