//! The plants: what can be broken on purpose, so that a soak is seen to find it.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::options::Options;

/// What is broken on purpose.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
pub(crate) enum Plant {
    AckFirst,
    AckFailed,
    DropOne,
    Double,
    ShortLease,
    Reorder,
    Phantom,
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

    /// Refuses one that would break nothing: a quarter of a visibility timeout that is rounded up to the whole of it.
    pub(crate) fn check(self, options: &Options) -> Result<(), Failure> {
        let (visibility, unit) = (options.visibility(), options.backend.unit());
        if self == Self::ShortLease && visibility <= unit {
            return Err(format!(
                "short-lease changes nothing where {unit:?} is the shortest time; set --visibility-ms"
            )
            .into());
        }
        Ok(())
    }

    /// What it does, and what is counted then.
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            Self::AckFirst => "deletes each message before it is handled: a kill in between loses it (lost)",
            Self::AckFailed => "deletes what a handler failed on instead of keeping it (lost)",
            Self::DropOne => {
                "answers that a message is stored, once in a hundred times without storing it (lost)"
            }
            Self::Double => {
                "shows a message to others at once, whatever its visibility timeout (double_holders)"
            }
            Self::ShortLease => {
                "hides messages for a quarter of the time that was asked for (double_holders)"
            }
            Self::Reorder => "hands a batch of an ordered queue over in reverse (order_violations)",
            Self::Phantom => {
                "now and then hands over a message that nobody sent, in place of one that was sent (lost)"
            }
        }
    }
}
