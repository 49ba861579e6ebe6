//! Soaks: long runs with kills, freezes and restarts, by the programs of the crate `harness`.

use crate::{cargo::Cargo, interrupt, services};
use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum, value_parser};
use std::ffi::OsString;

const PACKAGE: &str = "harness";

/// What can be soaked.
#[derive(Debug, Subcommand)]
pub(crate) enum Soak {
    /// Processes that want permits are killed, frozen past their leases, shown clocks that are an hour off, and cut off
    /// from the database; the database is killed too. Then `check-grants` judges their log.
    ///
    /// Its figures: grants, `max_seen`, violations, `fence_regressions`, `lost_slots`, `deadlocks_surfaced`, `false_full`.
    #[command(after_help = "Examples:
  cargo xtask soak semaphore --backend sqlite --processes 16 --max 4 --seconds 60 --json
  cargo xtask soak semaphore --backend postgres --max 4 --seconds 120 --restarts 4 --seed 7
  cargo xtask soak semaphore --backend mysql --plant list")]
    Semaphore(SemaphoreSoak),
    /// Producers and consumers of a standard and of an ordered queue are killed and frozen past their visibility
    /// timeout; the database is killed too. Then the ledger is balanced.
    ///
    /// Its figures: sent, handled, lost, duplicates (allowed after kills), `double_holders`, `order_violations`.
    #[command(after_help = "Examples:
  cargo xtask soak queue --backend memory --messages 100000 --kills 200 --json
  cargo xtask soak queue --backend postgres --messages 100000 --kills 200 --restarts 3 --seed 7
  cargo xtask soak queue --backend sqs --messages 20000 --kills 100 --endpoint-url own
  cargo xtask soak queue --backend sqlite --messages 2000 --kills 10 --plant double")]
    Queue(QueueSoak),
}

/// What a soak of a semaphore takes.
#[derive(Args, Debug)]
pub(crate) struct SemaphoreSoak {
    /// Which database.
    #[arg(long, value_enum, default_value = "sqlite")]
    backend: Database,
    /// How many processes want a permit: 1 to 200.
    #[arg(long, default_value_t = 16, value_parser = value_parser!(u32).range(1..=200))]
    processes: u32,
    /// How many may have one at once: 1 to 65535.
    #[arg(long, default_value_t = 4, value_parser = value_parser!(u32).range(1..=65_535))]
    max: u32,
    /// For how long: 1 to 3600.
    #[arg(long, default_value_t = 20, value_parser = value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// How often the database is killed and started again, which is then a private one: once in 20 seconds unless it is
    /// said, never on SQLite, and 100 times at most.
    #[arg(long, value_parser = value_parser!(u32).range(0..=100))]
    restarts: Option<u32>,
    #[command(flatten)]
    common: Common,
}

/// What a soak of a queue takes.
#[derive(Args, Debug)]
pub(crate) struct QueueSoak {
    /// Which queue.
    #[arg(long, value_enum, default_value = "memory")]
    backend: Backend,
    /// How many messages are sent for certain: 1 to 100000000.
    #[arg(long, default_value_t = 10_000, value_parser = value_parser!(u64).range(1..=100_000_000))]
    messages: u64,
    /// How many processes are killed, 10000 at most; a quarter as many are frozen. Few messages are handled before many
    /// kills are made: the summary says how many were.
    #[arg(long, default_value_t = 20, value_parser = value_parser!(u32).range(0..=10_000))]
    kills: u32,
    /// How often the database is killed and started again, on PostgreSQL and MySQL, 100 times at most; it is then a
    /// private one.
    #[arg(long, value_parser = value_parser!(u32).range(0..=100))]
    restarts: Option<u32>,
    /// For `sqs`: the server that speaks as Amazon SQS does, by plain HTTP, such as the `LocalStack` of `cargo xtask
    /// services up`; what `SQS_ENDPOINT_URL` says unless it is named here. With neither, and for `own`, it is the
    /// project's own test server.
    #[arg(long, value_name = "URL")]
    endpoint_url: Option<String>,
    /// Soaks one of the two kinds of queues only.
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    #[command(flatten)]
    common: Common,
}

/// What every soak takes.
#[derive(Args, Debug)]
struct Common {
    /// Chooses the moments and the victims.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ends with one JSON object, the last line of stdout; progress goes to stderr in any case.
    #[arg(long)]
    json: bool,
    /// Breaks one rule on purpose, so that the soak is seen to fail; `list` names what can be broken.
    #[arg(long, value_name = "NAME")]
    plant: Option<String>,
    /// Builds the programs optimized: that takes minutes, and many messages then take fewer.
    #[arg(long)]
    release: bool,
}

/// Where a semaphore can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Database {
    Sqlite,
    Postgres,
    Mysql,
}

/// Where a queue can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Backend {
    Memory,
    Sqlite,
    Postgres,
    Mysql,
    Sqs,
}

/// The kinds of queues.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    Standard,
    Ordered,
}

impl Soak {
    /// Builds the programs and runs them; what they need is started first, as for the tests.
    ///
    /// # Errors
    /// When a rule was broken, and when a program or a server can't be had. What was started is stopped in any case.
    pub(crate) fn run(&self) -> Result<()> {
        interrupt::catch()?;
        self.build().run_interruptibly()?;
        if !self.needs_servers() {
            return self.call().run_interruptibly();
        }
        let servers = services::Run::start()?;
        let outcome = self.call().with_unshown_envs(servers.urls()).run_interruptibly();
        outcome.and(servers.stop())
    }

    fn common(&self) -> &Common {
        match self {
            Self::Semaphore(soak) => &soak.common,
            Self::Queue(soak) => &soak.common,
        }
    }

    fn needs_servers(&self) -> bool {
        let database = match self {
            Self::Semaphore(soak) => soak.backend != Database::Sqlite,
            Self::Queue(soak) => matches!(soak.backend, Backend::Postgres | Backend::Mysql),
        };
        database && self.common().plant.as_deref() != Some("list")
    }

    /// All programs: one of them runs another.
    fn build(&self) -> Cargo {
        Cargo::new("build --bins -p").with_args([PACKAGE]).with_args(self.profile())
    }

    fn call(&self) -> Cargo {
        let (program, args) = match self {
            Self::Semaphore(soak) => ("soak-semaphore", soak.args()),
            Self::Queue(soak) => ("soak-queue", soak.args()),
        };
        let call = Cargo::new("run --quiet -p").with_args([PACKAGE]).with_args(self.profile());
        call.with_args(["--bin", program, "--"]).with_args(args).with_args(self.common().args())
    }

    fn profile(&self) -> Option<&'static str> {
        self.common().release.then_some("--release")
    }
}

impl SemaphoreSoak {
    fn args(&self) -> Vec<OsString> {
        let mut args = vec![option("--backend", name(&self.backend)), option("--processes", self.processes)];
        args.extend([option("--max", self.max), option("--seconds", self.seconds)]);
        args.extend(self.restarts.map(|count| option("--restarts", count)));
        args
    }
}

impl QueueSoak {
    fn args(&self) -> Vec<OsString> {
        let mut args = vec![option("--backend", name(&self.backend)), option("--messages", self.messages)];
        args.push(option("--kills", self.kills));
        args.extend(self.restarts.map(|count| option("--restarts", count)));
        args.extend(self.endpoint_url.as_ref().map(|url| option("--endpoint-url", url)));
        args.extend(self.kind.map(|kind| option("--kind", name(&kind))));
        args
    }
}

impl Common {
    fn args(&self) -> Vec<OsString> {
        let mut args = vec![option("--seed", self.seed)];
        args.extend(self.json.then(|| "--json".into()));
        args.extend(self.plant.as_ref().map(|plant| option("--plant", plant)));
        args
    }
}

fn option(name: &str, value: impl std::fmt::Display) -> OsString {
    format!("{name}={value}").into()
}

/// The word that stands for it on a command line.
fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
