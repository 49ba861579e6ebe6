//! What tests need besides the project: `cargo xtask services`, database servers first of all.
//!
//! Private servers on free ports of the loopback interface, with their data under `target/services`. The state file
//! of each names its process by number and time of birth, and only such a process is ever signalled.

mod account;
mod call;
mod engine;
mod faketime;
mod home;
mod instance;
mod launch;
mod mariadb;
mod packages;
mod pgbouncer;
mod port;
mod postgresql;
mod process;
mod programs;
mod run;
mod server_url;
mod site;
mod state;
#[cfg(test)]
mod test_support;

pub(crate) use run::Run;

use crate::{cargo::quoted, interrupt};
use anyhow::{Context, Result, ensure};
use clap::Subcommand;
use engine::{ENGINES, Engine};
use instance::Instance;
use site::Site;
use std::{
    env,
    io::{self, Write},
};

/// What can be asked of the servers.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Services {
    /// Start those that don't run; install PostgreSQL, MariaDB, `PgBouncer` and libfaketime first if they are missing.
    /// What is set in `POSTGRES_URL`, `MYSQL_URL`, `PGBOUNCER_URL` or `FAKETIME_LIB` is taken as it is. `PgBouncer`
    /// stands in front of the PostgreSQL that is used, also where that is yours.
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
    let urls = provide_all(site, true)?;
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
        let own = theirs(engine, &instance).map(|_| format!("; {} is set to another one", facts.variable));
        println!("{:<10} {}{}", facts.name, instance.status(), own.unwrap_or_default());
    }
    println!("{:<10} {}", faketime::NAME, faketime::status());
}

/// The variables that say where everything is. What one lacks is told together with what others lack.
fn provide_all(site: &Site, keep: bool) -> Result<Vec<(&'static str, String)>> {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for engine in ENGINES {
        match provide(engine, site, &found, keep) {
            Ok(url) => found.push((engine.facts().variable, url)),
            Err(error) => missing.push(format!("{error:#}")),
        }
        interrupt::check()?;
    }
    match faketime::provide() {
        Ok(library) => found.push((faketime::VARIABLE, library)),
        Err(error) => missing.push(format!("{error:#}")),
    }
    ensure!(missing.is_empty(), "{}", missing.join("\n"));
    Ok(found)
}

/// The URL of a server for this engine: the caller's own or ours, which then runs.
fn provide(
    engine: &'static dyn Engine,
    site: &Site,
    found: &[(&'static str, String)],
    keep: bool,
) -> Result<String> {
    let (facts, instance) = (engine.facts(), Instance::new(engine, site));
    if let Some(url) = theirs(engine, &instance) {
        say(&format!("{}: {} is set; that server is used", facts.name, facts.variable));
        return Ok(url);
    }
    instance.in_front_of(upstream(engine, found)?).up(keep)
}

/// The URL of what an engine stands in front of.
fn upstream(engine: &dyn Engine, found: &[(&'static str, String)]) -> Result<Option<String>> {
    let Some(behind) = engine.behind() else { return Ok(None) };
    let url = found.iter().find(|(variable, _)| *variable == behind.facts().variable);
    let (name, behind) = (engine.facts().name, behind.facts().name);
    Ok(Some(url.with_context(|| format!("{name} stands in front of {behind}, which is missing"))?.1.clone()))
}

/// The URL of a server that isn't ours, if the caller has set one. One that leads to ours may come from `up --env`.
fn theirs(engine: &dyn Engine, instance: &Instance<'_>) -> Option<String> {
    let url = env::var(engine.facts().variable).ok().filter(|url| !url.is_empty())?;
    (!instance.is_reached_by(&url)).then_some(url)
}
