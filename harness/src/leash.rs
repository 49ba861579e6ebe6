//! A leash: ends a child's process group when the test is gone, however it went.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use crate::process::Process;

/// Reads until its input ends, which is when the test is gone, and kills the group.
const SCRIPT: &str = r#"read -r gone; kill -s KILL -- "-$1""#;

/// A process that ends a child's process group when the test is gone.
///
/// It is in a group of its own, so that Ctrl-C doesn't end it before it has done its work.
#[derive(Debug)]
pub(crate) struct Leash(Child);

impl Leash {
    pub(crate) fn on(process: Process) -> io::Result<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "leash", &process.number().to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        Ok(Self(command.spawn()?))
    }

    /// Takes it off. The child must not be buried yet, as its number would be free.
    pub(crate) fn take_off(mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}
