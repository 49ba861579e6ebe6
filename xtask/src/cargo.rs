//! A call of cargo: built, shown, run.

use anyhow::{Context, Result, ensure};
use std::{
    env,
    ffi::{OsStr, OsString},
    fmt,
    process::{Command, ExitStatus, Stdio},
};

/// One call of cargo, shown before it runs in a form that can be pasted into a shell.
///
/// It reads nothing from stdin, so that a run by hand and a run in CI see the same.
#[derive(Debug)]
pub(crate) struct Cargo {
    envs: Vec<(&'static str, &'static str)>,
    args: Vec<OsString>,
}

impl Cargo {
    /// A call with these words, parted by spaces: `Cargo::new("fmt --all --check")`.
    pub(crate) fn new(words: &str) -> Self {
        Self { envs: Vec::new(), args: words.split_whitespace().map(OsString::from).collect() }
    }

    /// Adds arguments that may hold anything.
    pub(crate) fn with_args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Sets an environment variable for this call only.
    pub(crate) fn with_env(mut self, name: &'static str, value: &'static str) -> Self {
        self.envs.push((name, value));
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

    /// Runs the call without showing it and gives back what it wrote to stdout.
    ///
    /// # Errors
    /// As [`run`](Self::run), and when the output is not UTF-8.
    pub(crate) fn read(&self) -> Result<String> {
        let output = self.command().stderr(Stdio::inherit()).output();
        let output = output.with_context(|| format!("cannot start `{self}`"))?;
        self.expect_success(output.status)?;
        String::from_utf8(output.stdout).with_context(|| format!("the output of `{self}` is not UTF-8"))
    }

    fn expect_success(&self, status: ExitStatus) -> Result<()> {
        ensure!(status.success(), "`{self}` ended with {status}");
        Ok(())
    }

    /// The cargo that runs us, so that a `+toolchain` stays the same all the way down.
    fn command(&self) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(&self.args).envs(self.envs.iter().copied()).stdin(Stdio::null());
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

/// The word as a POSIX shell must see it.
fn quoted(word: &str) -> String {
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
