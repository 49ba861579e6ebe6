//! The runtimes that measurements run on.

use tokio::runtime::{Builder, Runtime};

/// Runs `work` on one thread with a paused clock, which jumps to the next timer whenever every task waits: what it
/// counts is exact, and an hour takes milliseconds.
///
/// # Panics
/// If the operating system refuses the runtime.
pub fn paused<T>(work: impl Future<Output = T>) -> T {
    built(Builder::new_current_thread().start_paused(true)).block_on(work)
}

/// Makes a runtime of one thread with a real clock: times on it are work, not waiting for another processor.
///
/// # Panics
/// If the operating system refuses it.
pub fn one_thread() -> Runtime {
    built(&mut Builder::new_current_thread())
}

/// Makes a runtime of two threads with a real clock and sockets, as on a small machine.
///
/// # Panics
/// If the operating system refuses it.
pub fn two_threads() -> Runtime {
    built(Builder::new_multi_thread().worker_threads(2).enable_io())
}

#[expect(clippy::expect_used, reason = "a measurement that can't start has nothing to say")]
fn built(builder: &mut Builder) -> Runtime {
    builder.enable_time().build().expect("a runtime starts")
}
