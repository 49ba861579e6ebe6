//! libfaketime: the library that shows a program another time, for tests of skewed clocks.

use super::{packages, say};
use anyhow::{Context, Result};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// Its name for people.
pub(super) const NAME: &str = "faketime";
/// The variable that says where it is.
pub(super) const VARIABLE: &str = "FAKETIME_LIB";
/// Its file's name. (There is a second library for programs with threads, which guards what this one need not here: no
/// test lets the shown time run at another rate.)
const FILE: &str = "libfaketime.so.1";
/// The folders that hold it, or hold one for each architecture that does.
const FOLDERS: [&str; 4] = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/opt/homebrew/lib"];
/// Debian's and Ubuntu's packages.
const PACKAGES: &[&[&str]] = &[&["faketime"], &["libfaketime"]];

/// The library's file, installed if need be; that in `FAKETIME_LIB` if it is set and there.
///
/// # Errors
/// When it isn't here and can't be installed.
pub(super) fn provide() -> Result<String> {
    let advice = || {
        format!(
            "{NAME} is not here: install it by hand (apt-get install faketime), or set {VARIABLE} to {FILE}"
        )
    };
    if find().is_none() {
        say(&format!("{NAME}: is not on this machine; installing it from the system's packages"));
        packages::install(PACKAGES).with_context(advice)?;
    }
    Ok(find().with_context(advice)?.to_string_lossy().into_owned())
}

/// What there is to say of it, in a line.
pub(super) fn status() -> String {
    find().map_or_else(|| "is not here".to_owned(), |file| format!("is {}", file.display()))
}

fn find() -> Option<PathBuf> {
    let given = env::var_os(VARIABLE).map(PathBuf::from).filter(|file| file.is_file());
    given.or_else(|| FOLDERS.iter().find_map(|folder| find_in(Path::new(folder))))
}

fn find_in(folder: &Path) -> Option<PathBuf> {
    let below = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut places: Vec<_> = below.map(|folder| folder.join("faketime").join(FILE)).collect();
    places.extend([folder.join("faketime").join(FILE), folder.join(FILE)]);
    places.into_iter().find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::test_support;

    #[test]
    fn it_is_found_beside_or_below_an_architecture_and_nowhere_else() {
        let folder = test_support::folder("faketime");
        assert_eq!(find_in(folder.path()), None);
        let deep = folder.path().join("x86_64-linux-gnu/faketime");
        fs::create_dir_all(&deep).unwrap();
        assert_eq!(find_in(folder.path()), None);
        fs::write(deep.join(FILE), "").unwrap();
        assert_eq!(find_in(folder.path()), Some(deep.join(FILE)));
    }
}
