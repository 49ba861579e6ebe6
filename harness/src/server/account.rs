//! The account under which a server runs: PostgreSQL refuses to run as root.

use std::io;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The user and the group under which a server runs, where that is another than ours.
#[derive(Debug)]
pub(super) struct Account(Option<(u32, u32)>);

impl Account {
    /// Ours or, if that is root, the first of these that exists.
    pub(super) fn choose(names: &[&str]) -> io::Result<Self> {
        if !rustix::process::geteuid().is_root() {
            return Ok(Self(None));
        }
        let found = names.iter().find_map(|name| Some((id("-u", name)?, id("-g", name)?)));
        let missing =
            || io::Error::other(format!("root must not serve databases, and there is none of {names:?}"));
        Ok(Self(Some(found.ok_or_else(missing)?)))
    }

    /// Those whose folder a server's can be: ours, and that account's.
    pub(super) fn users(&self) -> [u32; 2] {
        let own = rustix::process::geteuid().as_raw();
        [own, self.0.map_or(own, |(user, _)| user)]
    }

    /// Gives it a file or a folder.
    pub(super) fn give(&self, path: &Path) -> io::Result<()> {
        self.0.map_or(Ok(()), |(user, group)| chown(path, Some(user), Some(group)))
    }

    /// Makes a command run under it.
    pub(super) fn run(&self, command: &mut Command) {
        if let Some((user, group)) = self.0 {
            command.uid(user).gid(group);
        }
    }
}

/// What `id` says of an account.
fn id(what: &str, name: &str) -> Option<u32> {
    let output =
        Command::new("id").args([what, name]).output().ok().filter(|output| output.status.success())?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}
