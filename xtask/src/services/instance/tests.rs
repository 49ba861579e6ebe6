//! An engine made of shell scripts: its life without a database.

use super::*;
use crate::services::launch::ROUGH;
use crate::services::{engine, test_support};
use rustix::process::Signal;
use std::{
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// What the server does: serves until it is told to stop.
const SERVES: &str =
    "echo $1 >\"$2/serves\"; trap 'rm \"$2/serves\"; exit 0' TERM; while :; do sleep 0.02; done";

const FACTS: Facts = Facts {
    name: "Shell",
    slug: "shell",
    variable: "SHELL_URL",
    packages: &[],
    by_hand: "it is everywhere",
    accounts: &["nobody"],
    environment: &[],
    patience: Duration::from_secs(20),
    quit: Signal::TERM,
};

const HASTY: Facts = Facts { patience: Duration::from_millis(300), ..FACTS };

/// Scripts in a folder: `server PORT DATA`, `maker DATA`, `client PORT DATA`.
#[derive(Debug)]
struct Shell {
    folder: TempDir,
    facts: &'static Facts,
}

impl Shell {
    fn new(facts: &'static Facts, server: &str) -> &'static Self {
        let shell = Self { folder: test_support::folder("shell"), facts };
        let access = fs::Permissions::from_mode(0o755);
        fs::set_permissions(shell.folder.path(), access.clone()).unwrap();
        for (name, script) in
            [("server", server), ("maker", "touch $1/whole"), ("client", "grep -q $1 $2/serves")]
        {
            fs::write(shell.path(name), format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(shell.path(name), access.clone()).unwrap();
        }
        Box::leak(Box::new(shell))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn site(&self) -> Site {
        Site::at(&self.path("services"), |_| ()).unwrap()
    }

    fn data(&self) -> PathBuf {
        self.path("services/shell-1/data")
    }
}

impl Engine for Shell {
    fn facts(&self) -> &'static Facts {
        self.facts
    }

    fn find(&self) -> Option<Programs> {
        let [server, maker, client] = ["server", "maker", "client"].map(|name| self.path(name));
        Some(Programs { server, maker, client, version: "1.0".to_owned(), major: "1".to_owned() })
    }

    fn make(&self, programs: &Programs, home: &Home) -> Command {
        let mut command = Command::new(&programs.maker);
        command.arg(home.data());
        command
    }

    fn is_whole(&self, data: &Path) -> bool {
        data.join("whole").exists()
    }

    fn prepare(&self, home: &Home, _place: &Place) -> Result<()> {
        fs::remove_file(home.data().join("serves")).ok();
        Ok(())
    }

    fn serve(&self, programs: &Programs, home: &Home, port: u16) -> Command {
        let mut command = Command::new(&programs.server);
        command.arg(port.to_string()).arg(home.data());
        command
    }

    fn ask(&self, programs: &Programs, port: u16, _password: &str) -> Command {
        let mut command = Command::new(&programs.client);
        command.arg(port.to_string()).arg(self.data());
        command
    }

    fn url(&self, port: u16, password: &str) -> String {
        format!("shell://{password}@127.0.0.1:{port}")
    }
}

fn process(instance: &Instance<'_>) -> Process {
    instance.state().and_then(|state| state.running().cloned()).expect("it runs")
}

#[test]
fn up_twice_is_the_same_as_once_and_down_twice_too() {
    let shell = Shell::new(&FACTS, SERVES);
    let site = shell.site();
    let instance = Instance::new(shell, &site);
    let url = instance.up(true).unwrap();
    let first = process(&instance);
    assert_eq!(instance.up(false).unwrap(), url);
    assert_eq!(process(&instance), first);
    assert!(!instance.is_temporary(), "a test run doesn't stop what was to stay");
    assert!(instance.status().starts_with("runs on 127.0.0.1:"), "{}", instance.status());
    assert!(instance.down().unwrap());
    assert!(!first.is_alive());
    assert!(!instance.down().unwrap(), "nothing is left to stop");
    assert!(instance.status().starts_with("is stopped"), "{}", instance.status());
}

#[test]
fn a_server_that_was_killed_is_started_again_under_its_url() {
    let shell = Shell::new(&FACTS, SERVES);
    let site = shell.site();
    let instance = Instance::new(shell, &site);
    let url = instance.up(false).unwrap();
    let first = process(&instance);
    first.stop(Signal::KILL, ROUGH).unwrap();
    assert!(instance.status().starts_with("has ended by itself"), "{}", instance.status());
    assert_eq!(instance.up(false).unwrap(), url);
    assert_ne!(process(&instance), first);
    assert!(instance.is_temporary());
    instance.down().unwrap();
}

#[test]
fn a_server_that_runs_but_does_not_answer_is_replaced() {
    let shell = Shell::new(&FACTS, SERVES);
    let site = shell.site();
    let instance = Instance::new(shell, &site);
    instance.up(false).unwrap();
    let first = process(&instance);
    fs::remove_file(shell.data().join("serves")).unwrap();
    assert!(instance.status().starts_with("runs, but DOES NOT ANSWER"), "{}", instance.status());
    instance.up(false).unwrap();
    assert!(!first.is_alive() && process(&instance).is_alive());
    instance.down().unwrap();
}

#[test]
fn a_start_that_fails_shows_what_the_server_said() {
    let shell = Shell::new(&FACTS, "echo no disk >&2; exit 1");
    let site = shell.site();
    let error = Instance::new(shell, &site).up(false).unwrap_err().to_string();
    assert!(error.starts_with("Shell does not start") && error.ends_with("    no disk"), "{error}");
}

#[test]
fn a_server_that_never_answers_is_given_up_and_stopped() {
    let shell = Shell::new(&HASTY, "echo here I am; exec sleep 600");
    let site = shell.site();
    let instance = Instance::new(shell, &site);
    let error = instance.up(false).unwrap_err().to_string();
    assert!(error.starts_with("Shell does not answer") && error.ends_with("    here I am"), "{error}");
    assert!(instance.state().unwrap().running().is_none());
}

#[test]
fn what_is_left_of_a_home_that_was_never_finished_is_replaced() {
    let shell = Shell::new(&FACTS, SERVES);
    let site = shell.site();
    let instance = Instance::new(shell, &site);
    fs::create_dir_all(shell.data()).unwrap();
    fs::create_dir_all(shell.path("services/shell-1.unfinished/data/rubbish")).unwrap();
    instance.up(false).unwrap();
    assert!(shell.data().join("whole").exists());
    assert!(!shell.path("services/shell-1.unfinished").exists());
    instance.down().unwrap();
}

#[test]
fn a_home_outlives_its_server() {
    let shell = Shell::new(&FACTS, SERVES);
    let site = shell.site();
    let instance = Instance::new(shell, &site);
    let url = instance.up(false).unwrap();
    fs::write(shell.data().join("table"), "rows").unwrap();
    instance.down().unwrap();
    assert!(instance.is_reached_by(&url), "the password is the same for ever");
    instance.up(false).unwrap();
    assert_eq!(fs::read_to_string(shell.data().join("table")).unwrap(), "rows");
    instance.down().unwrap();
}

#[test]
fn a_port_that_somebody_else_took_meanwhile_is_left_to_them() {
    let shell = Shell::new(&FACTS, SERVES);
    let site = shell.site();
    let instance = Instance::new(shell, &site);
    let url = instance.up(false).unwrap();
    instance.down().unwrap();
    let _taken = TcpListener::bind(("127.0.0.1", instance.state().unwrap().port)).unwrap();
    let other = instance.up(false).unwrap();
    assert_ne!(other, url);
    assert!(instance.is_reached_by(&url), "an old URL is still known as ours");
    instance.down().unwrap();
}

#[test]
fn a_url_without_a_password_is_known_as_ours_by_where_it_leads() {
    let folder = test_support::folder("localstack-url");
    let site = Site::at(folder.path(), |_| ()).unwrap();
    let instance = Instance::new(engine::ENGINES[3], &site);
    let url = "http://127.0.0.1:4577";
    assert!(!instance.is_reached_by(url), "it was never started");
    let home = test_support::folder("localstack-home");
    fs::write(home.path().join("password"), "sesame").unwrap();
    let (home, version) = (home.path().to_owned(), "4".to_owned());
    instance.record(&State { process: None, port: 4577, home, version, keep: false }).unwrap();
    assert!(instance.is_reached_by(url) && !instance.is_reached_by("http://127.0.0.1:4566"));
}

#[test]
fn where_no_home_can_be_made_people_read_why_and_what_to_do() {
    let hint = hint(engine::ENGINES[3].facts(), "no index");
    for part in ["LocalStack: no index", "set SQS_ENDPOINT_URL to a server of your own", "--no-services"] {
        assert!(hint.contains(part), "{part} is missing: {hint}");
    }
}

#[test]
fn where_nothing_can_be_installed_people_read_why_and_what_to_do() {
    let advice = advice(engine::ENGINES[1].facts(), "there is no apt-get on this machine");
    for part in
        ["MariaDB", "no apt-get", "set MYSQL_URL to a server of your own", "compose.yaml", "--no-services"]
    {
        assert!(advice.contains(part), "{part} is missing: {advice}");
    }
}
