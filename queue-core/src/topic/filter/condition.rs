//! A condition that an attribute can meet.

mod json;

use std::ops::{Bound, RangeBounds};

use super::scalar::Scalar;

/// A condition on one attribute, for [`Filter::with`](crate::Filter::with).
///
/// Texts and numbers turn into the condition of being equal to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition(Rule);

#[derive(Clone, Debug, PartialEq)]
enum Rule {
    Present,
    Absent,
    Is(Scalar),
    Prefix(String),
    Suffix(String),
    IgnoringCase(String),
    Within(Bound<f64>, Bound<f64>),
    NoneOf(Vec<Condition>),
}

impl Condition {
    /// Asks for this text.
    pub fn text(text: impl Into<String>) -> Self {
        Self(Rule::Is(Scalar::Text(text.into())))
    }

    /// Asks for this number, compared as a 64-bit floating-point number.
    pub fn number(number: impl Into<f64>) -> Self {
        Self(Rule::Is(Scalar::Number(number.into())))
    }

    /// Asks for a text that begins so.
    pub fn prefix(prefix: impl Into<String>) -> Self {
        Self(Rule::Prefix(prefix.into()))
    }

    /// Asks for a text that ends so.
    pub fn suffix(suffix: impl Into<String>) -> Self {
        Self(Rule::Suffix(suffix.into()))
    }

    /// Asks for this text in any mixture of capitals and small letters.
    pub fn ignoring_case(text: impl AsRef<str>) -> Self {
        Self(Rule::IgnoringCase(text.as_ref().to_lowercase()))
    }

    /// Asks for a number in this range.
    pub fn within(range: impl RangeBounds<f64>) -> Self {
        Self(Rule::Within(range.start_bound().cloned(), range.end_bound().cloned()))
    }

    /// Asks for an attribute that is there and meets none of `conditions`: `anything-but`.
    pub fn none_of<C: Into<Self>>(conditions: impl IntoIterator<Item = C>) -> Self {
        Self(Rule::NoneOf(conditions.into_iter().map(Into::into).collect()))
    }

    /// Asks for the attribute to be there.
    pub fn present() -> Self {
        Self(Rule::Present)
    }

    /// Asks for the attribute not to be there. As at the service a message without any attribute does not meet it
    /// (Amazon SNS Developer Guide, "Key matching").
    pub fn absent() -> Self {
        Self(Rule::Absent)
    }

    /// Whether the values of an attribute meet it; they are none if it is absent.
    pub(super) fn is_met(&self, values: &[Scalar], bare: bool) -> bool {
        match self.0 {
            Rule::Absent => values.is_empty() && !bare,
            _ => values.iter().any(|value| self.holds_for(value)),
        }
    }

    fn holds_for(&self, value: &Scalar) -> bool {
        match (&self.0, value) {
            (Rule::Present, _) => true,
            (Rule::Is(wanted), value) => wanted == value,
            (Rule::Prefix(prefix), Scalar::Text(text)) => text.starts_with(prefix),
            (Rule::Suffix(suffix), Scalar::Text(text)) => text.ends_with(suffix),
            (Rule::IgnoringCase(wanted), Scalar::Text(text)) => text.to_lowercase() == *wanted,
            (Rule::Within(from, to), Scalar::Number(number)) => (*from, *to).contains(number),
            (Rule::NoneOf(conditions), value) => !conditions.iter().any(|one| one.holds_for(value)),
            _ => false,
        }
    }
}

impl From<&str> for Condition {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Condition {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<f64> for Condition {
    fn from(number: f64) -> Self {
        Self::number(number)
    }
}

impl From<i32> for Condition {
    fn from(number: i32) -> Self {
        Self::number(number)
    }
}
