//! `PgBouncer`: a pooler in transaction mode in front of PostgreSQL, as many production systems have one.

use super::{
    engine::{Engine, Facts, Place, USER},
    home::Home,
    postgresql::PostgreSql,
    programs::{self, Programs},
    server_url::ServerUrl,
};
use anyhow::{Context, Result};
use rustix::process::Signal;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// What is in a home beside the password: `PgBouncer` stores nothing, so an empty file says that the folder is whole.
const MARK: &str = "made";

static FACTS: Facts = Facts {
    name: "PgBouncer",
    slug: "pgbouncer",
    variable: "PGBOUNCER_URL",
    packages: &[&["pgbouncer", "postgresql-client"]],
    by_hand: "Debian, Ubuntu: apt-get install pgbouncer postgresql-client; Fedora: dnf install pgbouncer; macOS: brew \
              install pgbouncer libpq",
    accounts: &["postgres", "nobody"],
    environment: &["PG"],
    patience: Duration::from_secs(20),
    quit: Signal::TERM,
};

/// `PgBouncer`, any version that can log in by SCRAM (1.12 or later). It has an account and a password of its own, and
/// logs in to the server behind it as that server's URL says.
#[derive(Debug)]
pub(super) struct PgBouncer;

impl Engine for PgBouncer {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn find(&self) -> Option<Programs> {
        let server = programs::first_of(&["pgbouncer"])?;
        let version = programs::version_of(&server)?;
        let client = programs::first_of(&["psql"]).or_else(|| Some(PostgreSql.find()?.client))?;
        let major = version.split('.').take(2).collect::<Vec<_>>().join(".");
        Some(Programs { server, maker: programs::first_of(&["touch"])?, client, version, major })
    }

    fn make(&self, programs: &Programs, home: &Home) -> Command {
        let mut command = Command::new(&programs.maker);
        command.arg(home.data().join(MARK));
        command
    }

    fn is_whole(&self, data: &Path) -> bool {
        data.join(MARK).is_file()
    }

    fn behind(&self) -> Option<&'static dyn Engine> {
        Some(&PostgreSql)
    }

    fn prepare(&self, home: &Home, place: &Place) -> Result<()> {
        home.write(&users_file(home), &format!("\"{USER}\" \"{}\"\n", home.password()?))?;
        home.write(&settings_file(home), &settings(home, place)?)
    }

    fn is_prepared(&self, home: &Home, place: &Place) -> bool {
        let found = fs::read_to_string(settings_file(home)).ok();
        found.is_some() && found == settings(home, place).ok()
    }

    /// It stands in its data folder, so that it is found there if its state file is lost.
    fn serve(&self, programs: &Programs, home: &Home, _port: u16) -> Command {
        let mut command = Command::new(&programs.server);
        command.arg(settings_file(home)).current_dir(home.data());
        command
    }

    fn ask(&self, programs: &Programs, port: u16, password: &str) -> Command {
        PostgreSql.ask(programs, port, password)
    }

    fn url(&self, port: u16, password: &str) -> String {
        PostgreSql.url(port, password)
    }
}

fn settings_file(home: &Home) -> PathBuf {
    home.folder().join("pgbouncer.ini")
}

fn users_file(home: &Home) -> PathBuf {
    home.folder().join("users.txt")
}

/// What it runs with. Clients reach the database that the server's URL names under the name `postgres`, and every other
/// one under its own. What drivers set at the start of a session and no transaction could keep is ignored.
fn settings(home: &Home, place: &Place) -> Result<String> {
    let upstream = place.upstream.as_deref().context("there is no server to stand in front of")?;
    let ServerUrl { user, password, host, port, database } = ServerUrl::parse(upstream, 5432)?;
    let quoted = |word: &str| format!("'{}'", word.replace('\'', "''"));
    let server = format!("host={host} port={port} user={} password={}", quoted(&user), quoted(&password));
    let mut lines =
        vec!["[databases]".to_owned(), format!("postgres = {server} dbname={}", quoted(&database))];
    lines.extend([format!("* = {server}"), "[pgbouncer]".to_owned(), "listen_addr = 127.0.0.1".to_owned()]);
    lines.push(format!("listen_port = {}", place.port));
    lines.push(format!("auth_file = {}", users_file(home).display()));
    let fixed = [
        "unix_socket_dir =",
        "auth_type = scram-sha-256",
        "pool_mode = transaction",
        "default_pool_size = 20",
        "max_client_conn = 500",
        "ignore_startup_parameters = extra_float_digits,options",
    ];
    lines.extend(fixed.map(str::to_owned));
    Ok(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::test_support::{self, made_up_programs, words};

    fn place(upstream: &str) -> Place {
        Place { port: 6543, upstream: Some(upstream.to_owned()) }
    }

    #[test]
    fn it_pools_transactions_on_loopback_only_and_logs_in_as_the_servers_url_says() {
        let home = Home::at("/t/pgbouncer-1.18");
        let text = settings(&home, &place("postgres://me:it's@db:5544/mine")).unwrap();
        let server = "host=db port=5544 user='me' password='it''s'";
        let lines = [
            &format!("postgres = {server} dbname='mine'"),
            &format!("* = {server}"),
            "listen_addr = 127.0.0.1",
            "listen_port = 6543",
            "pool_mode = transaction",
        ];
        assert!(lines.iter().all(|line| text.lines().any(|found| found == *line)), "{text}");
        assert!(settings(&home, &Place { port: 1, upstream: None }).is_err());
    }

    #[test]
    fn one_that_is_in_front_of_another_server_is_not_taken_for_the_right_one() {
        let folder = test_support::folder("pgbouncer");
        let home = Home::at(folder.path());
        home.write(&home.password_file(), "sesame").unwrap();
        let one = place("postgres://me:x@127.0.0.1:1/db");
        assert!(!PgBouncer.is_prepared(&home, &one));
        PgBouncer.prepare(&home, &one).unwrap();
        assert!(PgBouncer.is_prepared(&home, &one));
        assert!(!PgBouncer.is_prepared(&home, &place("postgres://me:x@127.0.0.1:2/db")));
        assert_eq!(fs::read_to_string(users_file(&home)).unwrap(), "\"test\" \"sesame\"\n");
    }

    #[test]
    fn passwords_are_on_no_command_line() {
        let (programs, home) = (made_up_programs(), Home::at("/t/pgbouncer-1.18"));
        assert_eq!(words(&PgBouncer.serve(&programs, &home, 1)), "/p/server /t/pgbouncer-1.18/pgbouncer.ini");
        assert!(!words(&PgBouncer.ask(&programs, 1, "sesame")).contains("sesame"));
    }
}
