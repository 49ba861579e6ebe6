//! A process that can't be mistaken for a later one with the same number.

use crate::patience::look;
use anyhow::{Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// How long a process that was killed may take to vanish.
const VANISH: Duration = Duration::from_secs(10);
/// Where Linux shows its processes.
const PROC: &str = "/proc";

/// A process: its number and when it was born.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct Process {
    pid: i32,
    born: String,
}

impl Process {
    /// The process with this number; none if there is none or it is dead and only waits to be buried.
    pub(super) fn with_pid(pid: i32) -> Option<Self> {
        let born =
            if Path::new(PROC).join("self/stat").exists() { born_by_proc(pid) } else { born_by_ps(pid) };
        Some(Self { pid, born: born? })
    }

    /// Its number.
    pub(super) fn pid(&self) -> i32 {
        self.pid
    }

    /// Whether it still runs, it and no other.
    pub(super) fn is_alive(&self) -> bool {
        Self::with_pid(self.pid).as_ref() == Some(self)
    }

    /// Ends it by a signal or, if that does nothing for so long, by force.
    ///
    /// # Errors
    /// When it doesn't vanish.
    pub(super) fn stop(&self, signal: Signal, patience: Duration) -> Result<()> {
        for (signal, patience) in [(signal, patience), (Signal::KILL, VANISH)] {
            if self.is_alive() {
                self.send(signal)?;
            }
            if look(patience, || (!self.is_alive()).then_some(())).is_some() {
                return Ok(());
            }
        }
        bail!("process {} doesn't end", self.pid)
    }

    fn send(&self, signal: Signal) -> Result<()> {
        let Some(pid) = Pid::from_raw(self.pid) else { return Ok(()) };
        match kill_process(pid, signal) {
            Err(rustix::io::Errno::SRCH) | Ok(()) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The processes, if the system shows them, of a program of this name that work on these data: they were given the
    /// folder as an argument, or stand in it, as what a server has forked does.
    pub(super) fn working_on(data: &Path, program: &Path) -> Vec<Self> {
        let numbers = fs::read_dir(PROC).into_iter().flatten().flatten();
        let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let is_meant = |pid: &i32| {
            let process = Path::new(PROC).join(pid.to_string());
            let line = fs::read(process.join("cmdline")).unwrap_or_default();
            is_given(&String::from_utf8_lossy(&line), data, program) || stands_in(&process, data, program)
        };
        numbers.filter(is_meant).filter_map(Self::with_pid).collect()
    }
}

/// Whether a command line, its words ended by zeros, is of this program and has this path as an argument or as the
/// value of one.
fn is_given(line: &str, path: &Path, program: &Path) -> bool {
    let mut words = line.split('\0');
    let named = words.next().is_some_and(|first| Path::new(first).file_name() == program.file_name());
    named && words.any(|word| Path::new(word.split_once('=').map_or(word, |(_, value)| value)) == path)
}

/// Whether a process is of this program and in this folder, though either may have been deleted meanwhile.
fn stands_in(process: &Path, folder: &Path, program: &Path) -> bool {
    let leads_to = |link: &str| {
        let path = fs::read_link(process.join(link)).unwrap_or_default();
        PathBuf::from(path.to_string_lossy().trim_end_matches(" (deleted)"))
    };
    leads_to("cwd") == folder && leads_to("exe").file_name() == program.file_name()
}

fn born_by_proc(pid: i32) -> Option<String> {
    born_in(&fs::read_to_string(Path::new(PROC).join(pid.to_string()).join("stat")).ok()?)
}

/// The time of birth in a line of `/proc/<pid>/stat`. The program's name stands in parentheses and may hold anything;
/// after it come the state (field 3) and, as field 22, the birth in ticks since the machine's start.
fn born_in(stat: &str) -> Option<String> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let fields: Vec<_> = fields.split(' ').collect();
    let is_dead = ["Z", "X"].contains(fields.first()?);
    fields.get(22 - 3).filter(|_| !is_dead).map(|born| (*born).to_owned())
}

/// The same where there is no `/proc`.
fn born_by_ps(pid: i32) -> Option<String> {
    let output =
        Command::new("ps").env("LC_ALL", "C").args(["-o", "stat=,lstart=", "-p", &pid.to_string()]).output();
    let line = String::from_utf8(output.ok()?.stdout).ok()?;
    let (state, born) = line.trim().split_once(' ')?;
    (!state.starts_with('Z')).then(|| born.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::test_support;
    use std::process::Child;

    fn sleeper() -> Child {
        Command::new("sleep").arg("600").spawn().unwrap()
    }

    fn pid(child: &Child) -> i32 {
        child.id().try_into().unwrap()
    }

    #[test]
    fn the_birth_is_found_behind_a_name_that_holds_anything() {
        let fields = "S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20";
        assert_eq!(born_in(&format!("7 (a) b (c) {fields}")).as_deref(), Some("4711"));
        assert_eq!(born_in(&format!("7 (dead) {}", fields.replace('S', "Z"))), None);
        assert_eq!(born_in(""), None);
    }

    #[test]
    fn we_ourselves_are_alive_by_either_way_of_looking() {
        let us = std::process::id().try_into().unwrap();
        assert!(Process::with_pid(us).unwrap().is_alive());
        assert!(born_by_ps(us).is_none_or(|born| born.contains(':')), "a clock time, where there is a ps");
    }

    #[test]
    fn another_process_with_the_same_number_is_not_the_one_that_was_recorded_and_gets_no_signal() {
        let mut child = sleeper();
        let other = Process { pid: pid(&child), born: "some other time".to_owned() };
        assert!(!other.is_alive());
        other.stop(Signal::KILL, Duration::from_secs(5)).unwrap();
        assert!(child.try_wait().unwrap().is_none(), "it lives");
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn what_does_not_heed_a_signal_is_killed() {
        let mut child = sleeper();
        let process = Process::with_pid(pid(&child)).unwrap();
        process.stop(Signal::CONT, Duration::from_millis(50)).unwrap();
        assert!(!process.is_alive(), "dead, though nobody has buried it yet");
        child.wait().unwrap();
    }

    #[test]
    fn a_program_is_found_by_its_name_and_a_path_among_its_arguments() {
        let (server, data) = (Path::new("/usr/sbin/mariadbd"), Path::new("/t/data"));
        assert!(is_given("/opt/mariadbd\0--datadir=/t/data\0--port=1\0", data, server));
        assert!(is_given("mariadbd\0-D\0/t/data\0", data, server));
        assert!(!is_given("tail\0-f\0/t/data\0", data, server));
        assert!(!is_given("mariadbd\0--datadir=/t/data2\0", data, server));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_is_found_in_the_folder_in_which_it_stands_even_when_that_is_gone() {
        let folder = test_support::folder("stands").path().canonicalize().unwrap();
        fs::create_dir_all(&folder).unwrap();
        let mut child = Command::new("sleep").arg("600").current_dir(&folder).spawn().unwrap();
        fs::remove_dir(&folder).unwrap();
        let found = Process::working_on(&folder, Path::new("/anywhere/sleep"));
        assert_eq!(found, [Process::with_pid(pid(&child)).unwrap()]);
        assert_eq!(Process::working_on(&folder, Path::new("/anywhere/else")), []);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
