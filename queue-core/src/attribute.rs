//! A message attribute: a named, typed value that travels beside the body.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::{MemoryTopic, MessageId};

/// The longest id that a publisher can name, as that of deduplication (`SendMessage` in the Amazon SQS API reference).
const LONGEST_ID: usize = 128;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Data {
    String(Arc<str>),
    Number(Arc<str>),
    Binary(Arc<[u8]>),
}

/// The value of one attribute: text, a number in decimal notation, or bytes.
///
/// The three types, and the optional label behind the type's name, are those of Amazon SQS.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct AttributeValue {
    data: Data,
    label: Option<Arc<str>>,
}

impl AttributeValue {
    /// Makes a text value.
    pub fn string(value: impl Into<Arc<str>>) -> Self {
        Self { data: Data::String(value.into()), label: None }
    }

    /// Makes a number; the digits travel as they are written.
    pub fn number(value: impl fmt::Display) -> Self {
        Self { data: Data::Number(value.to_string().into()), label: None }
    }

    /// Makes a value of bytes.
    pub fn binary(value: impl Into<Arc<[u8]>>) -> Self {
        Self { data: Data::Binary(value.into()), label: None }
    }

    /// Adds a label to the type's name: `String` becomes `String.<label>`.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<Arc<str>>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// The text of a string or a number; `None` for bytes.
    pub fn as_str(&self) -> Option<&str> {
        match &self.data {
            Data::String(text) | Data::Number(text) => Some(text),
            Data::Binary(_) => None,
        }
    }

    /// The value's bytes: UTF-8 for strings and numbers.
    pub fn as_bytes(&self) -> &[u8] {
        match &self.data {
            Data::String(text) | Data::Number(text) => text.as_bytes(),
            Data::Binary(bytes) => bytes,
        }
    }

    /// The type's name as it goes over the wire: `String`, `Number` or `Binary`, then `.<label>` if it has one.
    pub fn data_type(&self) -> String {
        let base = match self.data {
            Data::String(_) => "String",
            Data::Number(_) => "Number",
            Data::Binary(_) => "Binary",
        };
        self.label.as_ref().map_or_else(|| base.to_owned(), |label| format!("{base}.{label}"))
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        matches!(self.data, Data::Number(_))
    }
}

impl fmt::Debug for AttributeValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(text) => write!(f, "{}({text:?})", self.data_type()),
            None => write!(f, "{}({} bytes)", self.data_type(), self.as_bytes().len()),
        }
    }
}

impl From<&str> for AttributeValue {
    fn from(value: &str) -> Self {
        Self::string(value)
    }
}

impl From<String> for AttributeValue {
    fn from(value: String) -> Self {
        Self::string(value)
    }
}

/// A message's attributes by name, in the order of the names. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes(Arc<BTreeMap<String, AttributeValue>>);

impl Attributes {
    /// Makes an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value under `name`.
    pub fn get(&self, name: &str) -> Option<&AttributeValue> {
        self.0.get(name)
    }

    /// The text under `name`; `None` if it is absent or holds bytes.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    /// The id that a publisher named in the attribute [`MESSAGE_ID`](MemoryTopic::MESSAGE_ID); `None` if there is no
    /// such attribute, or what it holds can't be an id, which is 1 to 128 printable ASCII characters.
    pub fn message_id(&self) -> Option<MessageId> {
        let id = self.text(MemoryTopic::MESSAGE_ID)?;
        let valid = (1..=LONGEST_ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
        valid.then(|| MessageId::new(id))
    }

    /// Sets `name`, and answers what stood there before.
    pub fn insert(
        &mut self,
        name: impl Into<String>,
        value: impl Into<AttributeValue>,
    ) -> Option<AttributeValue> {
        Arc::make_mut(&mut self.0).insert(name.into(), value.into())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each name with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &AttributeValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// What the attributes add to a message's size, in bytes: names, types and values.
    pub fn size(&self) -> usize {
        self.iter().map(|(name, value)| name.len() + value.data_type().len() + value.as_bytes().len()).sum()
    }
}

impl<N: Into<String>, V: Into<AttributeValue>> FromIterator<(N, V)> for Attributes {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        Self(Arc::new(pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_counts_names_types_and_values() {
        let attributes: Attributes =
            [("trace", AttributeValue::string("abc").with_label("w3c"))].into_iter().collect();
        assert_eq!(attributes.size(), "trace".len() + "String.w3c".len() + "abc".len());
    }

    #[test]
    fn a_clone_does_not_see_a_later_insert() {
        let mut attributes = Attributes::new();
        let before = attributes.clone();
        attributes.insert("n", AttributeValue::number(7));
        assert_eq!((before.len(), attributes.text("n")), (0, Some("7")));
    }
}
