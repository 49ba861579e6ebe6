//! A process that is a child of ours and not buried yet, so that its number is nobody else's.

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

use crate::error::HarnessError;

/// A child of ours, the leader of a process group, that is not buried yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Process(Pid);

impl Process {
    pub(crate) fn of(child: &std::process::Child) -> Self {
        Self(Pid::from_child(child))
    }

    pub(crate) fn number(self) -> i32 {
        self.0.as_raw_pid()
    }

    /// Sends a signal to the process alone.
    pub(crate) fn tell(self, signal: Signal) -> Result<(), HarnessError> {
        self.told(signal, kill_process(self.0, signal))
    }

    /// Sends a signal to the process and all that it started.
    pub(crate) fn tell_all(self, signal: Signal) -> Result<(), HarnessError> {
        self.told(signal, kill_process_group(self.0, signal))
    }

    /// Blocks until it has ended, and leaves it to be buried.
    pub(crate) fn await_end(self) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(self.0), options), Err(Errno::INTR)) {}
    }

    /// Whether it stands still since the last look.
    pub(crate) fn stands_still(self) -> bool {
        let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG;
        matches!(waitid(WaitId::Pid(self.0), options), Ok(Some(_)))
    }

    fn told(self, signal: Signal, result: rustix::io::Result<()>) -> Result<(), HarnessError> {
        match result {
            // Nobody is left to be told; macOS says so by PERM.
            Ok(()) | Err(Errno::SRCH | Errno::PERM) => Ok(()),
            Err(error) => Err(HarnessError::system(
                format!("process {} can't be told {signal:?}", self.number()),
                error,
            )),
        }
    }
}
