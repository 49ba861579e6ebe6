//! MariaDB: where its programs are and how they are called.

use super::{
    engine::{Engine, Facts, Place, USER},
    home::Home,
    programs::{self, Programs},
};
use anyhow::Result;
use rustix::process::Signal;
use std::{path::Path, process::Command, time::Duration};

/// What a private server runs with. A commit is on disk when it is answered, as in production; the Unix socket's
/// path is short because it is relative to the data folder.
const SETTINGS: [&str; 9] = [
    "--bind-address=127.0.0.1",
    "--socket=mariadb.sock",
    "--pid-file=mariadb.pid",
    "--skip-name-resolve",
    "--skip-log-bin",
    "--max-connections=300",
    "--character-set-server=utf8mb4",
    "--innodb-flush-log-at-trx-commit=1",
    "--innodb-buffer-pool-size=256M",
];

static FACTS: Facts = Facts {
    name: "MariaDB",
    slug: "mariadb",
    variable: "MYSQL_URL",
    packages: &[&["mariadb-server-core", "mariadb-client-core"], &["mariadb-server"]],
    by_hand: "Debian, Ubuntu: apt-get install mariadb-server; Fedora: dnf install mariadb-server; macOS: brew install \
              mariadb",
    accounts: &["mysql", "nobody"],
    environment: &["MYSQL", "MARIADB"],
    patience: Duration::from_mins(1),
    quit: Signal::TERM,
};

/// MariaDB; a MySQL under the same program names is not taken for it, as it makes its data in another way.
#[derive(Debug)]
pub(super) struct MariaDb;

impl Engine for MariaDb {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn find(&self) -> Option<Programs> {
        let server = programs::first_of(&["mariadbd", "mysqld"])?;
        let version = programs::version_of(&server).filter(|version| version.contains("MariaDB"))?;
        let version = version.split('-').next()?.to_owned();
        let major = version.split('.').take(2).collect::<Vec<_>>().join(".");
        let maker = programs::first_of(&["mariadb-install-db", "mysql_install_db"])?;
        Some(Programs { server, maker, client: programs::first_of(&["mariadb", "mysql"])?, version, major })
    }

    fn make(&self, programs: &Programs, home: &Home) -> Command {
        let mut command = Command::new(&programs.maker);
        command.arg("--no-defaults").arg(format!("--datadir={}", home.data().display()));
        command.args(["--auth-root-authentication-method=socket", "--skip-test-db", "--skip-name-resolve"]);
        command
    }

    fn is_whole(&self, data: &Path) -> bool {
        data.join("mysql").is_dir() && data.join("ibdata1").is_file()
    }

    /// The account is made, or made good, at every start.
    fn prepare(&self, home: &Home, _place: &Place) -> Result<()> {
        home.write(&home.start_file(), &account(&home.password()?))
    }

    fn serve(&self, programs: &Programs, home: &Home, port: u16) -> Command {
        let mut command = Command::new(&programs.server);
        command.arg("--no-defaults").arg(format!("--datadir={}", home.data().display()));
        command.arg(format!("--init-file={}", home.start_file().display()));
        command.arg(format!("--port={port}")).args(SETTINGS);
        command
    }

    fn ask(&self, programs: &Programs, port: u16, password: &str) -> Command {
        let mut command = Command::new(&programs.client);
        let port = format!("--port={port}");
        command.args(["--no-defaults", "--protocol=tcp", "--host=127.0.0.1", &port, "--user", USER]);
        command.args([
            "--connect-timeout=3",
            "--batch",
            "--skip-column-names",
            "--execute",
            "select 1",
            USER,
        ]);
        command.env("MYSQL_PWD", password);
        command
    }

    fn url(&self, port: u16, password: &str) -> String {
        format!("mysql://{USER}:{password}@127.0.0.1:{port}/{USER}")
    }
}

/// The statements, one a line, that give the account its rights and a database of its own.
fn account(password: &str) -> String {
    let who = format!("'{USER}'@'127.0.0.1'");
    [
        format!("CREATE DATABASE IF NOT EXISTS {USER};\n"),
        format!("CREATE USER IF NOT EXISTS {who};\n"),
        format!("ALTER USER {who} IDENTIFIED BY '{password}';\n"),
        format!("GRANT ALL PRIVILEGES ON *.* TO {who} WITH GRANT OPTION;\n"),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::test_support::{made_up_programs, words};

    #[test]
    fn the_server_listens_on_loopback_only_and_its_commits_are_durable() {
        let line = words(&MariaDb.serve(&made_up_programs(), &Home::at("/t/mariadb-10.11"), 3377));
        assert!(line.starts_with("/p/server --no-defaults --datadir=/t/mariadb-10.11/data "), "{line}");
        let wanted = ["--port=3377", "--bind-address=127.0.0.1", "--innodb-flush-log-at-trx-commit=1"];
        assert!(wanted.iter().all(|setting| line.contains(setting)), "{line}");
    }

    #[test]
    fn passwords_are_on_no_command_line() {
        assert!(!words(&MariaDb.ask(&made_up_programs(), 3377, "sesame")).contains("sesame"));
        assert!(account("sesame").contains("ALTER USER 'test'@'127.0.0.1' IDENTIFIED BY 'sesame';\n"));
    }

    #[test]
    fn the_url_names_account_and_port() {
        assert_eq!(MariaDb.url(3377, "sesame"), "mysql://test:sesame@127.0.0.1:3377/test");
    }
}
