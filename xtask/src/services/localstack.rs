//! `LocalStack`: an emulator of Amazon SQS and SNS, as a second opinion beside the test server of the project's own.

use super::{
    engine::{Engine, Facts, Place},
    home::Home,
    programs::{self, Programs},
    python,
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

/// The packages, each in one version.
const PACKAGES: &str = include_str!("localstack/requirements.txt");
/// The file with them.
const PACKAGES_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/services/localstack/requirements.txt");
/// The package whose version is `LocalStack`'s.
const CORE: &str = "localstack-core==";

/// Asks whether both services run; a request to one of them is answered earlier.
const ASK: &str = "import http.client, json, sys
connection = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]), timeout=3)
connection.request('GET', '/_localstack/health')
services = json.load(connection.getresponse())['services']
sys.exit(any(services[name] != 'running' for name in ('sqs', 'sns')))";

/// What it runs with besides its place. Without the server `hypercorn` it would listen on all interfaces, and without
/// the two lines after `DNS_ADDRESS` it would call home and fetch a certificate. Queues are told apart by the paths of
/// their URLs, messages expire, and the folder in which it stands is no place for modules.
const SETTINGS: [(&str, &str); 11] = [
    ("GATEWAY_SERVER", "hypercorn"),
    ("DNS_ADDRESS", "0"),
    ("DISABLE_EVENTS", "1"),
    ("SKIP_SSL_CERT_DOWNLOAD", "1"),
    ("SERVICES", "sqs,sns"),
    ("STRICT_SERVICE_LOADING", "1"),
    ("EAGER_SERVICE_LOADING", "1"),
    ("SQS_ENDPOINT_STRATEGY", "path"),
    ("SQS_ENABLE_MESSAGE_RETENTION_PERIOD", "1"),
    ("LS_LOG", "warning"),
    ("PYTHONSAFEPATH", "1"),
];

static FACTS: Facts = Facts {
    name: "LocalStack",
    slug: "localstack",
    variable: "SQS_ENDPOINT_URL",
    packages: python::PACKAGES,
    by_hand: python::BY_HAND,
    accounts: &[],
    environment: &[
        "AWS_",
        "DEBUG",
        "DISABLE_",
        "EAGER_",
        "GATEWAY_",
        "LOCALSTACK",
        "LS_",
        "PERSISTENCE",
        "PROVIDER_",
        "PYTHON",
        "SERVICES",
        "SNS_",
        "SQS_",
    ],
    patience: Duration::from_mins(1),
    // It keeps nothing; and it hangs now and then when it is asked to stop.
    quit: Signal::KILL,
};

/// `LocalStack` in a virtual environment of its own, of the Python that is here.
///
/// It runs under the account that called us, also if that is root: its Python may be in that account's home, and
/// unlike a database it does not mind.
#[derive(Debug)]
pub(super) struct LocalStack;

impl Engine for LocalStack {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn find(&self) -> Option<Programs> {
        let shell = programs::first_of(&["sh"])?;
        let (python, release) = python::find()?;
        let version = version()?;
        let major = format!("{version}-python{release}");
        Some(Programs { server: python.clone(), maker: shell, client: python, version, major })
    }

    fn make(&self, programs: &Programs, home: &Home) -> Command {
        python::make(&programs.maker, &programs.server, &home.data(), PACKAGES_FILE)
    }

    fn is_whole(&self, data: &Path) -> bool {
        python::is_made_of(data, PACKAGES)
    }

    /// Gives it empty folders: what an earlier one has left there is of no use.
    fn prepare(&self, home: &Home, _place: &Place) -> Result<()> {
        for folder in [files_in(&home.data()), home_in(&home.data())] {
            match fs::remove_dir_all(&folder) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                _ => fs::create_dir_all(&folder),
            }
            .with_context(|| format!("cannot empty {}", folder.display()))?;
        }
        Ok(())
    }

    /// Whether it is the `LocalStack` that is wanted now.
    fn is_prepared(&self, home: &Home, _place: &Place) -> bool {
        python::is_made_of(&home.data(), PACKAGES)
    }

    /// It stands in its data folder, so that it is found there if its state file is lost.
    fn serve(&self, _programs: &Programs, home: &Home, port: u16) -> Command {
        let (data, place) = (home.data(), format!("127.0.0.1:{port}"));
        let mut command = Command::new(python::program_in(&data));
        command.args(["-m", "localstack.runtime.main"]).current_dir(&data).envs(SETTINGS);
        command.env("GATEWAY_LISTEN", &place).env("LOCALSTACK_HOST", &place);
        command.env("FILESYSTEM_ROOT", files_in(&data)).env("HOME", home_in(&data));
        command
    }

    fn ask(&self, programs: &Programs, port: u16, _password: &str) -> Command {
        let mut command = Command::new(&programs.client);
        command.args(["-I", "-S", "-c", ASK, &port.to_string()]);
        command
    }

    /// There is no password in it, as every one would do.
    fn url(&self, port: u16, _password: &str) -> String {
        format!("http://127.0.0.1:{port}")
    }
}

/// `LocalStack`'s version, which the packages name.
fn version() -> Option<String> {
    PACKAGES.lines().find_map(|line| line.strip_prefix(CORE)).map(str::to_owned)
}

fn files_in(data: &Path) -> PathBuf {
    data.join("files")
}

fn home_in(data: &Path) -> PathBuf {
    data.join("home")
}

#[cfg(test)]
mod tests;
