//! The soak itself: hires the crew, makes trouble for so long, counts the slots at the end, and has the log checked.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs};

use fastrand::Rng;
use harness::{Journal, Server, pause};
use tokio::runtime::Runtime;

use crate::Failure;
use crate::backend::Place;
use crate::crew::Crew;
use crate::event::Event;
use crate::holder::request;
use crate::job::Job;
use crate::options::{Backend, Options};
use crate::plant::Plant;
use crate::trouble::Trouble;
use crate::weather::{SPELL, Weather};

/// Runs a soak, and answers with the verdict and whether that is a good one.
pub(crate) fn run(options: &Options) -> Result<(String, bool), Failure> {
    let plant = options.plant.as_deref().map(Plant::named).transpose()?;
    let folder = tempfile::Builder::new().prefix("soak-semaphore-").tempdir()?;
    let mut server = match options.backend.server_kind() {
        Some(kind) if options.restarts() > 0 => Some(Server::start_new(kind)?),
        None if options.restarts() > 0 => return Err("SQLite has no server to restart".into()),
        _ => None,
    };
    let place = Place::choose(options.backend, server.as_ref(), folder.path())?;
    let runtime = Runtime::new()?;
    runtime.block_on(place.migrate())?;
    let log = folder.path().join("log");
    let mut crew = hire(options, &place, (&log, plant))?;
    let mut weather = weather(options, &runtime, &place)?;
    if let Some(weather) = &weather {
        hire_behind(options, &mut crew, (&place, weather), (&log, plant))?;
    }
    let trouble = Trouble::new(options, server.as_mut(), weather.as_mut(), &log);
    trouble.make(&mut crew)?;
    crew.dismiss()?;
    pause(options.lease() * 2 + SPELL);
    let free = runtime.block_on(count(&place, options))?;
    Journal::open(&log)?.write(&[Event::Final { free }])?;
    check(options, &log)
}

/// How many of the holders go through the weather.
fn behind(options: &Options) -> u32 {
    if options.backend == Backend::Sqlite { 0 } else { options.processes / 4 }
}

fn job(options: &Options, place: Place, (log, plant): (&Path, Option<Plant>)) -> Job {
    // All together want a little less than there is, so that there are times of plenty and times of need.
    let share = 0.8 * f64::from(options.max) / f64::from(options.processes);
    let echo = if options.backend == Backend::Sqlite { Duration::ZERO } else { Duration::from_millis(300) };
    let pause = 1.0 / share.min(0.5) - 1.0;
    Job {
        place,
        run: 0,
        max: options.max,
        lease: options.lease(),
        pause,
        echo,
        log: log.to_owned(),
        plant,
        hired: 0,
    }
}

/// Hires those that reach the database as it is. On SQLite the database's clock is that of the process which asks, so
/// that nobody is shown another one there.
fn hire(options: &Options, place: &Place, log: (&Path, Option<Plant>)) -> Result<Crew, Failure> {
    let skews = options.backend != Backend::Sqlite;
    let mut crew = Crew::new(Journal::open(log.0)?, Rng::with_seed(options.seed), skews);
    for at in 0..options.processes - behind(options) {
        let skew = [0, 1, -1][if skews { at as usize % 3 } else { 0 }];
        crew.hire(job(options, place.clone(), log), skew)?;
    }
    Ok(crew)
}

fn weather(options: &Options, runtime: &Runtime, place: &Place) -> Result<Option<Weather>, Failure> {
    let Some(url) = place.url().filter(|_| behind(options) > 0) else { return Ok(None) };
    let start = url.rfind('@').map_or(0, |at| at + 1);
    let address = url[start..].split(['/', '?']).next().unwrap_or_default();
    let address =
        std::net::ToSocketAddrs::to_socket_addrs(address)?.next().ok_or("the server has no address")?;
    Ok(Some(Weather::new(runtime, address, Rng::with_seed(options.seed))?))
}

/// Hires those that go through the weather. What they sent may arrive after they gave it up.
fn hire_behind(
    options: &Options,
    crew: &mut Crew,
    (place, weather): (&Place, &Weather),
    log: (&Path, Option<Plant>),
) -> Result<(), Failure> {
    let place = place.by(weather.url(place.url().unwrap_or_default()));
    let job = job(options, place, log);
    let job = Job { echo: job.echo + 3 * SPELL, ..job };
    (0..behind(options)).try_for_each(|_| crew.hire(job.clone(), 0))
}

/// How many slots can be had, now that nobody else is there and every lease has run out.
async fn count(place: &Place, options: &Options) -> Result<usize, Failure> {
    let semaphore = place.open(options.lease()).await?;
    let mut permits = Vec::new();
    let mut tries = 0;
    while permits.len() < options.max as usize {
        match semaphore.try_acquire(request(options.max, Duration::from_mins(1))).await {
            Ok(Some(permit)) => permits.push(permit),
            Ok(None) => break,
            Err(_) if tries < 20 => tries += 1,
            Err(error) => return Err(error.into()),
        }
    }
    let free = permits.len();
    for permit in permits {
        permit.release().await.ok();
    }
    Ok(free)
}

/// Has the log checked by a program that shares nothing with what wrote it but the words.
fn check(options: &Options, log: &Path) -> Result<(String, bool), Failure> {
    let checker = env::current_exe()?.with_file_name("check-grants");
    let mut command = Command::new(&checker);
    command.arg("--max").arg(options.max.to_string()).arg(log).stderr(Stdio::inherit());
    let missing = |error| {
        format!("{} can't be started ({error}); build it: cargo build -p harness --bins", checker.display())
    };
    let output = command.output().map_err(missing)?;
    let verdict = String::from_utf8(output.stdout)?.trim().to_owned();
    if verdict.is_empty() {
        return Err("the log could not be checked".into());
    }
    if let Ok(kept) = env::var("SOAK_KEEP_LOG") {
        fs::copy(log, kept)?;
    }
    Ok((verdict, output.status.success()))
}
