//! A program that a test runs, once or again and again.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{self, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use crate::child::Child;
use crate::error::HarnessError;
use crate::inherited::{LEDGER, PARENT, RUN};
use crate::keeper::Keeper;
use crate::ledger::{Book, Ledger, Page};
use crate::output::Reading;
use crate::process::Process;
use crate::watch::Watch;

/// Waits for leave to start: without it nothing runs, and when it is given, the leash is on. So there is no moment at
/// which the end of the test leaves the program behind.
const START: &str = r#"read -r leave && exec "$0" "$@""#;

/// How long a test waits for anything of a child unless it says otherwise.
const PATIENCE: Duration = Duration::from_secs(30);

/// A program that a test runs: its file, its arguments, where it is held.
///
/// Its standard input is the line for [`point`](crate::point()); it runs in a process group of its own.
///
/// # Examples
/// ```no_run
/// # fn main() -> Result<(), harness::HarnessError> {
/// let program = harness::Program::new("target/debug/worker").with_arg("--slow");
/// let ended = program.start()?.finish()?;
/// assert_eq!(ended.points(), ["received", "handled"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Program {
    file: PathBuf,
    args: Vec<OsString>,
    envs: Vec<(OsString, OsString)>,
    holds: HashMap<String, usize>,
    book: Option<Book>,
    patience: Duration,
}

impl Program {
    /// The program in this file, such as `env!("CARGO_BIN_EXE_…")`.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self {
            file: file.into(),
            args: Vec::new(),
            envs: Vec::new(),
            holds: HashMap::new(),
            book: None,
            patience: PATIENCE,
        }
    }

    /// Adds an argument.
    pub fn with_arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Sets an environment variable.
    pub fn with_env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.envs.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Gives its [`Pen`](crate::Pen) this ledger to write into.
    pub fn with_ledger(mut self, ledger: &Ledger) -> Self {
        self.book = Some(ledger.book());
        self
    }

    /// Says how long a test waits for anything of it; 30 s unless it is said.
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Holds it when it first comes to this point.
    pub fn hold_at(self, point: &str) -> Self {
        self.hold_at_pass(point, 1)
    }

    /// Holds it when it comes to this point for the `pass`th time, from 1. There is one such pass for each point.
    pub fn hold_at_pass(mut self, point: &str, pass: usize) -> Self {
        self.holds.insert(point.to_owned(), pass);
        self
    }

    /// Starts it.
    ///
    /// # Errors
    /// `System` when it can't be started.
    pub fn start(&self) -> Result<Child, HarnessError> {
        let page = self.book.as_ref().map(Book::next_page);
        let started = self.try_start(page);
        started
            .map_err(|error| HarnessError::system(format!("{} can't be started", self.file.display()), error))
    }

    fn try_start(&self, page: Option<Page>) -> io::Result<Child> {
        let (line, theirs) = UnixStream::pair()?;
        let run = page.as_ref().map_or(0, |page| page.run);
        fs::metadata(&self.file)?;
        let process = self.command(theirs, run).spawn()?;
        let id = Process::of(&process);
        let watch = Arc::new(Watch::new(line.try_clone()?, self.holds.clone()));
        let reading = Reading::default();
        Keeper::of(process, Arc::clone(&watch), page.clone())?.keep(line, &reading);
        let file = self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy();
        let name = format!("{file} (run {run}, process {})", id.number());
        Ok(Child { name, process: id, watch, reading, page, patience: self.patience })
    }

    fn command(&self, line: UnixStream, run: u64) -> Command {
        let mut command = Command::new("sh");
        command
            .args(["-c", START])
            .arg(&self.file)
            .args(&self.args)
            .envs(self.envs.iter().map(|(name, value)| (name, value)));
        command.env(PARENT, process::id().to_string()).env(RUN, run.to_string()).env_remove(LEDGER);
        if let Some(book) = &self.book {
            command.env(LEDGER, book.file());
        }
        command.stdin(OwnedFd::from(line)).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        command
    }
}
