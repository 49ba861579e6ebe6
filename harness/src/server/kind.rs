//! The kinds of servers, and what each wants to hear on its command lines.

use std::fmt;
use std::path::Path;

/// The only account, and all of its rights.
const USER: &str = "test";

/// Which kind of server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerKind {
    /// PostgreSQL.
    PostgreSql,
    /// MariaDB.
    MariaDb,
}

impl ServerKind {
    /// The names of the server, of what makes its data, and of what asks it a question.
    pub(super) fn programs(self) -> [&'static [&'static str]; 3] {
        match self {
            Self::PostgreSql => [&["postgres"], &["initdb"], &["psql"]],
            Self::MariaDb => {
                [&["mariadbd"], &["mariadb-install-db", "mysql_install_db"], &["mariadb", "mysql"]]
            }
        }
    }

    pub(super) fn accounts(self) -> &'static [&'static str] {
        match self {
            Self::PostgreSql => &["postgres", "nobody"],
            Self::MariaDb => &["mysql", "nobody"],
        }
    }

    /// What makes an empty data folder a database.
    pub(super) fn maker_args(self, folder: &Path) -> Vec<String> {
        let data = folder.join("data").display().to_string();
        let password = folder.join("password").display().to_string();
        match self {
            Self::PostgreSql => words(&format!(
                "--username {USER} --encoding=UTF8 --locale=C --auth=scram-sha-256 --no-sync --pwfile {password} \
                 --pgdata {data}"
            )),
            Self::MariaDb => words(&format!(
                "--no-defaults --datadir={data} --auth-root-authentication-method=socket --skip-test-db \
                 --skip-name-resolve"
            )),
        }
    }

    /// What serves it on this port of the loopback interface. A commit is on disk when it is answered.
    pub(super) fn server_args(self, folder: &Path, port: u16) -> Vec<String> {
        let (data, start) = (folder.join("data"), folder.join("start.sql"));
        let (data, start) = (data.display(), start.display());
        match self {
            Self::PostgreSql => words(&format!(
                "-D {data} -p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= \
                 -c max_connections=200 -c fsync=on -c synchronous_commit=on -c full_page_writes=on"
            )),
            Self::MariaDb => words(&format!(
                "--no-defaults --datadir={data} --init-file={start} --port={port} --bind-address=127.0.0.1 \
                 --socket=mariadb.sock --pid-file=mariadb.pid --skip-name-resolve --skip-log-bin \
                 --max-connections=300 --character-set-server=utf8mb4 --innodb-flush-log-at-trx-commit=1"
            )),
        }
    }

    /// What the server does at each start.
    pub(super) fn start_statements(self, password: &str) -> String {
        let who = format!("'{USER}'@'127.0.0.1'");
        match self {
            Self::PostgreSql => String::new(),
            Self::MariaDb => [
                format!("CREATE DATABASE IF NOT EXISTS {USER};\n"),
                format!("CREATE USER IF NOT EXISTS {who};\n"),
                format!("ALTER USER {who} IDENTIFIED BY '{password}';\n"),
                format!("GRANT ALL PRIVILEGES ON *.* TO {who} WITH GRANT OPTION;\n"),
            ]
            .concat(),
        }
    }

    /// A question that only a working server answers.
    pub(super) fn client_args(self, port: u16) -> Vec<String> {
        match self {
            Self::PostgreSql => {
                let place =
                    format!("host=127.0.0.1 port={port} user={USER} dbname=postgres connect_timeout=3");
                let fixed = ["--no-psqlrc", "--no-password", "--quiet", "--command", "select", &place];
                fixed.map(str::to_owned).to_vec()
            }
            Self::MariaDb => words(&format!(
                "--no-defaults --protocol=tcp --host=127.0.0.1 --port={port} --user {USER} --connect-timeout=3 \
                 --execute do(1) {USER}"
            )),
        }
    }

    pub(super) fn client_envs(self, password: &str) -> [(&'static str, String); 1] {
        match self {
            Self::PostgreSql => [("PGPASSWORD", password.to_owned())],
            Self::MariaDb => [("MYSQL_PWD", password.to_owned())],
        }
    }

    pub(super) fn url(self, port: u16, password: &str) -> String {
        match self {
            Self::PostgreSql => format!("postgres://{USER}:{password}@127.0.0.1:{port}/postgres"),
            Self::MariaDb => format!("mysql://{USER}:{password}@127.0.0.1:{port}/{USER}"),
        }
    }
}

impl fmt::Display for ServerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PostgreSql => "PostgreSQL",
            Self::MariaDb => "MariaDB",
        })
    }
}

/// The words of a line; no path of ours has a space in it, as the folder is made below `/var/tmp`.
fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}
