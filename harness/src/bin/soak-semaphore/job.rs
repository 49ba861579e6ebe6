//! A job: what a holder has to do, handed over in its environment.

use std::env;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use harness::{Journal, Program};
use serde::{Deserialize, Serialize};
use tokio::runtime::Builder;

use crate::Failure;
use crate::backend::Place;
use crate::holder::Holding;
use crate::plant::Plant;

/// The variable with the job: unlike a command line, nobody else can read it, and there may be a password in it.
const JOB: &str = "SOAK_JOB";

/// What a holder has to do.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Job {
    pub(crate) place: Place,
    pub(crate) run: u64,
    pub(crate) max: u32,
    pub(crate) lease: Duration,
    /// How long it pauses on average for each unit of time for which it holds.
    pub(crate) pause: f64,
    /// How long after its death a call may still be carried out that it had sent.
    pub(crate) echo: Duration,
    pub(crate) log: PathBuf,
    pub(crate) plant: Option<Plant>,
    /// What a clock showed when it was hired that is as wrong as its own is to be, in seconds.
    pub(crate) hired: u64,
}

/// What the wall clock shows, in seconds.
#[expect(clippy::disallowed_methods, reason = "whether a process is shown another time is what is looked at")]
pub(crate) fn wall_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

impl Job {
    /// The job of this process, if it is a holder.
    pub(crate) fn inherited() -> Option<Result<Self, Failure>> {
        let job = env::var(JOB).ok()?;
        Some(serde_json::from_str(&job).map_err(Failure::from))
    }

    /// The program that does it: this one again.
    pub(crate) fn program(&self) -> Result<Program, Failure> {
        Ok(Program::new(env::current_exe()?).with_env(JOB, serde_json::to_string(self)?))
    }

    /// Does it until it is killed.
    pub(crate) fn run(self) -> Result<(), Failure> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let log = Journal::open(&self.log)?;
        if wall_clock().abs_diff(self.hired) > 120 {
            return Err("the holder is not shown the time that it is to be shown".into());
        }
        runtime.block_on(async {
            let backend = self.place.open(self.lease).await?;
            Holding::new(self, backend, log).hold_on().await
        })
    }
}
