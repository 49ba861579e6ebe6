//! A call of cargo: built, shown, run.

use crate::{
    interrupt,
    patience::{look, look_unless_interrupted},
};
use anyhow::{Context, Result, ensure};
use rustix::{
    io::Errno,
    process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid},
};
use std::{
    env,
    ffi::{OsStr, OsString},
    fmt,
    os::unix::process::CommandExt,
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};

/// How long a call may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(10);

/// One call of cargo, shown before it runs in a form that can be pasted into a shell.
///
/// It reads nothing from stdin, so that a run by hand and a run in CI see the same.
#[derive(Debug)]
pub(crate) struct Cargo {
    envs: Vec<(&'static str, &'static str)>,
    unshown: Vec<(&'static str, String)>,
    args: Vec<OsString>,
}

impl Cargo {
    /// A call with these words, parted by spaces: `Cargo::new("fmt --all --check")`.
    pub(crate) fn new(words: &str) -> Self {
        Self {
            envs: Vec::new(),
            unshown: Vec::new(),
            args: words.split_whitespace().map(OsString::from).collect(),
        }
    }

    /// Adds arguments that may hold anything.
    pub(crate) fn with_args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Makes a call of `cargo test` run ignored tests too, unless its arguments already say which of them it runs.
    pub(crate) fn with_ignored(mut self) -> Self {
        if !self.args.iter().any(|arg| arg == "--") {
            self.args.push("--".into());
        }
        let chosen = |arg: &OsString| arg == "--ignored" || arg == "--include-ignored";
        if !self.args.iter().any(chosen) {
            self.args.push("--include-ignored".into());
        }
        self
    }

    /// Sets an environment variable for this call only.
    pub(crate) fn with_env(mut self, name: &'static str, value: &'static str) -> Self {
        self.envs.push((name, value));
        self
    }

    /// Sets environment variables for this call only, which are not shown: what they hold is of no use later.
    pub(crate) fn with_unshown_envs(mut self, envs: &[(&'static str, String)]) -> Self {
        self.unshown.extend_from_slice(envs);
        self
    }

    /// Shows the call and runs it; its output goes where ours goes.
    ///
    /// # Errors
    /// When cargo can't be started or ends with a failure; the error holds the whole call.
    pub(crate) fn run(&self) -> Result<()> {
        println!("$ {self}");
        let status = self.command().status().with_context(|| format!("cannot start `{self}`"))?;
        self.expect_success(status)
    }

    /// As [`run`](Self::run); but when we are [interrupted](interrupt), the call and all that it started is ended
    /// before this returns, so that nothing goes on that needs what is stopped next.
    ///
    /// # Errors
    /// As [`run`](Self::run), and when we were interrupted.
    pub(crate) fn run_interruptibly(&self) -> Result<()> {
        println!("$ {self}");
        let child = self.command().process_group(0).spawn();
        let status = wait_or_end(child.with_context(|| format!("cannot start `{self}`"))?)?;
        interrupt::check()?;
        self.expect_success(status)
    }

    /// Runs the call without showing it and gives back what it wrote to stdout.
    ///
    /// # Errors
    /// As [`run`](Self::run), and when the output is not UTF-8.
    pub(crate) fn read(&self) -> Result<String> {
        let (text, status) = self.output()?;
        self.expect_success(status)?;
        Ok(text)
    }

    /// Runs the call without showing it and gives back what it wrote to stdout and how it ended.
    ///
    /// # Errors
    /// When cargo can't be started, or the output is not UTF-8.
    pub(crate) fn output(&self) -> Result<(String, ExitStatus)> {
        let output = self.command().stderr(Stdio::inherit()).output();
        let output = output.with_context(|| format!("cannot start `{self}`"))?;
        let text = String::from_utf8(output.stdout);
        Ok((text.with_context(|| format!("the output of `{self}` is not UTF-8"))?, output.status))
    }

    /// Nothing if a call that ended like this succeeded.
    ///
    /// # Errors
    /// Names the whole call and how it ended.
    pub(crate) fn expect_success(&self, status: ExitStatus) -> Result<()> {
        ensure!(status.success(), "`{self}` ended with {status}");
        Ok(())
    }

    /// The cargo that runs us, so that a `+toolchain` stays the same all the way down.
    fn command(&self) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(&self.args).envs(self.envs.iter().copied()).stdin(Stdio::null());
        command.envs(self.unshown.iter().map(|(name, value)| (name, value)));
        command
    }
}

impl fmt::Display for Cargo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.envs {
            write!(f, "{name}={} ", quoted(value))?;
        }
        write!(f, "cargo")?;
        self.args.iter().try_for_each(|arg| write!(f, " {}", quoted(&arg.to_string_lossy())))
    }
}

/// Waits for the leader of a process group; when we are interrupted, asks the group to end, and soon makes it end.
fn wait_or_end(mut child: Child) -> Result<ExitStatus> {
    let group = Pid::from_child(&child);
    if look_unless_interrupted(Duration::MAX, || has_ended(group).then_some(())).is_none() {
        tell(group, Signal::INT)?;
        look(GRACE, || has_ended(group).then_some(()));
    }
    // The leader is not buried yet, so that the number is still its group's.
    tell(group, Signal::KILL)?;
    Ok(child.wait()?)
}

/// Whether a child has ended; it is left to be buried.
fn has_ended(child: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(child), options), Ok(None))
}

/// Sends a signal to all that is left of a group, which may be nothing that takes one.
fn tell(group: Pid, signal: Signal) -> Result<()> {
    match kill_process_group(group, signal) {
        Ok(()) | Err(Errno::SRCH | Errno::PERM) => Ok(()),
        Err(error) => Err(error).context("cannot end what cargo started"),
    }
}

/// The word as a POSIX shell must see it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_shown_as_a_shell_would_read_it() {
        let call = Cargo::new("doc --no-deps").with_env("RUSTDOCFLAGS", "-D warnings").with_args(["it's"]);
        assert_eq!(call.to_string(), r"RUSTDOCFLAGS='-D warnings' cargo doc --no-deps 'it'\''s'");
    }

    #[cfg(unix)]
    #[test]
    fn a_call_that_fails_names_itself_and_how_it_ended() {
        use std::os::unix::process::ExitStatusExt;
        let error = Cargo::new("fmt").expect_success(ExitStatus::from_raw(101 << 8)).unwrap_err();
        assert_eq!(error.to_string(), "`cargo fmt` ended with exit status: 101");
    }

    #[test]
    fn what_a_call_wrote_is_given_back() {
        assert!(Cargo::new("--version").read().unwrap().starts_with("cargo "));
    }
}
