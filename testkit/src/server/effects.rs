//! What the fault script does to one call inside of the service, beyond what it does to the wire.

/// Faults that the service itself must play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// The codes with which entries of a batch fail, in order from its first entry; `None` lets an entry succeed. An entry that fails
    /// so has no effect.
    pub(super) partial: Vec<Option<String>>,
    /// How many messages may be in flight at the queue during this call, instead of its own cap.
    pub(super) in_flight_cap: Option<usize>,
    /// A receive that is abandoned by its client keeps the messages it takes hidden, as the real service may.
    pub(super) abandon: bool,
}
