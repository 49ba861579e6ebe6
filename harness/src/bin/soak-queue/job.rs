//! A job: what a child has to do, handed over in its environment.

use std::env;
use std::path::PathBuf;
use std::time::Duration;

use harness::{Journal, Pen, Program, monotonic};
use serde::{Deserialize, Serialize};
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::Failure;
use crate::backend::{Place, Queues};
use crate::consume::Style;
use crate::plant::Plant;
use crate::{consume, produce};

/// The variable with the job: unlike a command line, nobody else can read it, and there may be a password in it.
const JOB: &str = "SOAK_JOB";

/// How long a database may take to start again.
const RESTART: Duration = Duration::from_secs(30);

/// What a child has to do.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Job {
    pub(crate) role: Role,
    pub(crate) ordered: bool,
    pub(crate) place: Place,
    pub(crate) visibility: Duration,
    /// The journal of who held what.
    pub(crate) holds: PathBuf,
    pub(crate) plant: Option<Plant>,
    pub(crate) seed: u64,
}

/// Which of the two.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) enum Role {
    Producer { id: u64, count: u64 },
    Consumer { style: Style },
}

impl Job {
    /// The job of this process, if it is a child.
    pub(crate) fn inherited() -> Option<Result<Self, Failure>> {
        let job = env::var(JOB).ok()?;
        Some(serde_json::from_str(&job).map_err(Failure::from))
    }

    /// The program that does it: this one again.
    pub(crate) fn program(&self) -> Result<Program, Failure> {
        Ok(Program::new(env::current_exe()?).with_env(JOB, serde_json::to_string(self)?))
    }

    /// Does it in this process, to its end.
    pub(crate) fn run(self) -> Result<(), Failure> {
        let runtime = runtime()?;
        let queues = runtime.block_on(self.open())?;
        runtime.block_on(self.work(&queues, &Pen::inherited(), CancellationToken::new()))
    }

    /// Opens the queues, of a database that may just be restarting.
    async fn open(&self) -> Result<Queues, Failure> {
        let deadline = monotonic() + RESTART;
        loop {
            match Queues::open(&self.place, self.visibility).await {
                Err(_) if monotonic() < deadline => sleep(Duration::from_millis(200)).await,
                opened => return opened,
            }
        }
    }

    /// Does it until it is done or stopped.
    pub(crate) async fn work(
        &self,
        queues: &Queues,
        pen: &Pen,
        stop: CancellationToken,
    ) -> Result<(), Failure> {
        let journal = Journal::open(&self.holds)?;
        let queue = queues.of(self.ordered);
        let work = async {
            match self.role {
                Role::Producer { id, count } => produce::run(self, queue, pen, (id, count)).await,
                Role::Consumer { style } => consume::run(self, queue, (pen, journal), style).await,
            }
        };
        stop.run_until_cancelled(work).await.unwrap_or(Ok(()))
    }
}

/// The runtime of one child.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}
