//! A queue's name by the scheme `<prefix>_<type>_<token>`.

use std::fmt;
use std::str::FromStr;

use crate::NameError;
use crate::name_error::check_part;

/// The longest queue name, `.fifo` included (Amazon SQS Developer Guide, "Amazon SQS queue quotas").
const MAX_LENGTH: usize = 80;
const FIFO: &str = ".fifo";

/// What a queue is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum QueueType {
    /// First deliveries.
    Main,
    /// What failed on the main queue.
    Retry,
    /// Tests.
    Test,
}

impl QueueType {
    /// The type as it stands in a name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Retry => "retry",
            Self::Test => "test",
        }
    }
}

impl fmt::Display for QueueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A queue's name, `<prefix>_<type>_<token>`, such as `visscore_main_c-a-cubed-uk` (Q1).
///
/// The prefix has no underscore, so that a name can be taken apart again; the token may.
///
/// # Examples
/// ```
/// use queue_core::{QueueName, QueueType};
///
/// let name = QueueName::new("visscore", QueueType::Main, "c-a-cubed-uk")?;
/// assert_eq!(name.as_str(), "visscore_main_c-a-cubed-uk");
/// assert_eq!("visscore_main_c-a-cubed-uk".parse::<QueueName>()?.token(), "c-a-cubed-uk");
/// # Ok::<(), queue_core::NameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QueueName {
    text: String,
    prefix: usize,
    queue_type: QueueType,
}

impl QueueName {
    /// Builds a name.
    ///
    /// # Errors
    /// Q1: an empty part, a character outside `A-Za-z0-9_-` (no `_` in the prefix), or more than 80 characters.
    pub fn new(prefix: &str, queue_type: QueueType, token: &str) -> Result<Self, NameError> {
        let text = format!("{prefix}_{queue_type}_{token}");
        Self::check(&text, prefix, token).map_err(|reason| NameError::new("queue name", &text, reason))?;
        Ok(Self { prefix: prefix.len(), queue_type, text })
    }

    /// Adds the suffix that makes it the name of an ordered queue.
    ///
    /// # Errors
    /// Q1: more than 80 characters with the suffix.
    pub fn into_fifo(mut self) -> Result<Self, NameError> {
        if !self.is_fifo() {
            self.text.push_str(FIFO);
        }
        check_length(&self.text).map_err(|reason| NameError::new("queue name", &self.text, reason))?;
        Ok(self)
    }

    /// The whole name.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The part before the type.
    pub fn prefix(&self) -> &str {
        &self.text[..self.prefix]
    }

    /// The type.
    pub fn queue_type(&self) -> QueueType {
        self.queue_type
    }

    /// The part behind the type, without `.fifo`.
    pub fn token(&self) -> &str {
        let token = &self.text[self.prefix + self.queue_type.as_str().len() + 2..];
        token.strip_suffix(FIFO).unwrap_or(token)
    }

    /// Whether it names an ordered queue.
    pub fn is_fifo(&self) -> bool {
        self.text.ends_with(FIFO)
    }

    fn check(text: &str, prefix: &str, token: &str) -> Result<(), String> {
        check_part(
            prefix,
            |c| c.is_ascii_alphanumeric() || c == '-',
            "of A-Z a-z 0-9 - (the prefix has no _)",
        )?;
        check_part(token, |c| c.is_ascii_alphanumeric() || "_-".contains(c), "of A-Z a-z 0-9 _ -")?;
        check_length(text)
    }
}

fn check_length(text: &str) -> Result<(), String> {
    if text.len() > MAX_LENGTH {
        return Err(format!("it has {} characters, {MAX_LENGTH} are allowed", text.len()));
    }
    Ok(())
}

impl FromStr for QueueName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let refuse = |reason: &str| NameError::new("queue name", text, reason);
        let base = text.strip_suffix(FIFO).unwrap_or(text);
        let mut parts = base.splitn(3, '_');
        let (Some(prefix), Some(kind), Some(token)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(refuse("it is not <prefix>_<type>_<token>, as in visscore_main_shop-1"));
        };
        let queue_type = [QueueType::Main, QueueType::Retry, QueueType::Test]
            .into_iter()
            .find(|known| known.as_str() == kind)
            .ok_or_else(|| refuse(&format!("its type {kind:?} is none of main, retry, test")))?;
        let name = Self::new(prefix, queue_type, token)?;
        if base.len() == text.len() { Ok(name) } else { name.into_fifo() }
    }
}

impl fmt::Display for QueueName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Q1
    #[test]
    fn a_name_follows_the_scheme_and_comes_apart_again() {
        for text in ["visscore_main_c-a-cubed-uk", "visscore_retry_a_b", "v_test_x.fifo"] {
            let name: QueueName = text.parse().unwrap();
            assert_eq!(name.to_string(), text);
            let again = QueueName::new(name.prefix(), name.queue_type(), name.token()).unwrap();
            assert_eq!(again.as_str(), text.trim_end_matches(".fifo"));
        }
    }

    // Q1
    #[test]
    fn a_name_that_the_service_would_refuse_is_refused_when_it_is_built() {
        let long = "x".repeat(68);
        assert!(QueueName::new("visscore", QueueType::Main, &long[..66]).is_ok());
        for (prefix, token) in [
            ("", "a"),
            ("v", ""),
            ("a_b", "x"),
            ("v", "a b"),
            ("v", "a.fifo"),
            ("v", "ä"),
            ("visscore", &long),
        ] {
            assert!(QueueName::new(prefix, QueueType::Main, token).is_err(), "{prefix:?} {token:?}");
        }
        let fifo = QueueName::new("visscore", QueueType::Main, &long[..66]).unwrap().into_fifo();
        assert!(fifo.unwrap_err().to_string().contains("85 characters, 80 are allowed"));
    }

    // Q1
    #[test]
    fn an_unknown_type_is_refused_by_name() {
        let error = "visscore_other_x".parse::<QueueName>().unwrap_err();
        assert_eq!(
            error.to_string(),
            r#"queue name "visscore_other_x": its type "other" is none of main, retry, test"#
        );
    }
}
