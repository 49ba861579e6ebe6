//! The plants: what can be broken on purpose, so that a soak is seen to find it.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::Failure;

/// What is broken on purpose.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
pub(crate) enum Plant {
    OverIssue,
    RenewExpired,
    StaleRelease,
    FenceReuse,
    LostSlot,
    ClientClock,
    FalseFull,
    Deadlock,
}

impl Plant {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Self::value_variants().iter().copied()
    }

    pub(crate) fn named(name: &str) -> Result<Self, Failure> {
        let refuse = |_| format!("there is no plant {name:?}; --plant list names them").into();
        Self::from_str(name, false).map_err(refuse)
    }

    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// What it does, and what is counted then.
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            Self::OverIssue => "gives a permit where all were taken (violations)",
            Self::RenewExpired => {
                "goes on holding after the lease has run out, as if it were renewed (violations)"
            }
            Self::StaleRelease => "releases a slot that another holds (violations)",
            Self::FenceReuse => "gives every grant the same fencing number (fence_regressions)",
            Self::LostSlot => "now and then takes a slot and forgets it for an hour (lost_slots)",
            Self::ClientClock => "frees its slot by a clock of its own that is an hour ahead (violations)",
            Self::FalseFull => "says that all are taken without asking, once in three times (false_full)",
            Self::Deadlock => "lets a deadlock of the database reach the caller (deadlocks_surfaced)",
        }
    }
}
