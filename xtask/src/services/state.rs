//! The state file: what was started for an engine, and where.

use super::process::Process;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// What was started for an engine. It is kept when the server is stopped, so that the next one gets the same port.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct State {
    /// The server; none once it was stopped.
    pub(super) process: Option<Process>,
    /// Where it listens, or last did.
    pub(super) port: u16,
    /// Its home.
    pub(super) home: PathBuf,
    /// Its version.
    pub(super) version: String,
    /// Whether it is to run until `services down`, and not only as long as a test run needs it.
    pub(super) keep: bool,
}

impl State {
    /// Reads a state file; one that is not there or not whole is none.
    pub(super) fn read(file: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(file).ok()?).ok()
    }

    /// Writes it whole or not at all.
    ///
    /// # Errors
    /// When the file can't be written.
    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let new = file.with_extension("new");
        let written = fs::write(&new, serde_json::to_vec_pretty(self)?).and_then(|()| fs::rename(&new, file));
        written.with_context(|| format!("cannot write {}", file.display()))
    }

    /// The server, if it still runs.
    pub(super) fn running(&self) -> Option<&Process> {
        self.process.as_ref().filter(|process| process.is_alive())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::test_support;

    fn state(process: Option<Process>) -> State {
        let (home, version) = ("/t/postgresql-15".into(), "15.18".to_owned());
        State { process, port: 5544, home, version, keep: true }
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = test_support::folder("state");
        let file = folder.path().join("postgresql.json");
        let written = state(Process::with_pid(std::process::id().try_into().unwrap()));
        written.write(&file).unwrap();
        assert_eq!(State::read(&file), Some(written.clone()));
        assert!(written.running().is_some());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left behind");
    }

    #[test]
    fn a_file_that_is_missing_or_cut_off_is_no_state() {
        let folder = test_support::folder("state-cut");
        let file = folder.path().join("postgresql.json");
        assert_eq!(State::read(&file), None);
        fs::write(&file, r#"{ "port": 55"#).unwrap();
        assert_eq!(State::read(&file), None);
    }

    #[test]
    fn a_server_that_was_stopped_or_has_died_does_not_run() {
        assert!(state(None).running().is_none());
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let process = Process::with_pid(child.id().try_into().unwrap());
        child.wait().unwrap();
        assert!(state(process).running().is_none());
    }
}
