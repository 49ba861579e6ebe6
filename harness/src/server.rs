//! A database server of a test's own, which can be killed and started again.

mod account;
mod kind;
mod owner;
mod programs;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::Signal;
use tempfile::TempDir;

use crate::clock::Deadline;
use crate::error::{HarnessError, HarnessErrorKind};
use crate::leash::Leash;
use crate::process::Process;
use account::Account;
use owner::Owner;
use programs::Programs;

pub use kind::ServerKind;

/// How long a server may take until it answers, with a crash to recover from.
const PATIENCE: Duration = Duration::from_mins(1);
/// Where the folders of servers are, and how their names begin.
const SITE: &str = "/var/tmp";
const PREFIX: &str = "harness-server-";

/// A PostgreSQL or MariaDB of a test's own: its data in a temporary folder, its port the same over restarts, its commits
/// durable.
///
/// A test that has to kill the server kills this one; the servers that `cargo xtask test` provides are everybody's.
///
/// # Drop
/// It is killed and its data are removed. It never outlives the test, however that ends; the data of a test that was
/// killed are removed when the next server is made.
#[derive(Debug)]
pub struct Server {
    kind: ServerKind,
    programs: Programs,
    account: Account,
    folder: TempDir,
    /// Outlives the folder: what is nobody's is removed.
    _owner: Owner,
    port: u16,
    password: String,
    running: Option<(Child, Leash)>,
}

impl Server {
    /// Makes one and starts it.
    ///
    /// # Errors
    /// `System` when its programs aren't here or fail, `Deadline` when it doesn't answer.
    pub fn start_new(kind: ServerKind) -> Result<Self, HarnessError> {
        let made =
            Self::make(kind).map_err(|error| HarnessError::system(format!("no {kind} can be made"), error));
        let mut server = made?;
        server.start()?;
        Ok(server)
    }

    fn make(kind: ServerKind) -> io::Result<Self> {
        let programs =
            Programs::find(kind).ok_or_else(|| io::Error::other("its programs are not on this machine"))?;
        let account = Account::choose(kind.accounts())?;
        owner::remove_orphans(Path::new(SITE), PREFIX, account.users());
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(SITE)?;
        let owner = Owner::of(folder.path())?;
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let password = format!("{:032x}", fastrand::u128(..));
        let server = Self { kind, programs, account, folder, _owner: owner, port, password, running: None };
        fs::create_dir(server.data())?;
        server.write("password", &server.password)?;
        server.write("start.sql", &kind.start_statements(&server.password))?;
        server.account.give(server.folder.path())?;
        server.account.give(&server.data())?;
        let made = server.command(&server.programs.maker, kind.maker_args(server.folder.path()))?.status()?;
        made.success().then_some(()).ok_or_else(|| io::Error::other(server.last_words()))?;
        Ok(server)
    }

    /// Where clients find it, whether it runs or not.
    pub fn url(&self) -> String {
        self.kind.url(self.port, &self.password)
    }

    /// Where it listens when it runs.
    pub fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    /// Kills it in the middle of whatever it does: SIGKILL. Nothing happens to one that doesn't run.
    pub fn kill(&mut self) {
        let Some((mut child, leash)) = self.running.take() else { return };
        let process = Process::of(&child);
        process.tell_all(Signal::KILL).ok();
        leash.take_off();
        child.wait().ok();
    }

    /// Starts it and waits until it answers. Nothing happens to one that runs.
    ///
    /// # Errors
    /// `System` when it can't be started, `Deadline` when it doesn't answer; with the end of what it said.
    pub fn start(&mut self) -> Result<(), HarnessError> {
        let deadline = Deadline::after(PATIENCE);
        let answers = deadline.look(|| match self.is_started() {
            Ok(true) => self.answers().then_some(Ok(())),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        });
        match answers {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => Err(HarnessError::system(format!("{} can't be started", self.kind), error)),
            None => {
                let text = format!("{} does not answer\n{}", self.kind, self.last_words());
                Err(HarnessError::new(HarnessErrorKind::Deadline, text))
            }
        }
    }

    /// Whether it runs, after another attempt if it doesn't. What a killed server has forked takes a moment to notice,
    /// and the next one refuses to start meanwhile.
    fn is_started(&mut self) -> io::Result<bool> {
        if let Some((child, _)) = &mut self.running {
            if child.try_wait()?.is_none() {
                return Ok(true);
            }
            self.kill();
        }
        // Its number may be another process's by now, and the new server would take that one for it.
        fs::remove_file(self.data().join("postmaster.pid")).ok();
        let args = self.kind.server_args(self.folder.path(), self.port);
        let mut child = self.command(&self.programs.server, args)?.process_group(0).spawn()?;
        match Leash::on(Process::of(&child)) {
            Ok(leash) => self.running = Some((child, leash)),
            Err(error) => {
                child.kill().and_then(|()| child.wait())?;
                return Err(error);
            }
        }
        Ok(false)
    }

    fn answers(&self) -> bool {
        let mut question = Command::new(&self.programs.client);
        question.args(self.kind.client_args(self.port)).envs(self.kind.client_envs(&self.password));
        question.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        question.status().is_ok_and(|status| status.success())
    }

    fn command(&self, program: &Path, args: Vec<String>) -> io::Result<Command> {
        let log = OpenOptions::new().create(true).append(true).open(self.log())?;
        let mut command = Command::new(program);
        command.args(args).current_dir("/").env("LC_ALL", "C").stdin(Stdio::null());
        command.stdout(log.try_clone()?).stderr(log);
        self.account.run(&mut command);
        Ok(command)
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let file = self.folder.path().join(name);
        let mut options = File::options();
        options.write(true).create_new(true).mode(0o600).open(&file)?.write_all(text.as_bytes())?;
        self.account.give(&file)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn last_words(&self) -> String {
        let text = fs::read(self.log()).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<_> = text.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
