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
    Databases,
    Semaphores,
    SqlQueue,
    Memory,
    ColdBuild,
}

impl Source {
    /// All sources, the quick ones first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        [Self::Counts, Self::Databases, Self::Memory, Self::Semaphores, Self::SqlQueue, Self::ColdBuild]
            .into_iter()
    }

    /// The bars that its figures are held against.
    pub(super) fn bars(self) -> impl Iterator<Item = Bar> {
        let own = move |bar: &Bar| self == bar.source();
        Bar::value_variants().iter().copied().filter(own)
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
            Self::Databases => program::findings("databases", urls),
            Self::Semaphores => program::findings("semaphores", urls),
            Self::SqlQueue => program::findings("sql_queue", urls),
            Self::Memory => program::findings("memory", &[]),
            Self::ColdBuild => cold_build::findings(),
        }
    }
}

impl Bar {
    fn source(self) -> Source {
        match self {
            Self::B1 | Self::B2 | Self::B3 | Self::B4 | Self::B5 => Source::Counts,
            Self::B6 | Self::B9 => Source::Databases,
            Self::B13 | Self::B14 | Self::B26 => Source::Semaphores,
            Self::B23 | Self::B24 => Source::SqlQueue,
            Self::B28 => Source::Memory,
            Self::B29 => Source::ColdBuild,
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
    fn each_bar_has_one_source() {
        let found: Vec<_> = Source::all().flat_map(Source::bars).collect();
        let found: BTreeSet<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, Bar::value_variants().iter().map(ToString::to_string).collect());
    }
}
