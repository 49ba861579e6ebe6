//! An engine: one kind of server, and what it wants to hear on its command lines.

use super::{
    home::Home, localstack::LocalStack, mariadb::MariaDb, pgbouncer::PgBouncer, postgresql::PostgreSql,
    programs::Programs,
};
use anyhow::Result;
use rustix::process::Signal;
use std::{fmt, path::Path, process::Command, time::Duration};

/// The engines that tests need; one that stands in front of another comes after it.
pub(super) const ENGINES: [&dyn Engine; 4] = [&PostgreSql, &MariaDb, &PgBouncer, &LocalStack];

/// The only account in a private server, and all of its rights.
pub(super) const USER: &str = "test";

/// One kind of server: a database, what stands in front of one, or an emulator of a service.
///
/// The commands are only described here; a [call](super::call) says as whom they run, with which environment, and
/// where their output goes.
pub(super) trait Engine: fmt::Debug + Sync {
    /// What there is to know of it without looking at the machine.
    fn facts(&self) -> &'static Facts;

    /// Looks for its programs on this machine.
    fn find(&self) -> Option<Programs>;

    /// Fills an empty home's data folder.
    fn make(&self, programs: &Programs, home: &Home) -> Command;

    /// Whether a data folder has what every finished one has.
    fn is_whole(&self, data: &Path) -> bool;

    /// Gets a home ready that no server uses: what an earlier one left, what the next one reads.
    ///
    /// # Errors
    /// When the home can't be written to, or what it stands in front of can't be made out.
    fn prepare(&self, home: &Home, place: &Place) -> Result<()>;

    /// The engine whose server it stands in front of, if it is no database itself.
    fn behind(&self) -> Option<&'static dyn Engine> {
        None
    }

    /// Whether a home was got ready for this place, and is of the kind that is wanted now.
    fn is_prepared(&self, _home: &Home, _place: &Place) -> bool {
        true
    }

    /// Serves a home's data on this port of the loopback interface and no other, in the foreground.
    fn serve(&self, programs: &Programs, home: &Home, port: u16) -> Command;

    /// Asks the server on this port a question that only a working one answers.
    fn ask(&self, programs: &Programs, port: u16, password: &str) -> Command;

    /// Where clients find the server on this port.
    fn url(&self, port: u16, password: &str) -> String;
}

/// Where a server is to stand.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Its port.
    pub(super) port: u16,
    /// The URL of the server that it stands in front of, if it is no database itself.
    pub(super) upstream: Option<String>,
}

/// What there is to know of an engine without looking at the machine.
#[derive(Debug)]
pub(super) struct Facts {
    /// Its name for people.
    pub(super) name: &'static str,
    /// Its name for files.
    pub(super) slug: &'static str,
    /// The environment variable that holds the URL of a server.
    pub(super) variable: &'static str,
    /// Debian's and Ubuntu's packages: the first set that is to be had is taken.
    pub(super) packages: &'static [&'static [&'static str]],
    /// How people install it elsewhere.
    pub(super) by_hand: &'static str,
    /// The accounts it may run under when we are root, the best first; none where root will do.
    pub(super) accounts: &'static [&'static str],
    /// The environment variables that would change what its programs do begin with one of these.
    pub(super) environment: &'static [&'static str],
    /// How long a start may take until the server answers.
    pub(super) patience: Duration,
    /// The signal that makes it close its connections and stop cleanly, if it has anything to lose.
    pub(super) quit: Signal,
}
