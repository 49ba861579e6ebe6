//! The program under test, and what it said.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// The program with its options, ready to be started; cargo builds it with the tests of this package.
pub(crate) fn visscore(options: &[&str]) -> Command {
    let tests = std::env::current_exe().unwrap();
    let built = tests.parent().unwrap().parent().unwrap().join("examples");
    let program = built.join(format!("visscore{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "run `cargo test -p examples`, which builds {}", program.display());
    let mut command = Command::new(program);
    command.args(options).env_remove("RUST_LOG");
    command
}

/// How a run ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// The object on the last line of stdout.
    pub(crate) fn report(&self) -> Value {
        let last = self.stdout.lines().last();
        let last = last.unwrap_or_else(|| panic!("nothing on stdout, and on stderr:\n{}", self.stderr));
        serde_json::from_str(last).unwrap()
    }

    /// Some of the report's numbers.
    pub(crate) fn numbers<const N: usize>(&self, names: [&str; N]) -> [u64; N] {
        let report = self.report();
        names.map(|name| report[name].as_u64().unwrap_or_else(|| panic!("{name} in {report}")))
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// Runs it to its end with nothing on stdin.
pub(crate) fn run(options: &[&str]) -> Ended {
    visscore(options).stdin(Stdio::null()).output().unwrap().into()
}

/// Runs it with `input` on stdin.
pub(crate) fn run_with(options: &[&str], input: &[u8]) -> Ended {
    let mut child = start(options);
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap().into()
}

/// Starts it with all its streams in our hands.
pub(crate) fn start(options: &[&str]) -> Child {
    let mut command = visscore(options);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env("RUST_LOG", "worker=debug");
    command.spawn().unwrap()
}

/// Where a file of this test can be.
pub(crate) fn path(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()));
    path.into_os_string().into_string().unwrap()
}

/// A file of this test with `content`.
pub(crate) fn file(name: &str, content: &[u8]) -> String {
    let path = path(name);
    std::fs::write(&path, content).unwrap();
    path
}
