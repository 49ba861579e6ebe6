//! Faults at random.

use std::time::Duration;

use fastrand::Rng;
use queue_core::{QueueError, QueueErrorKind};

use super::{CallKind, Fault};

const KINDS: [QueueErrorKind; 5] = [
    QueueErrorKind::Transient,
    QueueErrorKind::Indeterminate,
    QueueErrorKind::Permanent,
    QueueErrorKind::Lost,
    QueueErrorKind::Closed,
];

/// A script in which a share of the calls go wrong.
pub(super) fn script(seed: u64, rate: f64) -> impl FnMut(CallKind, usize) -> Fault + Send {
    assert!((0.0..=1.0).contains(&rate), "random(…, {rate}): a rate is between 0 and 1");
    let mut rng = Rng::with_seed(seed);
    move |kind, _number| {
        if rng.f64() >= rate {
            return Fault::None;
        }
        let fault = any(&mut rng, kind);
        if rng.u8(0..4) == 0 { fault.after(pause(&mut rng)) } else { fault }
    }
}

fn any(rng: &mut Rng, kind: CallKind) -> Fault {
    match rng.u8(0..12) {
        0 | 1 => Fault::Error(error(rng)),
        2 => Fault::throttled(pause(rng)),
        3 => Fault::Lost,
        4 => Fault::Unanswered,
        5 => Fault::Hang,
        6 => Fault::Panic,
        7 => Fault::Delay(pause(rng)),
        8 => Fault::Late(pause(rng)),
        9 => Fault::Long(rng.usize(1..=3)),
        10 if kind != CallKind::Receive => Fault::Entries(entries(rng), error(rng)),
        11 if kind != CallKind::Receive => Fault::LostEntries(entries(rng)),
        _ => Fault::Short(rng.usize(1..=3)),
    }
}

fn error(rng: &mut Rng) -> QueueError {
    QueueError::new(KINDS[rng.usize(0..KINDS.len())], "a fault at random")
}

fn pause(rng: &mut Rng) -> Duration {
    Duration::from_millis(rng.u64(1..=3_000))
}

/// About half of a batch of ten.
fn entries(rng: &mut Rng) -> Vec<usize> {
    (0..10).filter(|_| rng.bool()).collect()
}
