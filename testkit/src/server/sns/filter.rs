//! A filter: which messages a subscription gets, by its filter policy.
//!
//! `queue_core::Filter` is the useful part of it for a topic in memory. The wire needs more than that speaks: the scope
//! of the body with its nested keys, `$or`, `wildcard`, `cidr`, `true`, `false` and `null`, the limits of a policy, and
//! the service's own errors. And what tests a client's filters should not be the code that the client may be using.

mod cidr;
mod condition;
mod limits;
mod policy;
mod range;
mod values;
mod wildcard;

use super::message::Message;
use condition::Condition;
use values::Values;

/// What a policy looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Attributes,
    Body,
}

impl Scope {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Attributes => "MessageAttributes",
            Self::Body => "MessageBody",
        }
    }
}

/// A policy, read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Filter {
    scope: Scope,
    rule: Rule,
}

#[derive(Clone, Debug, PartialEq)]
enum Rule {
    All(Vec<Self>),
    Any(Vec<Self>),
    /// One of the conditions is met by what stands under this key; the keys of a nested one are joined with dots.
    Key(String, Vec<Condition>),
}

impl Filter {
    /// Reads a policy.
    ///
    /// # Errors
    /// What is wrong with it, in the service's words.
    pub(super) fn parse(policy: &str, scope: Scope) -> Result<Self, String> {
        Ok(Self { scope, rule: policy::parse(policy, scope)? })
    }

    pub(super) fn scope(&self) -> Scope {
        self.scope
    }

    pub(super) fn passes(&self, message: &Message) -> bool {
        let values = match self.scope {
            Scope::Attributes => Some(Values::of_attributes(&message.attributes)),
            Scope::Body => Values::of_body(&message.body),
        };
        values.is_some_and(|values| self.rule.passes(&values))
    }
}

impl Rule {
    fn passes(&self, values: &Values) -> bool {
        match self {
            Self::All(rules) => rules.iter().all(|rule| rule.passes(values)),
            Self::Any(rules) => rules.iter().any(|rule| rule.passes(values)),
            Self::Key(key, conditions) => conditions.iter().any(|condition| condition.is_met(values, key)),
        }
    }
}

#[cfg(test)]
mod tests;
