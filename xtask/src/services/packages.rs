//! Packages of the operating system: Debian's and Ubuntu's, by `apt-get`.

use super::{programs::first_of, say};
use anyhow::{Context, Result, anyhow};
use std::{
    io,
    process::{Command, Stdio},
    sync::Mutex,
};

/// Runs as root; its arguments are the packages.
const SCRIPT: &str = include_str!("install.sh");
/// Two at once would undo each other's policy.
static INSTALLING: Mutex<()> = Mutex::new(());

/// Installs the first of these sets of packages that can be installed, when nobody else installs any. No service is started
/// by that.
///
/// # Errors
/// When there is no `apt-get`, no right to use it, or it fails for every set.
pub(super) fn install(sets: &[&[&str]]) -> Result<()> {
    first_of(&["apt-get"]).context("there is no apt-get on this machine")?;
    let root = as_root()?;
    let _one_at_a_time = INSTALLING.lock();
    let mut result = Err(anyhow!("no packages are named"));
    for set in sets {
        result = run(&root, set);
        if result.is_ok() {
            break;
        }
    }
    result
}

/// The words that make a command run as root.
fn as_root() -> Result<Vec<&'static str>> {
    if rustix::process::geteuid().is_root() {
        return Ok(Vec::new());
    }
    let sudo = ["sudo", "--non-interactive"];
    let allowed =
        Command::new(sudo[0]).args([sudo[1], "true"]).stdin(Stdio::null()).stderr(Stdio::null()).status();
    let allowed = allowed.is_ok_and(|status| status.success());
    allowed.then(|| sudo.to_vec()).context("this user is not root and may not use sudo without a password")
}

/// What it says goes to stderr, as stdout may be a shell's `eval`.
fn run(root: &[&str], packages: &[&str]) -> Result<()> {
    say(&format!("apt-get install {}", packages.join(" ")));
    let words: Vec<_> = root.iter().copied().chain(["sh", "-c", SCRIPT, "install"]).collect();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).args(packages).stdin(Stdio::null()).stdout(Stdio::from(io::stderr()));
    let status = command.status().context("cannot start a shell")?;
    anyhow::ensure!(status.success(), "apt-get could not install {}", packages.join(" "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::SCRIPT;
    use crate::services::test_support;
    use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

    /// Runs the script with an apt-get that writes down how it was called and what the policy then was.
    fn install(folder: &Path, apt_get: &str) -> bool {
        let program = folder.join("apt-get");
        let script = format!(
            "#!/bin/sh\necho \"$@\" >>{0}/calls\ncat {0}/policy >{0}/seen\n{apt_get}\n",
            folder.display()
        );
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "install", "one", "two"]);
        command
            .env("APT_GET", &program)
            .env("POLICY", folder.join("policy"))
            .env("LISTS", folder.join("lists"));
        command.status().unwrap().success()
    }

    fn read(folder: &Path, file: &str) -> String {
        fs::read_to_string(folder.join(file)).unwrap_or_default()
    }

    #[test]
    fn no_service_is_started_meanwhile_and_the_policy_is_as_it_was_afterwards() {
        let folder = test_support::folder("install");
        assert!(install(folder.path(), "exit 0"));
        assert!(read(folder.path(), "seen").ends_with("exit 101\n"));
        assert!(!folder.path().join("policy").exists(), "there was none");
        fs::write(folder.path().join("policy"), "mine").unwrap();
        assert!(install(folder.path(), "exit 0"));
        assert!(read(folder.path(), "seen").ends_with("exit 101\n"));
        assert_eq!(read(folder.path(), "policy"), "mine");
    }

    #[test]
    fn the_policy_is_restored_after_a_failure_and_after_a_run_that_was_cut_off() {
        let folder = test_support::folder("install-fails");
        fs::write(folder.path().join("policy"), "mine").unwrap();
        assert!(!install(folder.path(), "exit 100"));
        assert_eq!(read(folder.path(), "policy"), "mine");
        assert!(!install(folder.path(), "kill -9 $PPID"));
        assert_ne!(read(folder.path(), "policy"), "mine", "the script had no chance");
        assert!(install(folder.path(), "exit 0"));
        assert_eq!(read(folder.path(), "policy"), "mine");
    }

    #[test]
    fn lists_are_fetched_when_there_are_none_and_nothing_is_removed_for_a_package() {
        let folder = test_support::folder("install-lists");
        assert!(install(folder.path(), "exit 0"));
        let calls = read(folder.path(), "calls");
        let [update, install_call] = calls.lines().collect::<Vec<_>>()[..] else { panic!("{calls}") };
        assert!(update.ends_with("update"), "{update}");
        assert!(
            install_call.contains("--no-remove") && install_call.ends_with("install one two"),
            "{install_call}"
        );
    }

    #[test]
    fn lists_that_are_there_are_fetched_anew_only_when_they_do_not_do() {
        let folder = test_support::folder("install-stale");
        fs::create_dir(folder.path().join("lists")).unwrap();
        fs::write(folder.path().join("lists/main_Packages"), "").unwrap();
        assert!(install(folder.path(), "exit 0"));
        assert_eq!(read(folder.path(), "calls").lines().count(), 1);
        fs::remove_file(folder.path().join("calls")).unwrap();
        assert!(!install(folder.path(), "case $* in *install*) exit 100; esac"));
        assert_eq!(read(folder.path(), "calls").lines().count(), 3, "install, update, install");
    }
}
