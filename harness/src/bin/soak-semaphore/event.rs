//! An event: a line of the log that holders write and `check-grants` reads.

use serde::{Deserialize, Serialize};

/// What happened. `run` is a process from its start to its end, `grant` one grant.
///
/// Two clocks are in it. Times called `at` and `until` of [`Miss`](Self::Miss), [`Gone`](Self::Gone) and the like are
/// nanoseconds of the machine's monotonic clock. Those of [`Seen`](Self::Seen) and [`Ending`](Self::Ending) are
/// microseconds of the *database's* clock, as it told them itself.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub(crate) enum Event {
    /// It asks for a permit from then on.
    Ask { run: u64, at: u64 },
    /// It has heard that all are taken.
    Miss { run: u64, at: u64 },
    /// It has a permit. Slot and fencing number are as the permit says.
    Grant { run: u64, grant: String, slot: u16, fence: u64 },
    /// The database lists the grant, and it said what time it was.
    Seen { grant: String, slot: u16, since: u64, now: u64, until: u64 },
    /// The holder trusts its permit, and the database does not list it.
    Unlisted { grant: String, slot: u16, now: Option<u64> },
    /// It is about to be released; the database's time was not earlier than this.
    Ending { grant: String, now: u64 },
    /// It is released: the slot was free by then, as far as this run matters.
    Gone { run: u64, at: u64 },
    /// It may hold a slot until then, and no longer: it dropped its permit, doesn't know what became of a call, or died.
    Left { run: u64, until: u64 },
    /// A call failed.
    Failed { run: u64, kind: String, text: String },
    /// At the very end, with nobody else there, so many of the slots could be had.
    Final { free: usize },
}
