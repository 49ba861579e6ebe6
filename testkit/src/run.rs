//! Running one clause: a runtime of its own, at the suite's pace, and what its panic said.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use crate::pace::Pace;

/// On how many threads a clause runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Threads {
    /// One, so that nothing comes between two steps of the clause.
    One,
    /// Several in real time, so that what races can race. A paused clock has one.
    Several,
}

/// Runs `clause` on a runtime of its own, and answers what its panic said.
pub(crate) fn run(pace: Pace, threads: Threads, clause: impl Future<Output = ()>) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(|| {
        runtime(pace, threads).block_on(async {
            let ended = timeout(pace.limit(), clause).await;
            assert!(ended.is_ok(), "it hangs: no end after {:?}", pace.limit());
        });
    }))
    .map_err(|panic| said(panic.as_ref()))
}

fn runtime(pace: Pace, threads: Threads) -> Runtime {
    let mut builder = match threads {
        Threads::Several if !pace.paused => Builder::new_multi_thread(),
        _ => Builder::new_current_thread(),
    };
    builder.worker_threads(2).enable_all().start_paused(pace.paused);
    builder.build().expect("a runtime needs no more than the operating system's leave to start threads")
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked without words").to_owned()
}
