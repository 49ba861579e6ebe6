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
    /// Memory of a receiver after a million polls and messages
    B28,
    /// A cold build of queue-core
    B29,
}

/// What is run for the figures of one or several bars.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Source {
    Counts,
    Memory,
    ColdBuild,
}

impl Source {
    /// All sources, the quick ones first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        [Self::Counts, Self::Memory, Self::ColdBuild].into_iter()
    }

    /// The bars that its figures are held against.
    pub(super) fn bars(self) -> impl Iterator<Item = Bar> {
        let own = move |bar: &Bar| self == bar.source();
        Bar::value_variants().iter().copied().filter(own)
    }

    /// Measures.
    ///
    /// # Errors
    /// When something doesn't compile or run.
    pub(super) fn measure(self) -> Result<Vec<Finding>> {
        match self {
            Self::Counts => program::findings("counts"),
            Self::Memory => program::findings("memory"),
            Self::ColdBuild => cold_build::findings(),
        }
    }
}

impl Bar {
    fn source(self) -> Source {
        match self {
            Self::B1 | Self::B2 | Self::B3 | Self::B4 | Self::B5 => Source::Counts,
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
            Self::Memory => "memory of a receiver",
            Self::ColdBuild => "a cold build of queue-core",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bar_has_one_source() {
        let found: Vec<_> = Source::all().flat_map(Source::bars).collect();
        assert_eq!(found, Bar::value_variants());
    }
}
