//! A toy store in a folder, the worker that works it off, and the ledger of both.

use std::fs;

use harness::{Child, Ended, HarnessError, Ledger, Program};
use tempfile::TempDir;

/// The worker's steps for each piece of work.
pub(crate) const STEPS: [&str; 5] = ["claimed", "started", "working", "finished", "deleted"];

/// A store with work in it.
pub(crate) struct Toy {
    folder: TempDir,
    pub(crate) ledger: Ledger,
}

impl Toy {
    /// A store with this much work for each of some keys, all of it sent for certain.
    #[expect(clippy::unwrap_used, reason = "without its store a test can only fail")]
    pub(crate) fn with_work(keys: &[&str], each: u64) -> Self {
        let toy = Self { folder: TempDir::new().unwrap(), ledger: Ledger::create().unwrap() };
        for state in ["waiting", "claimed"] {
            fs::create_dir(toy.folder.path().join(state)).unwrap();
        }
        for (key, number) in keys.iter().flat_map(|key| (1..=each).map(move |number| (key, number))) {
            fs::write(toy.folder.path().join("waiting").join(format!("{key}-{number}")), "").unwrap();
            toy.ledger.pen().sent(key, number).unwrap();
        }
        toy
    }

    /// A worker whose claims last this long.
    pub(crate) fn worker(&self, lease_ms: u64) -> Program {
        let program = Program::new(env!("CARGO_BIN_EXE_toy-worker")).with_ledger(&self.ledger);
        program.with_arg(self.folder.path()).with_arg(lease_ms.to_string())
    }

    /// Runs a worker until everything is done.
    pub(crate) fn work_off(&self) -> Result<Ended, HarnessError> {
        self.worker(100).start().and_then(Child::finish)?.expect_success()
    }
}

/// Whether there is such a process, and it isn't a dead one.
pub(crate) fn is_alive(process: i32) -> bool {
    !matches!(state(process).as_deref(), None | Some("Z" | "X"))
}

/// Whether a process stands still.
pub(crate) fn is_frozen(process: i32) -> bool {
    state(process).as_deref() == Some("T")
}

/// The first letter of what `ps` calls the state.
fn state(process: i32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.get(..1).map(str::to_owned)
}
