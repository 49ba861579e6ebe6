//! What tests need besides the project: `cargo xtask services`, database servers and an emulator of Amazon SQS and SNS.
//!
//! Private servers on free ports of the loopback interface, with their data under `target/services`. The state file
//! of each names its process by number and time of birth, and only such a process is ever signalled.

mod account;
mod aws_clients;
mod call;
mod engine;
mod faketime;
mod home;
mod instance;
mod launch;
mod localstack;
mod mariadb;
mod packages;
mod pgbouncer;
mod port;
mod postgresql;
mod process;
mod programs;
mod provision;
mod python;
mod run;
mod server_url;
mod site;
mod state;
#[cfg(test)]
mod test_support;

pub(crate) use run::Run;

use crate::cargo::quoted;
use anyhow::Result;
use clap::Subcommand;
use engine::ENGINES;
use instance::Instance;
use site::Site;
use std::io::{self, Write};

/// What can be asked of the servers.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Services {
    /// Start those that don't run; install PostgreSQL, MariaDB, `PgBouncer`, `LocalStack`, libfaketime, boto3 and the AWS
    /// CLI first if they are missing. What is set in `POSTGRES_URL`, `MYSQL_URL`, `PGBOUNCER_URL`, `SQS_ENDPOINT_URL`,
    /// `FAKETIME_LIB` or `AWS_CLIENTS_PYTHON` is taken as it is. `PgBouncer` stands in front of the PostgreSQL that is
    /// used, also where that is yours. `LocalStack`, which is SQS and SNS, and the AWS clients are installed by pip in
    /// virtual environments below `target/services`.
    Up {
        /// Print what a shell has to set, and nothing else: eval "$(cargo xtask services up --env)".
        #[arg(long)]
        env: bool,
    },
    /// Stop those that were started here.
    Down,
    /// Say what runs where.
    Status,
}

impl Services {
    /// Does what is asked for.
    ///
    /// # Errors
    /// When a server can't be found, installed, started or stopped; says what to do instead.
    pub(crate) fn run(self) -> Result<()> {
        let site = Site::open()?;
        let _lock = site.lock()?;
        match self {
            Self::Up { env } => up(&site, env),
            Self::Down => down(&site),
            Self::Status => {
                status(&site);
                Ok(())
            }
        }
    }
}

fn up(site: &Site, env: bool) -> Result<()> {
    let urls = provision::all(site, true)?;
    if !env {
        status(site);
        return Ok(());
    }
    for (variable, url) in urls {
        println!("export {variable}={}", quoted(&url));
    }
    Ok(())
}

fn down(site: &Site) -> Result<()> {
    for engine in ENGINES.into_iter().rev() {
        let stopped = Instance::new(engine, site).down()?;
        say(&format!("{} {}", engine.facts().name, if stopped { "is stopped" } else { "did not run" }));
    }
    Ok(())
}

/// Tells what is being done, on stderr: stdout may be a shell's `eval`. Where nobody listens any more, such as a
/// terminal that was closed, it is done all the same.
fn say(what: &str) {
    writeln!(io::stderr(), "services: {what}").ok();
}

fn status(site: &Site) {
    for engine in ENGINES {
        let (facts, instance) = (engine.facts(), Instance::new(engine, site));
        let own = provision::theirs(engine, &instance)
            .map(|_| format!("; {} is set to another one", facts.variable));
        println!("{:<11} {}{}", facts.name, instance.status(), own.unwrap_or_default());
    }
    println!("{:<11} {}", faketime::NAME, faketime::status());
    println!("{:<11} {}", aws_clients::NAME, aws_clients::status(site));
}
