//! The account under which a server runs: PostgreSQL refuses to run as root, and nothing else needs to.

use anyhow::{Context, Result};
use std::{
    fs,
    os::unix::{
        fs::{PermissionsExt, chown},
        process::CommandExt,
    },
    path::Path,
    process::Command,
};

/// The account under which a server runs and to which its files belong.
#[derive(Debug)]
pub(super) enum Account {
    /// The one that called us, which is not root.
    Ours,
    /// Another one, as we are root.
    Other {
        /// Its user.
        user: u32,
        /// Its group.
        group: u32,
    },
}

impl Account {
    /// The account that called us or, if that is root and some are named, the first of these that exists.
    ///
    /// # Errors
    /// When none of them exists.
    pub(super) fn choose(names: &[&str]) -> Result<Self> {
        if names.is_empty() || !rustix::process::geteuid().is_root() {
            return Ok(Self::Ours);
        }
        let found = names.iter().find_map(|name| Self::named(name));
        found.with_context(|| {
            format!("root must not serve databases, and none of {names:?} is an account here")
        })
    }

    fn named(name: &str) -> Option<Self> {
        Some(Self::Other { user: id("-u", name)?, group: id("-g", name)? })
    }

    /// Makes a command run under it.
    pub(super) fn run(&self, command: &mut Command) {
        if let Self::Other { user, group } = *self {
            command.uid(user).gid(group);
        }
    }

    /// Gives it a file or an empty folder.
    ///
    /// # Errors
    /// When the owner can't be changed.
    pub(super) fn give(&self, path: &Path) -> Result<()> {
        let Self::Other { user, group } = *self else { return Ok(()) };
        chown(path, Some(user), Some(group)).with_context(|| format!("cannot give {} away", path.display()))
    }

    /// Whether it can reach what is in this folder: if it isn't ours, all folders above must let everybody through.
    pub(super) fn reaches(&self, folder: &Path) -> bool {
        let open =
            |folder: &Path| fs::metadata(folder).is_ok_and(|found| found.permissions().mode() & 0o001 != 0);
        matches!(self, Self::Ours) || folder.ancestors().all(open)
    }
}

/// What `id` says of an account.
fn id(what: &str, name: &str) -> Option<u32> {
    let output =
        Command::new("id").args([what, name]).output().ok().filter(|output| output.status.success())?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::test_support;

    const STRANGER: Account = Account::Other { user: 65_534, group: 65_534 };

    #[test]
    fn a_stranger_reaches_a_folder_only_if_every_folder_above_lets_it_through() {
        let folder = test_support::folder("account");
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        for (mode, reached) in [(0o755, true), (0o700, false)] {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(STRANGER.reaches(&inner), reached, "mode {mode:o}");
            assert!(Account::Ours.reaches(&inner));
        }
    }

    #[test]
    fn where_none_is_named_it_is_ours() {
        assert!(matches!(Account::choose(&[]), Ok(Account::Ours)));
    }

    #[test]
    fn an_account_that_does_not_exist_is_not_found() {
        assert!(Account::named("no-such-account").is_none());
    }

    #[test]
    fn giving_to_ourselves_changes_nothing() {
        assert!(Account::Ours.give(Path::new("/nowhere/at/all")).is_ok());
        assert!(STRANGER.give(Path::new("/nowhere/at/all")).is_err());
    }
}
