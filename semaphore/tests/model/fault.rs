//! The faults that the model can be given.

/// What is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// A release frees the slot whoever holds it.
    ReleaseWithoutToken,
    /// A renewal renews the slot whoever holds it.
    RenewWithoutToken,
    /// A renewal is taken as long as nobody else has the slot.
    RenewExpired,
    /// A try chooses a free slot, and takes it later without looking whether it still is.
    TakeWithoutLook,
    /// Slots are removed, and the floor stays as it is.
    CollectWithoutFloor,
    /// Slots are removed that were used after the floor was raised.
    CollectAboveFloor,
    /// Slots are removed that somebody holds.
    CollectHeld,
    /// Who makes slots reads the floor first, and makes them later.
    FloorReadEarly,
    /// A holder trusts its lease from when it got the answer.
    TrustFromAnswer,
}
