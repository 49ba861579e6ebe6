//! A child: a program that runs, and what a test does to it.

use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;

use crate::clock::Deadline;
use crate::ended::Ended;
use crate::entry::What;
use crate::error::{HarnessError, HarnessErrorKind};
use crate::ledger::Page;
use crate::output::{Output, Reading};
use crate::process::Process;
use crate::watch::{Seen, Watch};

/// How long a process that was killed may take to end.
const DEATH: Duration = Duration::from_secs(10);

/// A program that runs. What it started is in its process group, and ends with it.
///
/// # Drop
/// It is killed, with all that it started, and buried: that takes a moment, as a test must leave nothing behind.
#[derive(Debug)]
pub struct Child {
    pub(crate) name: String,
    pub(crate) process: Process,
    pub(crate) watch: Arc<Watch>,
    pub(crate) reading: Reading,
    pub(crate) page: Option<Page>,
    pub(crate) patience: Duration,
}

impl Child {
    /// Its process number.
    pub fn id(&self) -> i32 {
        self.process.number()
    }

    /// What it printed until now.
    pub fn output(&self) -> Output {
        self.reading.so_far()
    }

    /// How often it has come to a point until now.
    pub fn passes(&self, point: &str) -> usize {
        self.watch.seen().passes(point)
    }

    /// Whether it has ended, however it did.
    pub fn has_ended(&self) -> bool {
        self.watch.seen().ended.is_some()
    }

    /// Holds it when it comes to this point the next time.
    pub fn hold_at(&self, point: &str) {
        self.watch.change(|seen| seen.hold(point, seen.passes(point) + 1));
    }

    /// Waits until it is held at a point, and answers at which.
    ///
    /// # Errors
    /// `Deadline`, `Ended` or `Garbled`, with what was seen until then.
    pub fn wait_until_held(&self) -> Result<String, HarnessError> {
        self.wait("is not held at any point", |seen| Some(seen.held.first()?.point.clone()))
    }

    /// Waits until it has come to a point this often since it was started.
    ///
    /// # Errors
    /// `Deadline`, `Ended` or `Garbled`, with what was seen until then.
    pub fn wait_until_passed(&self, point: &str, times: usize) -> Result<(), HarnessError> {
        let what = format!("has not come to {point} {times} times");
        self.wait(&what, |seen| (seen.passes(point) >= times).then_some(()))
    }

    /// Lets it go on wherever it is held, and answers at how many places that was.
    pub fn go_on(&self) -> usize {
        self.watch.let_go()
    }

    /// Stops it in the middle of whatever it does, with all that it started: SIGSTOP. It stands still when this
    /// returns.
    ///
    /// # Errors
    /// `Ended` when it has ended; `Deadline` when it doesn't stand still.
    pub fn freeze(&self) -> Result<(), HarnessError> {
        self.tell(Process::tell_all, Signal::STOP)?;
        let look = || {
            let ended = self.watch.seen().ended.is_some();
            self.process.stands_still().then_some(Ok(())).or(ended.then_some(Err(HarnessErrorKind::Ended)))
        };
        let seen = Deadline::after(self.patience).look(look).unwrap_or(Err(HarnessErrorKind::Deadline));
        seen.map_err(|kind| self.error(kind, "does not stand still", self.patience))
    }

    /// Lets it run again after [`freeze`](Self::freeze): SIGCONT. It does when this returns.
    ///
    /// # Errors
    /// `Ended` when it has ended.
    pub fn resume(&self) -> Result<(), HarnessError> {
        self.tell(Process::tell_all, Signal::CONT)
    }

    /// Asks it to stop: SIGTERM, to it alone. [`finish`](Self::finish) waits until it has.
    ///
    /// # Errors
    /// `Ended` when it has ended.
    pub fn terminate(&self) -> Result<(), HarnessError> {
        self.tell(Process::tell, Signal::TERM)
    }

    /// Kills it, with all that it started: SIGKILL. One that has ended is as good as killed.
    ///
    /// # Errors
    /// `Deadline` when the operating system doesn't end it.
    pub fn kill(self) -> Result<Ended, HarnessError> {
        self.end()?;
        let ended = self.watch.wait_for_end(Deadline::after(DEATH));
        ended.map(|status| self.epitaph(status)).map_err(|kind| self.error(kind, "has not ended", DEATH))
    }

    /// Lets it run for this time, unless it ends before, and kills it then.
    ///
    /// # Errors
    /// As [`kill`](Self::kill), and `Garbled`.
    pub fn kill_after(self, time: Duration) -> Result<Ended, HarnessError> {
        match self.watch.wait(Deadline::after(time), |seen| seen.ended) {
            Ok(status) => Ok(self.epitaph(status)),
            Err(HarnessErrorKind::Deadline) => self.kill(),
            Err(kind) => Err(self.error(kind, "can't be waited for", time)),
        }
    }

    /// Waits until it has ended by itself.
    ///
    /// # Errors
    /// `Deadline` or `Garbled`, with what was seen until then; it is then killed.
    pub fn finish(self) -> Result<Ended, HarnessError> {
        self.wait("has not ended", |seen| seen.ended).map(|status| self.epitaph(status))
    }

    fn epitaph(&self, status: ExitStatus) -> Ended {
        Ended { name: self.name.clone(), status, seen: self.watch.seen().clone(), output: self.output() }
    }

    fn end(&self) -> Result<(), HarnessError> {
        let written = self.page.as_ref().map_or(Ok(()), |page| page.write(|victim| What::Dying { victim }));
        match self.tell(Process::tell_all, Signal::KILL) {
            Err(error) if error.kind() != HarnessErrorKind::Ended => Err(error),
            _ => written,
        }
    }

    /// The lock on what is seen is held meanwhile: a child that hasn't ended there isn't buried, and its number is
    /// nobody else's.
    fn tell(
        &self,
        tell: impl Fn(Process, Signal) -> Result<(), HarnessError>,
        signal: Signal,
    ) -> Result<(), HarnessError> {
        let seen = self.watch.seen();
        if seen.ended.is_none() {
            return tell(self.process, signal);
        }
        drop(seen);
        Err(self.error(HarnessErrorKind::Ended, "can't be signalled", Duration::ZERO))
    }

    fn wait<T>(&self, what: &str, eye: impl FnMut(&Seen) -> Option<T>) -> Result<T, HarnessError> {
        let waited = self.watch.wait(Deadline::after(self.patience), eye);
        waited.map_err(|kind| self.error(kind, what, self.patience))
    }

    fn error(&self, kind: HarnessErrorKind, what: &str, patience: Duration) -> HarnessError {
        let within =
            if kind == HarnessErrorKind::Deadline { format!(" within {patience:?}") } else { String::new() };
        let seen = self.watch.seen().clone();
        HarnessError::new(kind, format!("{} {what}{within}\n{seen}{}", self.name, self.output()))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if self.watch.seen().ended.is_none() {
            self.end().ok();
            self.watch.wait_for_end(Deadline::after(DEATH)).ok();
        }
    }
}
