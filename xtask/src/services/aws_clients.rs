//! The AWS SDK for Python and the AWS CLI: clients of other make, for tests of the server for Amazon SQS and SNS.

use super::{packages, programs, python, say, site::Site};
use crate::stopwatch::timed;
use anyhow::{Context, Result, ensure};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Stdio,
};

/// Their name for people.
pub(super) const NAME: &str = "AWS clients";
/// The variable that says where a Python is that has both.
pub(super) const VARIABLE: &str = "AWS_CLIENTS_PYTHON";
/// The packages, each in one version.
const PACKAGES: &str = include_str!("aws_clients/requirements.txt");
/// The file with them.
const PACKAGES_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/services/aws_clients/requirements.txt");

/// A Python that has both, made if need be; that in `AWS_CLIENTS_PYTHON` if it is set and there.
///
/// # Errors
/// When there is no Python, or its packages can't be installed.
pub(super) fn provide(site: &Site) -> Result<String> {
    let folder = site.folder_of(NAME);
    if find(&folder).is_none() {
        say(&format!("{NAME}: making {}", folder.display()));
        let (made, took) = timed(|| make(&folder));
        made.with_context(|| {
            format!(
                "the {NAME} are not here: see to that, or set {VARIABLE} to a Python with boto3 and awscli"
            )
        })?;
        say(&format!("{NAME}: made {} in {:.1} s", folder.display(), took.as_secs_f64()));
    }
    Ok(find(&folder).context("the environment has no Python")?.to_string_lossy().into_owned())
}

/// What there is to say of them, in a line.
pub(super) fn status(site: &Site) -> String {
    let found = find(&site.folder_of(NAME));
    found.map_or_else(|| "are not here".to_owned(), |file| format!("are {}", file.display()))
}

fn find(folder: &Path) -> Option<PathBuf> {
    let given = env::var_os(VARIABLE).map(PathBuf::from).filter(|file| file.is_file());
    given.or_else(|| python::is_made_of(folder, PACKAGES).then(|| python::program_in(folder)))
}

fn make(folder: &Path) -> Result<()> {
    if python::find().is_none() {
        packages::install(python::PACKAGES).context(python::BY_HAND)?;
    }
    let (python, _) = python::find().context(python::BY_HAND)?;
    let shell = programs::first_of(&["sh"]).context("there is no shell")?;
    fs::remove_dir_all(folder).ok();
    let mut command = python::make(&shell, &python, folder, PACKAGES_FILE);
    let output = command.stdin(Stdio::null()).output().context("cannot start a shell")?;
    ensure!(output.status.success(), "pip failed:\n{}", String::from_utf8_lossy(&output.stderr).trim_end());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_has_one_version() {
        let lines = PACKAGES.lines().filter(|line| !line.starts_with('#'));
        assert!(lines.clone().count() > 2);
        let loose: Vec<_> = lines.filter(|line| line.split("==").count() != 2).collect();
        assert!(loose.is_empty(), "{loose:?}");
    }
}
