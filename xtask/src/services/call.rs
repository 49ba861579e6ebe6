//! A call of an engine's program: under the right account, with nothing of our environment that would change it.

use super::{account::Account, engine::Facts};
use crate::patience::look;
use anyhow::{Context, Result, ensure};
use std::{
    env,
    fs::{self, File},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// How many lines of a log are shown when something has failed.
const TAIL: usize = 20;

/// Runs a program to its end; what it says goes to the log.
///
/// # Errors
/// When it can't be started or fails; shows the log's last lines.
pub(super) fn run(command: Command, facts: &Facts, account: &Account, log: &Path) -> Result<()> {
    let mut command = dressed(command, facts, account);
    logged(&mut command, log)?;
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    ensure!(status.success(), "{command:?} ended with {status}\n{}", tail(log));
    Ok(())
}

/// Starts a program that outlives us: it is in a process group of its own, so that Ctrl-C is not for it. The log that
/// there was is kept beside the new one.
///
/// # Errors
/// When it can't be started.
pub(super) fn start(command: Command, facts: &Facts, account: &Account, log: &Path) -> Result<Child> {
    fs::rename(log, log.with_extension("log.old")).ok();
    let mut command = dressed(command, facts, account);
    logged(&mut command, log)?;
    command.process_group(0).spawn().with_context(|| format!("cannot start {command:?}"))
}

/// Whether a program ends well, and within the limit. It is ended when the limit has passed.
pub(super) fn succeeds(command: Command, facts: &Facts, limit: Duration) -> bool {
    let mut command = dressed(command, facts, &Account::Ours);
    let Ok(mut child) = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn() else { return false };
    let ended = look(limit, || child.try_wait().transpose());
    if ended.is_none() {
        drop(child.kill());
        drop(child.wait());
    }
    ended.is_some_and(|status| status.is_ok_and(|status| status.success()))
}

/// The last lines of a log, indented.
pub(super) fn tail(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<_> = text.lines().map(|line| format!("    {line}")).collect();
    let from = lines.len().saturating_sub(TAIL);
    format!("the end of {}:\n{}", log.display(), lines[from..].join("\n"))
}

fn dressed(mut command: Command, facts: &Facts, account: &Account) -> Command {
    let ours: Vec<_> = command.get_envs().map(|(name, _)| name.to_owned()).collect();
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if facts.environment.iter().any(|start| text.starts_with(start)) && !ours.contains(&name) {
            command.env_remove(&name);
        }
    }
    account.run(&mut command);
    command.env("LC_ALL", "C").stdin(Stdio::null());
    if command.get_current_dir().is_none() {
        command.current_dir("/");
    }
    command
}

fn logged(command: &mut Command, log: &Path) -> Result<()> {
    let file = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    command.stdout(file.try_clone()?).stderr(file);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::{engine::ENGINES, test_support};

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn what_fails_shows_the_end_of_what_it_said() {
        let folder = test_support::folder("call");
        let log = folder.path().join("log");
        let script = "for line in $(seq 30); do echo line $line; done; echo last >&2; exit 3";
        let error = run(shell(script), ENGINES[0].facts(), &Account::Ours, &log).unwrap_err().to_string();
        assert!(error.contains("exit status: 3") && error.ends_with("    line 30\n    last"), "{error}");
        assert!(!error.contains("line 11\n"), "only the end: {error}");
    }

    #[test]
    fn a_program_that_hangs_is_ended_when_its_limit_has_passed() {
        let facts = ENGINES[0].facts();
        assert!(!succeeds(shell("sleep 600"), facts, Duration::from_millis(50)));
        assert!(succeeds(shell("exit 0"), facts, Duration::from_secs(20)));
        assert!(!succeeds(shell("exit 1"), facts, Duration::from_secs(20)));
    }

    #[test]
    fn what_a_command_sets_itself_is_kept() {
        let mut command = shell("test \"$PGPASSWORD\" = sesame");
        command.env("PGPASSWORD", "sesame");
        assert!(succeeds(command, ENGINES[0].facts(), Duration::from_secs(20)));
    }
}
