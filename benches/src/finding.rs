//! A finding: one measured figure beside its bar.

use serde::Serialize;

use crate::Bar;

/// What was measured, and whether it keeps its bar.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    pub(crate) id: &'static str,
    pub(crate) what: String,
    pub(crate) figure: String,
    pub(crate) bar: String,
    /// `None` where nothing could be measured.
    pub(crate) kept: Option<bool>,
}

impl Finding {
    /// Holds `figure` against the bar with this id.
    pub fn new(id: &'static str, what: impl Into<String>, figure: f64, bar: Bar) -> Self {
        Self {
            id,
            what: what.into(),
            figure: number(figure),
            bar: bar.to_string(),
            kept: Some(bar.is_kept_by(figure)),
        }
    }

    /// Says that this can't be measured here, and why. It breaks no bar.
    pub fn unmeasured(id: &'static str, what: impl Into<String>, reason: &str) -> Self {
        Self { id, what: what.into(), figure: "-".to_owned(), bar: reason.to_owned(), kept: None }
    }

    /// Puts a unit behind the figure and the bar.
    #[must_use]
    pub fn with_unit(mut self, unit: &str) -> Self {
        self.figure = format!("{} {unit}", self.figure);
        self.bar = format!("{} {unit}", self.bar);
        self
    }

    /// Whether it breaks its bar.
    pub fn is_broken(&self) -> bool {
        self.kept == Some(false)
    }
}

/// How many of these there are for each of those; not a number when there are none.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub fn per(these: u64, each: u64) -> f64 {
    if each == 0 { f64::NAN } else { these as f64 / each as f64 }
}

/// Four decimals at most, and none that say nothing.
fn number(figure: f64) -> String {
    let text = format!("{figure:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_written_without_idle_digits() {
        assert_eq!([0.200_44, 0.1, 180.0, 0.0].map(number), ["0.2004", "0.1", "180", "0"]);
    }

    #[test]
    fn a_broken_bar_is_broken_and_what_was_not_measured_is_not() {
        assert!(Finding::new("B1", "calls", 0.3, Bar::AtMost(0.22)).is_broken());
        assert!(Finding::new("B1", "calls a message, of none", per(3, 0), Bar::AtMost(0.22)).is_broken());
        assert!(!Finding::new("B1", "calls", 0.2, Bar::AtMost(0.22)).is_broken());
        assert!(!Finding::unmeasured("B28", "resident memory", "on Linux only").is_broken());
    }
}
