//! The bounds of calls.

/// How much goes into a call, and how many calls go at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::coalesced) struct Bounds {
    pub(super) entries: usize,
    pub(super) bytes: usize,
    pub(super) calls: usize,
    /// Entries handed over with these bounds don't wait for company.
    pub(super) at_once: bool,
}

impl Bounds {
    /// How many calls are in flight at a time; beyond that, entries wait and merge.
    const CALLS: usize = 16;

    /// Calls of so many entries; only one call at a time if they are to keep their order.
    pub(in crate::coalesced) fn new(entries: usize, ordered: bool) -> Self {
        let calls = if ordered { 1 } else { Self::CALLS };
        Self { entries: entries.max(1), bytes: usize::MAX, calls, at_once: false }
    }

    /// Calls of so many bytes.
    pub(in crate::coalesced) fn with_bytes(self, bytes: usize) -> Self {
        Self { bytes, ..self }
    }

    /// Nothing waits for company.
    pub(in crate::coalesced) fn at_once(self) -> Self {
        Self { at_once: true, ..self }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self::new(1, false)
    }
}
