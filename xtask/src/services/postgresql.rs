//! PostgreSQL: where its programs are and how they are called.

use super::{
    engine::{Engine, Facts, Place, USER},
    home::Home,
    programs::{self, Programs},
};
use anyhow::{Context, Result};
use rustix::process::Signal;
use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// Where Debian and Ubuntu keep the versions, each with a folder `bin`.
const VERSIONS: &str = "/usr/lib/postgresql";

/// What a private server runs with. A commit is on disk when it is answered, as in production; there is no Unix
/// socket, whose path might be too long.
const SETTINGS: [&str; 7] = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
    "fsync=on",
    "synchronous_commit=on",
    "full_page_writes=on",
    "logging_collector=off",
];

static FACTS: Facts = Facts {
    name: "PostgreSQL",
    slug: "postgresql",
    variable: "POSTGRES_URL",
    packages: &[&["postgresql"]],
    by_hand: "Debian, Ubuntu: apt-get install postgresql; Fedora: dnf install postgresql-server; macOS: brew install \
              postgresql",
    accounts: &["postgres", "nobody"],
    environment: &["PG"],
    patience: Duration::from_mins(1),
    quit: Signal::INT,
};

/// PostgreSQL, any version that takes the settings above (12 or later).
#[derive(Debug)]
pub(super) struct PostgreSql;

impl Engine for PostgreSql {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn find(&self) -> Option<Programs> {
        let versions =
            programs::newest_first(Path::new(VERSIONS)).into_iter().map(|version| version.join("bin"));
        let folders: Vec<_> = programs::folders_of("postgres").into_iter().chain(versions).collect();
        folders.iter().find_map(|folder| find_in(folder))
    }

    fn make(&self, programs: &Programs, home: &Home) -> Command {
        let mut command = Command::new(&programs.maker);
        command.args([
            "--username",
            USER,
            "--encoding=UTF8",
            "--locale=C",
            "--auth=scram-sha-256",
            "--no-sync",
        ]);
        command.arg("--pwfile").arg(home.password_file()).arg("--pgdata").arg(home.data());
        command
    }

    fn is_whole(&self, data: &Path) -> bool {
        ["PG_VERSION", "postgresql.conf", "global/pg_control"].iter().all(|file| data.join(file).is_file())
    }

    /// Removes the lock of a server that was killed: by now its number may be another process's, and the next server
    /// would take that one for it. What is left of a killed server's processes holds a lock of another kind.
    fn prepare(&self, home: &Home, _place: &Place) -> Result<()> {
        match fs::remove_file(home.data().join("postmaster.pid")) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).context("cannot remove a lock that is left")
            }
            _ => Ok(()),
        }
    }

    fn serve(&self, programs: &Programs, home: &Home, port: u16) -> Command {
        let mut command = Command::new(&programs.server);
        command.arg("-D").arg(home.data()).args(["-p", &port.to_string()]);
        command.args(SETTINGS.iter().flat_map(|setting| ["-c", setting]));
        command
    }

    fn ask(&self, programs: &Programs, port: u16, password: &str) -> Command {
        let mut command = Command::new(&programs.client);
        let place = format!(
            "host=127.0.0.1 port={port} user={USER} dbname=postgres sslmode=disable connect_timeout=3"
        );
        command.args([
            "--no-psqlrc",
            "--no-password",
            "--quiet",
            "--tuples-only",
            "--command",
            "select 1",
            &place,
        ]);
        command.env("PGPASSWORD", password);
        command
    }

    fn url(&self, port: u16, password: &str) -> String {
        format!("postgres://{USER}:{password}@127.0.0.1:{port}/postgres")
    }
}

/// All programs of one version; those of two versions don't get on.
fn find_in(folder: &Path) -> Option<Programs> {
    let program = |name: &str| Some(folder.join(name)).filter(|path| path.is_file());
    let client = || programs::folders_of("psql").first().map(|folder| folder.join("psql"));
    let server: PathBuf = program("postgres")?;
    let version = programs::version_of(&server)?;
    let major = version.split('.').next()?.to_owned();
    Some(Programs {
        server,
        maker: program("initdb")?,
        client: program("psql").or_else(client)?,
        version,
        major,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::test_support::{made_up_programs, words};

    #[test]
    fn the_server_listens_on_loopback_only_and_its_commits_are_durable() {
        let line = words(&PostgreSql.serve(&made_up_programs(), &Home::at("/t/postgresql-15"), 5544));
        assert!(
            line.starts_with("/p/server -D /t/postgresql-15/data -p 5544 -c listen_addresses=127.0.0.1 "),
            "{line}"
        );
        assert!(line.contains("-c fsync=on -c synchronous_commit=on"), "{line}");
    }

    #[test]
    fn passwords_are_on_no_command_line() {
        let programs = made_up_programs();
        let home = Home::at("/t/postgresql-15");
        assert!(!words(&PostgreSql.ask(&programs, 5544, "sesame")).contains("sesame"));
        assert!(words(&PostgreSql.make(&programs, &home)).contains("--pwfile /t/postgresql-15/password"));
    }

    #[test]
    fn the_url_names_account_and_port() {
        assert_eq!(PostgreSql.url(5544, "sesame"), "postgres://test:sesame@127.0.0.1:5544/postgres");
    }
}
