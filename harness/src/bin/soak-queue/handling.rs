//! What is done with one message: the effect, which takes a moment and sometimes fails.

use std::cell::RefCell;
use std::io;
use std::time::Duration;

use fastrand::Rng;
use harness::Pen;
use queue_core::Message;
use tokio::time::sleep;

thread_local! {
    /// Each child has one thread that handles; a task may not hold on to it over an await.
    static RANDOM: RefCell<Rng> = RefCell::new(Rng::new());
}

/// Makes what this thread does by chance repeatable.
pub(crate) fn seed(seed: u64) {
    RANDOM.with_borrow_mut(|random| *random = Rng::with_seed(seed));
}

/// A number below this.
pub(crate) fn chance(below: u32) -> u32 {
    RANDOM.with_borrow_mut(|random| random.u32(..below))
}

/// Handles a message; `false` when that has failed, which it does now and then, so that something is retried.
pub(crate) async fn handle(pen: &Pen, message: &Message) -> io::Result<bool> {
    let Some((key, number)) = parse(message) else {
        return Err(io::Error::other("a message has a body that nobody sent"));
    };
    pen.started(key, number)?;
    match chance(1000) {
        0..900 => {}
        900..998 => sleep(Duration::from_millis(u64::from(chance(4)))).await,
        _ => sleep(Duration::from_millis(200)).await,
    }
    if chance(100) == 0 {
        pen.failed(key, number)?;
        return Ok(false);
    }
    pen.finished(key, number)?;
    Ok(true)
}

/// The key and the number of a message.
pub(crate) fn parse(message: &Message) -> Option<(&str, u64)> {
    let (key, number) = message.body().split_once(' ')?;
    Some((key, number.parse().ok()?))
}
