//! The bars that are measured here, and where their figures come from.

use super::{cold_build, finding::Finding, program};
use anyhow::Result;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A bar by its id.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize, ValueEnum)]
#[value(rename_all = "verbatim")]
pub(crate) enum Bar {
    /// Calls for each consumed message at load
    B1,
    /// Calls for each published message, 64 tasks publishing singly
    B2,
    /// Renewal calls for each message and interval
    B3,
    /// Receives of an idle hour
    B4,
    /// Calls in any minute to a queue that is missing or dead
    B5,
    /// Round trips of a semaphore
    B6,
    /// Round trips of a SQL queue
    B9,
    /// A receiver on SQS against a loop by hand
    B11,
    /// A semaphore against bare updates
    B13,
    /// A semaphore on MariaDB against a stored procedure
    B14,
    /// A SQL queue's time against its backlog
    B23,
    /// A SQL queue's latency under an open snapshot
    B24,
    /// A semaphore's time against its maximum
    B26,
    /// Memory of a receiver after a million polls and messages
    B28,
    /// A cold build of queue-core
    B29,
}

/// The variables that tell where servers are.
pub(super) type Urls<'a> = &'a [(&'static str, String)];

/// What is run for the figures of one or several bars.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Source {
    Counts,
    Sqs,
    Databases,
    Semaphores,
    SqlQueue,
    Memory,
    ColdBuild,
}

impl Source {
    /// All sources, the quick ones first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        use Source::{ColdBuild, Counts, Databases, Memory, Semaphores, SqlQueue, Sqs};
        [Counts, Databases, Memory, Sqs, Semaphores, SqlQueue, ColdBuild].into_iter()
    }

    /// The bars that its figures are held against. Calls are counted where the family decides on them, and again by a
    /// server.
    pub(super) fn bars(self) -> impl Iterator<Item = Bar> {
        let bars: &[Bar] = match self {
            Self::Counts => &[Bar::B1, Bar::B2, Bar::B3, Bar::B4, Bar::B5],
            Self::Sqs => &[Bar::B1, Bar::B2, Bar::B3, Bar::B4, Bar::B5, Bar::B11],
            Self::Databases => &[Bar::B6, Bar::B9],
            Self::Semaphores => &[Bar::B13, Bar::B14, Bar::B26],
            Self::SqlQueue => &[Bar::B23, Bar::B24],
            Self::Memory => &[Bar::B28],
            Self::ColdBuild => &[Bar::B29],
        };
        bars.iter().copied()
    }

    /// Whether it needs database servers.
    pub(super) fn needs_servers(self) -> bool {
        matches!(self, Self::Databases | Self::Semaphores | Self::SqlQueue)
    }

    /// Measures; `urls` tell where the servers are.
    ///
    /// # Errors
    /// When something doesn't compile or run.
    pub(super) fn measure(self, urls: Urls<'_>) -> Result<Vec<Finding>> {
        match self {
            Self::Counts => program::findings("counts", &[]),
            Self::Sqs => program::findings("sqs", &[]),
            Self::Databases => program::findings("databases", urls),
            Self::Semaphores => program::findings("semaphores", urls),
            Self::SqlQueue => program::findings("sql_queue", urls),
            Self::Memory => program::findings("memory", &[]),
            Self::ColdBuild => cold_build::findings(),
        }
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{self:?}"))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Counts => "exact counts of calls",
            Self::Sqs => "calls counted by an SQS server, and times",
            Self::Databases => "exact counts of round trips at databases",
            Self::Semaphores => "times of semaphores",
            Self::SqlQueue => "times of SQL queues",
            Self::Memory => "memory of a receiver",
            Self::ColdBuild => "a cold build of queue-core",
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_bar_has_a_source() {
        let found: BTreeSet<_> = Source::all().flat_map(Source::bars).map(|bar| bar.to_string()).collect();
        assert_eq!(found, Bar::value_variants().iter().map(ToString::to_string).collect());
    }
}
