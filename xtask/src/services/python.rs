//! Python: one that makes virtual environments, and such an environment of listed packages.

use super::programs;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Debian's and Ubuntu's packages.
pub(super) const PACKAGES: &[&[&str]] = &[&["python3", "python3-venv"]];
/// How people install it elsewhere.
pub(super) const BY_HAND: &str = "all it needs is Python 3.11 or later with venv and pip; Debian, Ubuntu: apt-get install \
     python3-venv; Fedora: dnf install python3; macOS: brew install python";

/// What makes an environment.
const INSTALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/services/python/install.sh");
/// What is beside an environment when that has ended: the list of its packages once more.
const MADE_OF: &str = "made-of";
/// The names under which there may be a Python, the best first.
const NAMES: [&str; 4] = ["python3", "python3.13", "python3.12", "python3.11"];
/// Says which Python it is, and fails where that is too old or can't make environments. Debian's can't without
/// python3-venv; a link or a script may lead to it, so that it says itself where it is.
const WHICH: &str = "import ensurepip, os, sys, venv
assert sys.version_info >= (3, 11)
print('%d.%d' % sys.version_info[:2], os.path.realpath(sys.executable))";

/// The best Python's own file and its release.
pub(super) fn find() -> Option<(PathBuf, String)> {
    programs::all_of(&NAMES).iter().find_map(|python| which(python))
}

/// A Python's own file and its release, if it will do.
fn which(python: &Path) -> Option<(PathBuf, String)> {
    let said = programs::said_by(Command::new(python).args(["-I", "-c", WHICH]))?;
    let (release, file) = said.trim().split_once(' ')?;
    Some((PathBuf::from(file), release.to_owned()))
}

/// Makes an environment in a folder, of the packages in the file `list`. They come from the index that pip is set up for.
pub(super) fn make(shell: &Path, python: &Path, folder: &Path, list: &str) -> Command {
    let mut command = Command::new(shell);
    command.arg(INSTALL).arg(python).arg(folder).arg(list);
    // An environment is nobody's home, whatever pip is set up for otherwise.
    command.env("PIP_USER", "0");
    command
}

/// Whether a folder's environment was made to the end, and of these packages.
pub(super) fn is_made_of(folder: &Path, packages: &str) -> bool {
    fs::read_to_string(folder.join(MADE_OF)).is_ok_and(|found| found == packages)
        && program_in(folder).is_file()
}

/// The Python of a folder's environment. It is found there also when the folder was moved, unlike the scripts beside it.
pub(super) fn program_in(folder: &Path) -> PathBuf {
    folder.join("venv/bin/python")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::test_support;

    #[test]
    fn a_program_that_is_no_python_is_not_taken_for_one() {
        assert_eq!(which(&programs::first_of(&["true"]).unwrap()), None);
        assert_eq!(which(Path::new("/no/such/python3")), None);
    }

    #[test]
    fn what_was_made_of_other_packages_or_has_lost_its_python_is_not_whole() {
        let folder = test_support::folder("python");
        fs::create_dir_all(folder.path().join("venv/bin")).unwrap();
        fs::write(program_in(folder.path()), "").unwrap();
        assert!(!is_made_of(folder.path(), "a==1\n"), "pip was cut off");
        fs::write(folder.path().join(MADE_OF), "a==1\n").unwrap();
        assert!(is_made_of(folder.path(), "a==1\n"));
        assert!(!is_made_of(folder.path(), "a==2\n"));
        fs::remove_file(program_in(folder.path())).unwrap();
        assert!(!is_made_of(folder.path(), "a==1\n"), "the system's Python has gone");
    }
}
