//! The site: the folder under `target/` where all servers of this checkout live, and its locks.

use super::{
    account::Account,
    engine::{Engine, Facts},
    home::Home,
    programs::Programs,
    say,
};
use crate::workspace;
use anyhow::{Context, Result};
use std::{
    fs::{self, DirBuilder, File},
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
};

/// Where homes are when `target/` lies in a folder that only root may enter. Unlike `/tmp` it is on a disk.
const ELSEWHERE: &str = "/var/tmp";

/// The folder where all servers of this checkout live. Another checkout has another.
#[derive(Debug)]
pub(super) struct Site {
    folder: PathBuf,
    /// Tells people what is being done.
    pub(super) say: fn(&str),
}

impl Site {
    /// Opens it, and makes it if need be.
    ///
    /// # Errors
    /// When cargo can't read the workspace or the folder can't be made.
    pub(super) fn open() -> Result<Self> {
        let folder = workspace::members()?.target_directory.join("services").into_std_path_buf();
        Self::at(&folder, say)
    }

    /// The site in this folder.
    pub(super) fn at(folder: &Path, say: fn(&str)) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self { folder: folder.canonicalize()?, say })
    }

    /// Waits until nobody else starts or stops servers here, and keeps others from it until the lock is dropped.
    ///
    /// # Errors
    /// When the system has no locks for files there.
    pub(super) fn lock(&self) -> Result<File> {
        let file = self.file("lock")?;
        if file.try_lock().is_err() {
            (self.say)("waiting for another command to be done with the servers");
            file.lock().context("cannot lock the servers' folder")?;
        }
        Ok(file)
    }

    /// Says that the servers are in use, until what is given back is dropped.
    ///
    /// # Errors
    /// When the system has no locks for files there.
    pub(super) fn occupy(&self) -> Result<File> {
        let file = self.file("in-use")?;
        file.lock_shared().context("cannot lock the servers' folder")?;
        Ok(file)
    }

    /// Whether anybody uses the servers.
    ///
    /// # Errors
    /// When the file can't be made.
    pub(super) fn is_occupied(&self) -> Result<bool> {
        Ok(self.file("in-use")?.try_lock().is_err())
    }

    /// The file with what was started for an engine.
    pub(super) fn state_file(&self, facts: &Facts) -> PathBuf {
        self.folder.join(facts.slug).with_extension("json")
    }

    /// The file with what the engine's programs said last.
    pub(super) fn log_file(&self, facts: &Facts) -> PathBuf {
        self.folder.join(facts.slug).with_extension("log")
    }

    /// The folder of something that is no server.
    pub(super) fn folder_of(&self, name: &str) -> PathBuf {
        self.folder.join(name.to_lowercase().replace(' ', "-"))
    }

    /// The home for these programs: here or, if its owner can't come here, elsewhere.
    ///
    /// # Errors
    /// When there is no account for it, or no place.
    pub(super) fn home(&self, engine: &dyn Engine, programs: &Programs) -> Result<Home> {
        let facts = engine.facts();
        let owner = Account::choose(facts.accounts)?;
        let site = if owner.reaches(&self.folder) { self.folder.clone() } else { self.elsewhere()? };
        Ok(Home::new(site.join(format!("{}-{}", facts.slug, programs.major)), owner))
    }

    /// A folder of ours whose name is where this site is.
    fn elsewhere(&self) -> Result<PathBuf> {
        own_folder(
            Path::new(ELSEWHERE).join(self.folder.to_string_lossy().trim_matches('/').replace('/', "-")),
        )
    }

    fn file(&self, name: &str) -> Result<File> {
        let path = self.folder.join(name);
        let opened = File::options().write(true).create(true).truncate(false).open(&path);
        opened.with_context(|| format!("cannot open {}", path.display()))
    }
}

/// Makes a folder where everybody may make some, and makes sure that nobody else made it first.
fn own_folder(path: PathBuf) -> Result<PathBuf> {
    if let Err(error) = DirBuilder::new().mode(0o755).create(&path) {
        let found = fs::symlink_metadata(&path)
            .with_context(|| format!("cannot make {}: {error}", path.display()))?;
        let ours = found.is_dir() && found.uid() == rustix::process::geteuid().as_raw();
        anyhow::ensure!(ours, "{} belongs to somebody else", path.display());
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::test_support;

    #[test]
    fn servers_are_occupied_as_long_as_anybody_uses_them() {
        let folder = test_support::folder("site");
        let site = Site::at(&folder.path().join("services"), |_| ()).unwrap();
        assert!(!site.is_occupied().unwrap());
        let (one, other) = (site.occupy().unwrap(), site.occupy().unwrap());
        drop(one);
        assert!(site.is_occupied().unwrap());
        drop(other);
        assert!(!site.is_occupied().unwrap());
    }

    #[test]
    fn two_checkouts_have_two_places_elsewhere() {
        let folder = test_support::folder("sites");
        let [one, other] = ["one", "other"].map(|name| Site::at(&folder.path().join(name), |_| ()).unwrap());
        assert_ne!(one.elsewhere().unwrap(), other.elsewhere().unwrap());
        assert_eq!(one.elsewhere().unwrap(), one.elsewhere().unwrap());
        for site in [one, other] {
            fs::remove_dir(site.elsewhere().unwrap()).unwrap();
        }
    }

    #[test]
    fn a_folder_that_somebody_else_laid_out_is_not_used() {
        let folder = test_support::folder("bait");
        let bait = folder.path().join("bait");
        std::os::unix::fs::symlink("/tmp", &bait).unwrap();
        assert!(own_folder(bait).unwrap_err().to_string().ends_with("belongs to somebody else"));
    }
}
