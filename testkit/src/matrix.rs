//! The cancellation matrix: a scenario, run once for each combination of what can happen in it.

mod path;
mod run;

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::sleep;

use crate::pace::Pace;
use crate::run::{Threads, run};
use path::Path;

pub use run::Run;

/// How long tasks may still take after the scenario has ended.
const AFTERLIFE: Duration = Duration::from_hours(1);

/// Runs `scenario` from scratch once for each combination of what it lets its [`Run`] choose: where a future is
/// [dropped](Run::cut), what becomes of [a call](Run::gate), or [anything else](Run::choose). Answers how many runs
/// that took, so that a test can tell that there was something to choose.
///
/// Each run has a runtime of its own, with one thread and a paused clock. An hour after its scenario has ended no task
/// of it may be left. Combinations multiply: two calls that pass a gate each, and two await points, make 7 × 7 × 6 runs
/// at most, of well under a millisecond each.
///
/// A run repeats the choices of the one before up to the last that has another outcome left, so what is between two
/// choices has to be the same each time. The random numbers of `fastrand`, from which pauses get their jitter, are.
///
/// # Guarantees
/// None: it tests others'.
///
/// # Panics
/// When a run panics, does not end within a day, or leaves a task; with the choices of that run. When a run comes to
/// other choices than the one before.
///
/// # Examples
/// ```
/// use queue_core::{Inspect, MemoryQueue, Outgoing, PublisherExt};
/// use testkit::{CallKind, Faulty, Run, matrix};
///
/// let runs = matrix(async |run: Run| {
///     let queue = MemoryQueue::new();
///     let faulty = Faulty::new(queue.clone(), run.gates(CallKind::Publish, 1));
///     let answer = run.cut(faulty.publish_one(Outgoing::new("a visit"))).await;
///     let stored = queue.depth().await.unwrap().visible;
///     assert!(stored == 1 || !matches!(answer, Some(Ok(_))), "what was answered is stored");
/// });
/// assert!(runs > 7);
/// ```
pub fn matrix(scenario: impl AsyncFn(Run)) -> usize {
    let mut path = Path::default();
    let mut runs = 0;
    loop {
        runs += 1;
        let run = Run::new(path);
        if let Err(said) = run_once(&scenario, run.clone()) {
            panic!("in run {runs}, where {}: {said}", run.path());
        }
        path = run.path();
        if !path.turn() {
            return runs;
        }
    }
}

fn run_once(scenario: &impl AsyncFn(Run), once: Run) -> Result<(), String> {
    fastrand::seed(0);
    run(Pace::new(true, None, Pace::RETENTION), Threads::One, async {
        scenario(once).await;
        sleep(AFTERLIFE).await;
        let left = Handle::current().metrics().num_alive_tasks();
        assert_eq!(left, 0, "tasks are left an hour after the scenario has ended");
    })
}

#[cfg(test)]
mod tests;
