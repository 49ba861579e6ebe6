//! How many lines and visits there are of each kind.

/// Counts of one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Well-formed visits published.
    pub(crate) sent: u64,
    /// Malformed lines published as they are.
    pub(crate) forwarded: u64,
    /// Lines that the producer refused.
    pub(crate) refused: u64,
    /// Read, and not published before the stop.
    pub(crate) unsent: u64,
    /// Successful handlings.
    pub(crate) handled: u64,
    /// Visits handled at least once.
    pub(crate) unique: u64,
    /// Visits of earlier runs handled at least once, by a process that sends itself.
    pub(crate) earlier: u64,
    /// Malformed bodies that the consumer put in quarantine.
    pub(crate) discarded: u64,
    /// Visits that failed too often and were put in quarantine.
    pub(crate) given_up: u64,
}

impl Counts {
    /// Refused lines and quarantined bodies.
    pub(crate) fn quarantined(&self) -> u64 {
        self.refused + self.discarded
    }

    /// Handlings of what had been handled before.
    pub(crate) fn duplicates(&self) -> u64 {
        self.handled - self.unique
    }

    /// Published and neither handled nor in quarantine. A handling can be counted before its publish is.
    pub(crate) fn unsettled(&self) -> u64 {
        (self.sent + self.forwarded).saturating_sub(self.unique + self.discarded + self.given_up)
    }
}
