//! A condition: what one of the values under a key has to be.

use super::cidr::Cidr;
use super::range::Range;
use super::values::{Scalar, Values};
use super::wildcard::Wildcard;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Condition {
    Is(Scalar),
    Prefix(String),
    Suffix(String),
    /// In small letters.
    IgnoringCase(String),
    Wildcard(Wildcard),
    Cidr(Cidr),
    Numeric(Range),
    AnythingBut(Vec<Self>),
    Exists(bool),
}

impl Condition {
    /// Whether one of the values under `key` meets it. That there is none is met by nothing but the absence that is asked
    /// for, and only if something else is there (Amazon SNS Developer Guide, "Key matching").
    pub(super) fn is_met(&self, values: &Values, key: &str) -> bool {
        let found = values.get(key);
        match self {
            Self::Exists(false) => found.is_empty() && !values.is_empty(),
            _ => found.iter().any(|value| self.holds(value)),
        }
    }

    fn holds(&self, value: &Scalar) -> bool {
        let text = |holds: &dyn Fn(&str) -> bool| value.text().is_some_and(holds);
        match self {
            Self::Is(wanted) => wanted == value,
            Self::Prefix(prefix) => text(&|text| text.starts_with(prefix)),
            Self::Suffix(suffix) => text(&|text| text.ends_with(suffix)),
            Self::IgnoringCase(wanted) => text(&|text| text.to_lowercase() == *wanted),
            Self::Wildcard(pattern) => text(&|text| pattern.matches(text)),
            Self::Cidr(block) => text(&|text| block.contains(text)),
            Self::Numeric(range) => matches!(value, Scalar::Number(number) if range.contains(*number)),
            Self::AnythingBut(conditions) => !conditions.iter().any(|condition| condition.holds(value)),
            Self::Exists(wanted) => value.exists() == *wanted,
        }
    }
}
