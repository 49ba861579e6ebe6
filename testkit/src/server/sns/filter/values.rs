//! The values of a message that a filter looks at, by their keys.

use std::collections::HashMap;

use queue_core::{AttributeValue, Attributes};
use serde_json::{Map, Value};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Text(String),
    Number(f64),
    Bool(bool),
    Null,
}

/// Several under one key stand in an array, or under the same key of objects in an array.
#[derive(Debug, Default)]
pub(super) struct Values(HashMap<String, Vec<Scalar>>);

impl Values {
    /// Those of message attributes. Bytes count as absent.
    pub(super) fn of_attributes(attributes: &Attributes) -> Self {
        let scalars = |(name, value): (&str, &AttributeValue)| (name.to_owned(), of_attribute(value));
        Self(attributes.iter().map(scalars).filter(|(_, values)| !values.is_empty()).collect())
    }

    /// Those of a body, nested keys joined with dots; `None` if it isn't a JSON object.
    pub(super) fn of_body(body: &str) -> Option<Self> {
        let mut values = Self::default();
        let body: Map<String, Value> = serde_json::from_str(body).ok()?;
        values.add_all("", body);
        Some(values)
    }

    pub(super) fn get(&self, key: &str) -> &[Scalar] {
        self.0.get(key).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add_all(&mut self, prefix: &str, object: Map<String, Value>) {
        for (key, value) in object {
            self.add(&join(prefix, &key), value);
        }
    }

    fn add(&mut self, key: &str, value: Value) {
        match value {
            Value::Object(object) => self.add_all(key, object),
            Value::Array(elements) => elements.into_iter().for_each(|element| self.add(key, element)),
            value => self.0.entry(key.to_owned()).or_default().extend(Scalar::of(&value)),
        }
    }
}

/// The key of a key within another.
pub(super) fn join(prefix: &str, key: &str) -> String {
    if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") }
}

fn of_attribute(value: &AttributeValue) -> Vec<Scalar> {
    let Some(text) = value.as_str() else { return Vec::new() };
    if value.data_type().ends_with(".Array") {
        let elements: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
        return elements.iter().filter_map(Scalar::of).collect();
    }
    match text.parse() {
        Ok(number) if value.is_number() => vec![Scalar::Number(number)],
        _ => vec![Scalar::Text(text.to_owned())],
    }
}

impl Scalar {
    /// `None` if it is an array or an object.
    pub(super) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Number(number) => number.as_f64().map(Self::Number),
            Value::Bool(value) => Some(Self::Bool(*value)),
            Value::Null => Some(Self::Null),
            Value::Array(_) | Value::Object(_) => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it counts as being there: neither null nor empty (Amazon SNS Developer Guide, "Key matching").
    pub(super) fn exists(&self) -> bool {
        *self != Self::Null && self.text() != Some("")
    }
}
