//! A name that was refused, and why.

use std::error::Error;
use std::fmt;

/// Says which name was refused, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    what: &'static str,
    name: String,
    reason: String,
}

impl NameError {
    pub(crate) fn new(what: &'static str, name: &str, reason: impl Into<String>) -> Self {
        Self { what, name: name.to_owned(), reason: reason.into() }
    }

    /// The name as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}: {}", self.what, self.name, self.reason)
    }
}

impl Error for NameError {}

/// Refuses `part` when it is empty or has a character that `allowed` does not.
pub(crate) fn check_part(part: &str, allowed: fn(char) -> bool, rule: &str) -> Result<(), String> {
    if part.is_empty() {
        return Err(format!("it has an empty part; each part is {rule}"));
    }
    match part.chars().find(|&c| !allowed(c)) {
        Some(c) => Err(format!("it has {c:?} in {part:?}, but each part is {rule}")),
        None => Ok(()),
    }
}
