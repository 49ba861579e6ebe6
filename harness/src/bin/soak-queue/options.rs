//! The options of a soak.

use std::env;
use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use clap::{Parser, ValueEnum, value_parser};
use serde::{Deserialize, Serialize};

use crate::Failure;

/// The variable that names the server for queues on Amazon SQS.
pub(crate) const ENDPOINT: &str = "SQS_ENDPOINT_URL";

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
    /// The server that speaks as Amazon SQS does, by plain HTTP; what `SQS_ENDPOINT_URL` says unless it is named here. With
    /// neither, and for `own`, it is the test server of this project.
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint_url: Option<String>,
    /// Which kinds of queues.
    #[arg(long, value_enum, default_value = "both")]
    pub(crate) kind: Kind,
    /// Chooses the moments and the victims.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// The visibility timeout, in milliseconds; for Amazon SQS rounded up to whole seconds.
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
    /// The visibility timeout as the backend counts it: what is held for a rounded time is frozen for longer, too.
    pub(crate) fn visibility(&self) -> Duration {
        let unit = u64::try_from(self.backend.unit().as_millis()).unwrap_or(1);
        Duration::from_millis(self.visibility_ms.div_ceil(unit) * unit)
    }

    /// The server that was named, for a queue on Amazon SQS.
    pub(crate) fn endpoint(&self) -> Result<Option<String>, Failure> {
        let named = self.endpoint_url.clone();
        if self.backend != Backend::Sqs {
            return named.map_or(Ok(None), |_| Err("--endpoint-url is for --backend sqs".into()));
        }
        let named = named.or_else(|| env::var(ENDPOINT).ok());
        match named.filter(|url| !url.is_empty() && url != "own") {
            Some(url) if !url.starts_with("http://") => {
                Err(format!("the endpoint {url:?} is not of the form http://host:port").into())
            }
            named => Ok(named),
        }
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
