//! The programs of an engine, and the folders in which they may be.

use std::{
    cmp::Reverse,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Folders that hold servers and aren't always on an ordinary user's PATH.
const OFF_PATH: [&str; 4] = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/usr/libexec"];

/// The programs of one version of an engine.
#[derive(Clone, Debug)]
pub(super) struct Programs {
    /// The server itself.
    pub(super) server: PathBuf,
    /// What makes a data folder.
    pub(super) maker: PathBuf,
    /// What asks a server a question.
    pub(super) client: PathBuf,
    /// The server's version.
    pub(super) version: String,
    /// The part of the version within which data folders are understood.
    pub(super) major: String,
}

/// The real folders that hold a program of this name, in the order of PATH; links are followed, as a version's other
/// programs are where the link leads.
pub(super) fn folders_of(name: &str) -> Vec<PathBuf> {
    let files = searched().into_iter().map(|folder| folder.join(name)).filter(|file| file.is_file());
    let real = files.filter_map(|file| file.canonicalize().ok());
    real.filter_map(|file| Some(file.parent()?.to_owned())).collect()
}

/// The first program that is there under one of these names, the first name preferred.
pub(super) fn first_of(names: &[&str]) -> Option<PathBuf> {
    all_of(names).into_iter().next()
}

/// All programs that are there under one of these names, in that order.
pub(super) fn all_of(names: &[&str]) -> Vec<PathBuf> {
    let folders = searched();
    let places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.filter(|file| file.is_file()).collect()
}

fn searched() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).chain(OFF_PATH.map(PathBuf::from)).collect()
}

/// The folders in this one whose names are versions, the newest first.
pub(super) fn newest_first(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    let mut versions: Vec<_> = entries.filter_map(|path| Some((number(&path)?, path))).collect();
    versions.sort_by_key(|(version, _)| Reverse(*version));
    versions.into_iter().map(|(_, path)| path).collect()
}

/// The first word in what a server says of its version that begins with a digit.
pub(super) fn version_of(server: &Path) -> Option<String> {
    version_in(&said_by(Command::new(server).arg("--version"))?)
}

/// What a program writes to stdout, if it ends well.
pub(super) fn said_by(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn version_in(text: &str) -> Option<String> {
    let is_version = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    text.split_whitespace().find(is_version).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_the_first_word_that_begins_with_a_digit() {
        let postgresql = "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n";
        assert_eq!(version_in(postgresql).as_deref(), Some("15.18"));
        let mariadb = "mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)\n";
        assert_eq!(version_in(mariadb).as_deref(), Some("10.11.19-MariaDB-0+deb12u1"));
        assert_eq!(version_in("no version"), None);
    }

    #[test]
    fn versions_are_sorted_as_numbers_and_other_folders_left_out() {
        let folder = crate::services::test_support::folder("versions");
        for name in ["9", "15", "17", "common"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let names: Vec<_> = newest_first(folder.path()).iter().map(|path| path.ends_with("17")).collect();
        assert_eq!(names, [true, false, false]);
        assert!(newest_first(Path::new("/nowhere/at/all")).is_empty());
    }

    #[test]
    fn a_program_that_is_not_there_is_not_found() {
        assert!(folders_of("no-such-program").is_empty());
        assert_eq!(first_of(&["no-such-program"]), None);
        let shell = first_of(&["no-such-program", "sh"]).unwrap();
        assert!(shell.ends_with("sh") && folders_of("sh").iter().all(|folder| folder.is_dir()));
    }
}
