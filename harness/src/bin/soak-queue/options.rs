//! The options of a soak.

use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use clap::{Parser, ValueEnum, value_parser};
use serde::{Deserialize, Serialize};

/// Soaks a queue with kills, freezes and restarts.
#[derive(Clone, Debug, Parser)]
#[command(name = "soak-queue", args_override_self = true)]
pub(crate) struct Options {
    /// Which queue.
    #[arg(long, value_enum, default_value = "memory")]
    pub(crate) backend: Backend,
    /// How many messages are sent for certain.
    #[arg(long, default_value_t = 10_000, value_parser = value_parser!(u64).range(1..=100_000_000))]
    pub(crate) messages: u64,
    /// How many producers and consumers are killed; a quarter as many are frozen past their visibility timeout.
    #[arg(long, default_value_t = 20, value_parser = RangedU64ValueParser::<usize>::new().range(0..=10_000))]
    pub(crate) kills: usize,
    /// How often the database is killed and started again, on PostgreSQL and MySQL; it is then a private one.
    #[arg(long, default_value_t = 0, value_parser = RangedU64ValueParser::<usize>::new().range(0..=100))]
    pub(crate) restarts: usize,
    /// Which kinds of queues.
    #[arg(long, value_enum, default_value = "both")]
    pub(crate) kind: Kind,
    /// Chooses the moments and the victims.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// The visibility timeout, in milliseconds.
    #[arg(long, default_value_t = 2000)]
    pub(crate) visibility_ms: u64,
    /// How long nothing may be handled, with nobody frozen and every visibility timeout over, until what is left is
    /// given up for lost, in milliseconds. It is longer than a database takes to start again.
    #[arg(long, default_value_t = 8000)]
    pub(crate) patience_ms: u64,
    /// Ends with one JSON object on stdout.
    #[arg(long)]
    pub(crate) json: bool,
    /// Breaks one rule on purpose; `list` names what can be broken.
    #[arg(long)]
    pub(crate) plant: Option<String>,
}

/// Which queue.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
pub(crate) enum Backend {
    Memory,
    Sqlite,
    Postgres,
    Mysql,
    Sqs,
}

/// Which kinds of queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Standard,
    Ordered,
    Both,
}

impl Options {
    pub(crate) fn visibility(&self) -> Duration {
        Duration::from_millis(self.visibility_ms)
    }

    pub(crate) fn patience(&self) -> Duration {
        Duration::from_millis(self.patience_ms) + self.visibility()
    }

    /// Whether the queues of this soak are ordered: one entry a queue.
    pub(crate) fn orders(&self) -> &'static [bool] {
        match self.kind {
            Kind::Standard => &[false],
            Kind::Ordered => &[true],
            Kind::Both => &[false, true],
        }
    }
}
