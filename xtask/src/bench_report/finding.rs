//! A finding: one measured figure beside its limit.

use super::Bar;
use serde::{Deserialize, Serialize};

/// One line of what a program of `benches` prints with `--json`.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Finding {
    /// The bar.
    pub(crate) id: Bar,
    /// What was measured.
    pub(crate) what: String,
    /// The figure with its unit.
    pub(crate) figure: String,
    /// The limit with its unit.
    pub(crate) bar: String,
    /// Whether the figure keeps within the limit; `None` where it can't be measured.
    pub(crate) kept: Option<bool>,
}

impl Finding {
    pub(crate) fn is_broken(&self) -> bool {
        self.kept == Some(false)
    }

    pub(crate) fn verdict(&self) -> &'static str {
        match self.kept {
            Some(true) => "kept",
            Some(false) => "BROKEN",
            None => "not measured",
        }
    }
}
