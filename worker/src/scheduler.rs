//! The scheduler: runs the work of several triggers.

mod account;
mod alone;
mod beats;
mod entry;
mod handle;
mod log;
mod rounds;
mod running;
mod shared;
mod status;
mod trigger_handle;

use std::fmt;
use std::sync::Arc;

use queue_core::CancellationToken;

use crate::{Trigger, Work};

pub use account::RunAccount;
pub use handle::SchedulerHandle;
pub use running::RunningScheduler;
pub use status::{TriggerState, TriggerStatus};
pub use trigger_handle::TriggerHandle;

use entry::Entry;
use shared::Shared;

/// Runs the work of several triggers, and bounds how many run at once.
///
/// Each trigger has its own task: a slow one delays no other unless all places are taken. A beat that finds no place
/// waits for one, first come, first served.
///
/// # Guarantees
/// W12.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use worker::{RunContext, Scheduler, Trigger};
///
/// async fn rebuild(_context: RunContext) -> Result<(), std::io::Error> { Ok(()) }
/// async fn collate(_context: RunContext) {}
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let running = Scheduler::new()
///     .limit(8)
///     .add(Trigger::every(Duration::from_secs(2)).named("search-index").runs_when_paused(true), rebuild)
///     .add(Trigger::every(Duration::from_secs(30)).named("logs"), collate)
///     .start();
/// # tokio::time::sleep(Duration::from_secs(1)).await;
/// running.handle().pause(); // a read-only mode: "logs" is held
/// # tokio::time::sleep(Duration::from_secs(60)).await;
/// let account = running.stop(Duration::from_secs(20)).await;
/// assert_eq!((account.succeeded, account.held), (32, 2));
/// # }
/// ```
#[must_use = "a scheduler does nothing until it is started"]
pub struct Scheduler {
    entries: Vec<Entry>,
    limit: Option<usize>,
    paused: bool,
    stop: CancellationToken,
}

impl Scheduler {
    /// Makes a scheduler without triggers.
    pub fn new() -> Self {
        Self { entries: Vec::new(), limit: None, paused: false, stop: CancellationToken::new() }
    }

    /// Bounds how many runs there are at once; as many as there are triggers unless set.
    ///
    /// # Panics
    /// If `runs` is 0.
    pub fn limit(mut self, runs: usize) -> Self {
        assert!(runs > 0, "limit(0): nothing would ever run");
        self.limit = Some(runs);
        self
    }

    /// Adds a trigger and its work.
    ///
    /// # Panics
    /// If there is a trigger of that name already.
    pub fn add(mut self, trigger: Trigger, work: impl Work + 'static) -> Self {
        let entry = Entry::new(self.entries.len(), trigger, Arc::new(work));
        let name = entry.name();
        assert!(
            self.entries.iter().all(|known| known.name() != name),
            "add: there is a trigger {name:?} already"
        );
        self.entries.push(entry);
        self
    }

    /// Starts it paused: see [`pause`](SchedulerHandle::pause).
    pub fn start_paused(mut self) -> Self {
        self.paused = true;
        self
    }

    /// Stops when `token` is cancelled, as [`RunningScheduler::stop`] does; that is awaited all the same. The token
    /// stays the caller's: nothing here cancels it.
    pub fn stop_on(mut self, token: &CancellationToken) -> Self {
        self.stop = token.child_token();
        self
    }

    /// Starts the triggers: their start delays begin now.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn start(self) -> RunningScheduler {
        let shared = Arc::new(Shared::new(self));
        shared.start();
        RunningScheduler::new(shared)
    }
}

impl Default for Scheduler {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.entries.iter().map(Entry::name).collect();
        f.debug_struct("Scheduler")
            .field("triggers", &names)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}
