//! What a poll gate may promise beyond giving turns.

use crate::promises::Promises;

/// What a poll gate may promise, or not.
///
/// What is not here every gate promises: worker 0 gets a turn whenever nobody stands in for it, everyone does while the
/// gate is open, failures close nothing, and a class never stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum GatePromise {
    /// G1, G2, G4: the gate starts closed, an empty receive closes it, and while it is closed only the acting master
    /// gets a turn.
    Closes,
    /// G3: what the acting master receives decides whether the gate opens; anything less leaves it as it is.
    Judges,
    /// G1: classes and gates do not influence each other.
    Separate,
    /// G8: when the acting master is gone or busy, the next waiting worker takes over at once.
    HandsOver,
}

impl Promises<GatePromise> {
    /// What a gate promises that lets one worker poll while its queue is quiet: everything, on a paused clock, since a
    /// gate waits without a timer. One that talks to a socket lives on the [`real_clock`](Self::real_clock).
    pub fn gated() -> Self {
        let all = [GatePromise::Closes, GatePromise::Judges, GatePromise::Separate, GatePromise::HandsOver];
        Self::of(all).paused_clock()
    }

    /// What a gate promises that is always open, on a paused clock.
    pub fn ungated() -> Self {
        Self::of([]).paused_clock()
    }
}
