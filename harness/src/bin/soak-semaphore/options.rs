//! The options of a soak.

use std::time::Duration;

use clap::{Parser, ValueEnum, value_parser};

/// Soaks a semaphore with kills, freezes, skewed clocks, cut connections and restarts.
#[derive(Clone, Debug, Parser)]
#[command(name = "soak-semaphore", args_override_self = true)]
pub(crate) struct Options {
    /// Which database.
    #[arg(long, value_enum, default_value = "sqlite")]
    pub(crate) backend: Backend,
    /// How many processes want a permit.
    #[arg(long, default_value_t = 16, value_parser = value_parser!(u32).range(1..=200))]
    pub(crate) processes: u32,
    /// How many may have one at once.
    #[arg(long, default_value_t = 4, value_parser = value_parser!(u32).range(1..=65_535))]
    pub(crate) max: u32,
    /// For how long.
    #[arg(long, default_value_t = 20, value_parser = value_parser!(u32).range(1..=3600))]
    pub(crate) seconds: u32,
    /// Chooses the moments and the victims.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// How often the database is killed and started again; it is then a private one. One in 20 seconds unless it is
    /// said; SQLite has no server to restart.
    #[arg(long, value_parser = value_parser!(u32).range(0..=100))]
    pub(crate) restarts: Option<u32>,
    /// The lease, in milliseconds.
    #[arg(long, default_value_t = 500, value_parser = value_parser!(u64).range(50..=500))]
    pub(crate) lease_ms: u64,
    /// Ends with one JSON object on stdout.
    #[arg(long)]
    pub(crate) json: bool,
    /// Breaks one rule on purpose; `list` names what can be broken.
    #[arg(long)]
    pub(crate) plant: Option<String>,
}

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    Sqlite,
    Postgres,
    Mysql,
}

impl Options {
    pub(crate) fn lease(&self) -> Duration {
        Duration::from_millis(self.lease_ms)
    }

    /// How often the database is restarted.
    pub(crate) fn restarts(&self) -> u32 {
        let usual = if self.backend == Backend::Sqlite { 0 } else { self.seconds / 20 };
        self.restarts.unwrap_or(usual)
    }
}
