//! The plan of a run: what a seed makes of the receiver.

use std::time::Duration;

use fastrand::Rng;

/// How many groups the messages belong to, in turn.
pub(crate) const GROUPS: usize = 3;

/// The body of a message.
pub(crate) fn body(number: usize) -> String {
    format!("{number:02}")
}

/// What a seed decides on.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) ordered: bool,
    pub(crate) rate: f64,
    pub(crate) messages: usize,
    pub(crate) visibility: Duration,
    pub(crate) pollers: usize,
    pub(crate) slots: usize,
    pub(crate) batch: usize,
    pub(crate) deadline: Option<Duration>,
    pub(crate) retry_queue: bool,
    pub(crate) dead_letter: bool,
    pub(crate) lifetime: Duration,
    pub(crate) grace: Duration,
}

impl Plan {
    pub(crate) fn new(seed: u64, ordered: bool) -> Self {
        let mut rng = Rng::with_seed(seed);
        Self {
            seed,
            ordered,
            rate: rng.f64() / 2.0,
            messages: rng.usize(5..=25),
            visibility: Duration::from_secs(rng.u64(5..=30)),
            pollers: rng.usize(1..=3),
            slots: rng.usize(1..=5),
            batch: rng.usize(1..=10),
            deadline: rng.bool().then(|| Duration::from_secs(rng.u64(3..=30))),
            retry_queue: !ordered && rng.bool(),
            dead_letter: !ordered && rng.bool(),
            lifetime: Duration::from_millis(rng.u64(0..=400_000)),
            grace: Duration::from_millis(rng.u64(0..=20_000)),
        }
    }
}
