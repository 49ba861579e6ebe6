//! A filter: which messages of a topic a subscription gets, by their attributes.

mod condition;
mod policy;
mod scalar;

use crate::{Attributes, QueueError};
use scalar::scalars;

pub use condition::Condition;

/// Lets messages pass by their attributes: the useful part of Amazon SNS's filter policies (Amazon SNS Developer Guide,
/// "Amazon SNS subscription filter policies"), built in code or parsed from a policy's JSON.
///
/// A message passes if, for each attribute named, one of the conditions given for it is met. So an attribute that is
/// named has to be there, unless [`Condition::absent`] is one of the conditions. An empty filter lets all pass.
///
/// As at the service, bytes count as absent, a `String` never equals a `Number`, numbers are compared as such
/// (`100` is `1e2`), and of a `String` labelled `Array` that holds a JSON array one element has to meet the condition.
///
/// # Guarantees
/// None of its own; what a filter keeps away is not lost but unwanted: see [`MemoryTopic::unmatched`](crate::MemoryTopic).
///
/// # Examples
/// ```
/// use queue_core::{Condition, Filter};
///
/// let filter = Filter::new()
///     .with("type", ["book", "film"])
///     .with("price", [Condition::within(5.0..10.0)]);
/// let same = Filter::parse(r#"{"type": ["book", "film"], "price": [{"numeric": [">=", 5, "<", 10]}]}"#)?;
/// assert_eq!(filter, same);
/// # Ok::<(), queue_core::QueueError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    clauses: Vec<(String, Vec<Condition>)>,
}

impl Filter {
    /// Makes a filter that lets everything pass.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a filter policy of Amazon SNS, in the scope `MessageAttributes`.
    ///
    /// Understood are strings and numbers, `prefix`, `suffix`, `equals-ignore-case`, `exists`, `numeric`, and
    /// `anything-but` with strings, numbers, `prefix` or `suffix`.
    ///
    /// # Errors
    /// *Permanent*: not the JSON of a policy, or an operator that is not understood; it is named, with its attribute.
    pub fn parse(policy: &str) -> Result<Self, QueueError> {
        policy::parse(policy)
    }

    /// Writes it as a filter policy of Amazon SNS, in the scope `MessageAttributes`: what [`parse`](Self::parse) reads.
    ///
    /// # Errors
    /// *Permanent*: it can't be said in a policy, and why: an attribute that is asked for twice or without any condition, a
    /// range without bounds, a [`none_of`](Condition::none_of) other than of texts and numbers or of one prefix or suffix.
    pub fn to_policy(&self) -> Result<String, QueueError> {
        policy::write(&self.clauses).map_err(QueueError::permanent)
    }

    /// Asks for one of `conditions` to be met by the attribute `name`. What was asked before, of this attribute too,
    /// has to be met as well. Without any condition nothing passes.
    #[must_use]
    pub fn with<C: Into<Condition>>(
        mut self,
        name: impl Into<String>,
        conditions: impl IntoIterator<Item = C>,
    ) -> Self {
        self.clauses.push((name.into(), conditions.into_iter().map(Into::into).collect()));
        self.clauses.sort_by(|(one, _), (other, _)| one.cmp(other));
        self
    }

    /// Whether a message with these attributes passes.
    pub fn matches(&self, attributes: &Attributes) -> bool {
        self.clauses.iter().all(|(name, conditions)| {
            let values = attributes.get(name).map(scalars).unwrap_or_default();
            conditions.iter().any(|condition| condition.is_met(&values, attributes.is_empty()))
        })
    }
}

#[cfg(test)]
mod tests;
