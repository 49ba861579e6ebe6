//! The owner of a server's folder: a process that holds a lock in it for as long as it lives.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The file that is locked. The system lets go of the lock when the process is gone, however it went.
const LOCK: &str = "owner";

/// That a folder is this process's.
#[derive(Debug)]
pub(super) struct Owner {
    _lock: File,
}

impl Owner {
    /// Makes a folder this process's. The file gets its name once it is locked, so that nobody finds it free.
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        let draft = folder.join("owner.draft");
        let lock = File::create_new(&draft)?;
        lock.try_lock()?;
        fs::rename(draft, folder.join(LOCK))?;
        Ok(Self { _lock: lock })
    }
}

/// Removes the folders at a place whose names begin so, which belong to one of these users and whose owner is gone.
/// What can't be removed stays: the next server tries again.
pub(super) fn remove_orphans(place: &Path, prefix: &str, users: [u32; 2]) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let is_meant = entry.file_name().to_string_lossy().starts_with(prefix);
        // Nobody is led elsewhere by a link that another user has laid.
        let is_ours = entry.metadata().is_ok_and(|data| data.is_dir() && users.contains(&data.uid()));
        if is_meant && is_ours {
            remove_orphan(&entry.path()).ok();
        }
    }
}

fn remove_orphan(folder: &Path) -> io::Result<()> {
    let lock = File::open(folder.join(LOCK))?;
    lock.try_lock()?;
    // The lock is the last to go: without it nobody would try again.
    fs::remove_dir_all(folder.join("data")).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    })?;
    fs::remove_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// A place with a folder of this name, in which there are data.
    fn place_with(name: &str) -> TempDir {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join(name).join("data/base")).unwrap();
        place
    }

    fn own() -> [u32; 2] {
        [rustix::process::geteuid().as_raw(); 2]
    }

    #[test]
    fn a_folder_stays_while_its_owner_lives_and_goes_when_it_is_gone() {
        let place = place_with("server-1");
        let folder = place.path().join("server-1");
        let owner = Owner::of(&folder).unwrap();
        remove_orphans(place.path(), "server-", own());
        assert!(folder.join("data/base").is_dir());
        drop(owner);
        remove_orphans(place.path(), "server-", own());
        assert!(!folder.exists());
    }

    #[test]
    fn what_is_not_known_to_be_an_orphan_stays() {
        for (name, prefix, users, is_owned) in [
            ("server-1", "server-", own(), false),
            ("other-1", "server-", own(), true),
            ("server-1", "server-", own().map(|user| user + 1), true),
        ] {
            let place = place_with(name);
            let folder = place.path().join(name);
            drop(is_owned.then(|| Owner::of(&folder).unwrap()));
            remove_orphans(place.path(), prefix, users);
            assert!(folder.join("data/base").is_dir(), "{name} {users:?} {is_owned}");
        }
    }

    #[test]
    fn a_link_leads_nobody_elsewhere() {
        let place = place_with("precious");
        let folder = place.path().join("precious");
        drop(Owner::of(&folder).unwrap());
        std::os::unix::fs::symlink(&folder, place.path().join("server-1")).unwrap();
        remove_orphans(place.path(), "server-", own());
        assert!(folder.join("data/base").is_dir());
    }
}
