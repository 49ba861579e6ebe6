//! What a condition looks at: one text or one number of an attribute.

use serde_json::Value;

use crate::AttributeValue;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Text(String),
    Number(f64),
    /// An element of an array that is neither: it is there, and that is all.
    Other,
}

/// The scalars of a value: one of a text or a number, those of an array, none of bytes.
pub(super) fn scalars(value: &AttributeValue) -> Vec<Scalar> {
    let Some(text) = value.as_str() else { return Vec::new() };
    if value.is_number() {
        return vec![text.parse().map_or_else(|_| Scalar::Text(text.to_owned()), Scalar::Number)];
    }
    if value.data_type() == "String.Array"
        && let Ok(elements) = serde_json::from_str::<Vec<Value>>(text)
    {
        return elements.into_iter().map(Scalar::from).collect();
    }
    vec![Scalar::Text(text.to_owned())]
}

impl From<Value> for Scalar {
    fn from(value: Value) -> Self {
        match value {
            Value::String(text) => Self::Text(text),
            Value::Number(number) => number.as_f64().map_or(Self::Other, Self::Number),
            _ => Self::Other,
        }
    }
}
