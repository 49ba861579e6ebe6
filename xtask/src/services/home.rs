//! A home: the folder with all that outlives a server, its data and its password.

use super::{account::Account, call, engine::Engine, programs::Programs};
use anyhow::{Context, Result};
use std::{
    fmt::Write,
    fs::{self, File, OpenOptions},
    io::{Read, Write as _},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

/// The folder with all that outlives a server. It belongs to the account that the server runs under.
#[derive(Debug)]
pub(super) struct Home {
    folder: PathBuf,
    owner: Account,
}

impl Home {
    /// The home in this folder, of this owner, whether it is there yet or not.
    pub(super) fn new(folder: PathBuf, owner: Account) -> Self {
        Self { folder, owner }
    }

    /// Where it is.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whose it is.
    pub(super) fn owner(&self) -> &Account {
        &self.owner
    }

    /// The database's own folder.
    pub(super) fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// The file with the password of the only account.
    pub(super) fn password_file(&self) -> PathBuf {
        self.folder.join("password")
    }

    /// The file with what the server is to do at its start.
    pub(super) fn start_file(&self) -> PathBuf {
        self.folder.join("start.sql")
    }

    /// The password.
    ///
    /// # Errors
    /// When the file can't be read.
    pub(super) fn password(&self) -> Result<String> {
        let file = self.password_file();
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))
    }

    /// Writes a file that its owner alone may read.
    ///
    /// # Errors
    /// When the file can't be written.
    pub(super) fn write(&self, file: &Path, text: &str) -> Result<()> {
        let mut options = OpenOptions::new();
        let opened = options.write(true).create(true).truncate(true).mode(0o600).open(file);
        let written = opened.and_then(|mut opened| opened.write_all(text.as_bytes()));
        written.with_context(|| format!("cannot write {}", file.display()))?;
        self.owner.give(file)
    }

    /// Whether it is there with all that belongs in it.
    pub(super) fn is_whole(&self, engine: &dyn Engine) -> bool {
        self.password_file().is_file() && engine.is_whole(&self.data())
    }

    /// Makes it under another name, which it gets rid of once it is whole: what is left of an attempt that was cut
    /// off is never taken for a home.
    ///
    /// # Errors
    /// When the folder can't be made or the engine's program fails; what that said is in `log`.
    pub(super) fn make(self, engine: &dyn Engine, programs: &Programs, log: &Path) -> Result<Self> {
        let mut unfinished = self.folder.clone().into_os_string();
        unfinished.push(".unfinished");
        let new = Self { folder: unfinished.into(), owner: self.owner };
        remove(&new.folder)?;
        fs::DirBuilder::new().recursive(true).mode(0o700).create(new.data())?;
        for folder in [&new.folder, &new.data()] {
            new.owner.give(folder)?;
        }
        new.write(&new.password_file(), &random_word()?)?;
        call::run(engine.make(programs, &new), engine.facts(), &new.owner, log)?;
        remove(&self.folder)?;
        fs::rename(&new.folder, &self.folder)?;
        Ok(Self { folder: self.folder, owner: new.owner })
    }

    /// A home of our own, for tests of command lines.
    #[cfg(test)]
    pub(super) fn at(folder: impl Into<PathBuf>) -> Self {
        Self::new(folder.into(), Account::Ours)
    }
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// A word that nobody guesses: 128 random bits.
fn random_word() -> Result<String> {
    let mut bits = [0; 16];
    File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut bits))
        .context("no random numbers")?;
    let mut word = String::new();
    bits.iter().try_for_each(|byte| write!(word, "{byte:02x}"))?;
    Ok(word)
}
