//! A bar: what a figure is held against.

use std::fmt;

/// The limit that a figure keeps or breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    /// No more than this.
    AtMost(f64),
    /// No less than this.
    AtLeast(f64),
    /// This and nothing else.
    Exactly(f64),
}

impl Bar {
    /// Whether `figure` keeps it. A figure that is no number keeps none.
    #[expect(clippy::float_cmp, reason = "counts are whole numbers, which are exact")]
    pub fn is_kept_by(self, figure: f64) -> bool {
        match self {
            Self::AtMost(most) => figure <= most,
            Self::AtLeast(least) => figure >= least,
            Self::Exactly(value) => figure == value,
        }
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(most) => write!(f, "≤ {most}"),
            Self::AtLeast(least) => write!(f, "≥ {least}"),
            Self::Exactly(value) => write!(f, "{value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_kept_up_to_its_limit_and_never_by_what_was_not_measured() {
        let bar = Bar::AtMost(0.22);
        assert_eq!(
            [0.2, 0.22, 0.2201, f64::NAN].map(|figure| bar.is_kept_by(figure)),
            [true, true, false, false]
        );
        assert_eq!([0.79, 0.8].map(|figure| Bar::AtLeast(0.8).is_kept_by(figure)), [false, true]);
        assert_eq!([179.0, 180.0].map(|figure| Bar::Exactly(180.0).is_kept_by(figure)), [false, true]);
    }

    #[test]
    fn a_bar_is_written_as_in_the_list_of_bars() {
        assert_eq!([Bar::AtMost(0.22), Bar::Exactly(180.0)].map(|bar| bar.to_string()), ["≤ 0.22", "180"]);
    }
}
