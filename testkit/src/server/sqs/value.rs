//! A message attribute's value as it goes over the wire.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use queue_core::{AttributeValue, Attributes};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{characters, refusal};
use crate::server::error::ServiceError;

/// The most attributes of a message, and the most characters of their names and types (Amazon SQS Developer Guide,
/// "Amazon SQS message metadata").
const MOST: usize = 10;
const LONGEST: usize = 256;

/// The values of a message, by their names.
pub(super) type WireValues = BTreeMap<String, WireValue>;

/// One value.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct WireValue {
    data_type: Option<String>,
    string_value: Option<String>,
    binary_value: Option<String>,
}

/// Reads the attributes of a message.
pub(super) fn read_all(values: &WireValues) -> Result<Attributes, ServiceError> {
    if values.len() > MOST {
        let sent = values.len();
        return Err(refusal::invalid(format!(
            "Number of message attributes [{sent}] exceeds the allowed maximum [{MOST}]."
        )));
    }
    values.iter().map(|(name, value)| Ok((name.clone(), read(name, value)?))).collect()
}

/// Writes a value.
pub(super) fn write(value: &AttributeValue) -> Value {
    match value.as_str() {
        Some(text) => json!({ "DataType": value.data_type(), "StringValue": text }),
        None => json!({ "DataType": value.data_type(), "BinaryValue": STANDARD.encode(value.as_bytes()) }),
    }
}

/// Reads one value and checks its name, its type and itself.
pub(super) fn read(name: &str, value: &WireValue) -> Result<AttributeValue, ServiceError> {
    check_name(name)?;
    let data_type = value.data_type.as_deref().filter(|text| !text.is_empty());
    let data_type = data_type.ok_or_else(|| {
        refusal::invalid(format!(
            "The message attribute '{name}' must contain non-empty message attribute type."
        ))
    })?;
    check_type(name, data_type)?;
    let (base, label) = match data_type.split_once('.') {
        Some((base, label)) => (base, Some(label)),
        None => (data_type, None),
    };
    let read = value.of_base(name, base)?;
    Ok(match label {
        Some(label) => read.with_label(label),
        None => read,
    })
}

/// Reads a system attribute: its name is the service's own, and it is text.
pub(super) fn read_system(name: &str, value: &WireValue) -> Result<AttributeValue, ServiceError> {
    if value.data_type.as_deref() != Some("String") {
        let message = format!("The message system attribute '{name}' must be of type String.");
        return Err(refusal::invalid(message));
    }
    value.of_base(name, "String")
}

impl WireValue {
    /// The bytes of type and value, as limits count them.
    pub(super) fn size(&self) -> usize {
        let bytes =
            self.binary_value.as_deref().map(|text| STANDARD.decode(text).map_or(0, |bytes| bytes.len()));
        let [data_type, text] =
            [&self.data_type, &self.string_value].map(|text| text.as_deref().map_or(0, str::len));
        data_type + text + bytes.unwrap_or_default()
    }

    fn of_base(&self, name: &str, base: &str) -> Result<AttributeValue, ServiceError> {
        match base {
            "String" => self.text(name, base).map(|text| AttributeValue::string(text.to_owned())),
            "Number" => self.text(name, base).and_then(|text| number(name, text)),
            "Binary" => self.bytes(name).map(AttributeValue::binary),
            _ => Err(refusal::invalid(format!(
                "The message attribute '{name}' has an invalid message attribute type, the set of supported type prefixes is Binary, Number, and String."
            ))),
        }
    }

    fn text(&self, name: &str, base: &str) -> Result<&str, ServiceError> {
        let text = self.string_value.as_deref().filter(|text| !text.is_empty());
        let text = text.ok_or_else(|| empty(name, base))?;
        characters::check(text)?;
        Ok(text)
    }

    fn bytes(&self, name: &str) -> Result<Vec<u8>, ServiceError> {
        let text = self.binary_value.as_deref().unwrap_or_default();
        let bytes = STANDARD.decode(text).map_err(|error| {
            ServiceError::sender(
                "SerializationException",
                format!("The attribute '{name}' is no base64: {error}"),
            )
        })?;
        if bytes.is_empty() { Err(empty(name, "Binary")) } else { Ok(bytes) }
    }
}

fn empty(name: &str, base: &str) -> ServiceError {
    refusal::invalid(format!(
        "Message (user) attribute '{name}' must contain a non-empty value of type '{base}'."
    ))
}

fn number(name: &str, text: &str) -> Result<AttributeValue, ServiceError> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(AttributeValue::number(text)),
        _ => Err(refusal::invalid(format!(
            "Can't cast the value of message (user) attribute '{name}' to a number."
        ))),
    }
}

/// Amazon SQS Developer Guide, "Message attribute components".
fn check_name(name: &str) -> Result<(), ServiceError> {
    let refuse = |rule: &str| Err(refusal::invalid(format!("Message (user) attribute name '{name}' {rule}")));
    if name.is_empty() || name.len() > LONGEST {
        return refuse("must have 1 to 256 characters.");
    }
    if !name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)) {
        return refuse("can only contain A-Z, a-z, 0-9, underscores, hyphens and periods.");
    }
    if name.starts_with('.') || name.ends_with('.') || name.contains("..") {
        return refuse("must not start or end with a period or have periods in succession.");
    }
    let lower = name.to_ascii_lowercase();
    if lower.starts_with("aws.") || lower.starts_with("amazon.") {
        return refuse("must not start with AWS. or Amazon., which are reserved.");
    }
    Ok(())
}

fn check_type(name: &str, data_type: &str) -> Result<(), ServiceError> {
    if data_type.len() <= LONGEST && data_type.chars().all(|c| c.is_ascii_graphic()) {
        return Ok(());
    }
    Err(refusal::invalid(format!(
        "The type of message (user) attribute '{name}' must have 1 to 256 printable ASCII characters."
    )))
}
