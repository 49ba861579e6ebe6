//! Message attributes, as a publisher sends them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use queue_core::{AttributeValue, Attributes};

use super::super::error::ServiceError;
use super::form::Form;
use super::refusal::{invalid_value, missing};

/// The length that a name has to be below, in bytes.
const NAME: usize = 256;

/// Reads the attributes of a message; `path` is where they stand in the call, as the service says it in its errors.
pub(super) fn read(form: &Form, path: &str) -> Result<Attributes, ServiceError> {
    let entries = form.entries("MessageAttributes");
    let mut attributes = Attributes::new();
    for entry in &entries {
        let name = entry.required("Name")?;
        check_name(name)?;
        attributes.insert(name, value(entry, name, path)?);
    }
    Ok(attributes)
}

fn check_name(name: &str) -> Result<(), ServiceError> {
    let legal = |character: char| character.is_ascii_alphanumeric() || "_-.".contains(character);
    if name.len() >= NAME {
        return Err(invalid_value("Length of message attribute name must be less than 256 bytes."));
    }
    if let Some(other) = name.chars().find(|character| !legal(*character)) {
        return Err(invalid_value(format!(
            "Invalid non-alphanumeric character '#x{:X}' was found in the message attribute name. Can only include \
             alphanumeric characters, hyphens, underscores, or dots.",
            u32::from(other)
        )));
    }
    check_dots(name)
}

fn check_dots(name: &str) -> Result<(), ServiceError> {
    let misplaced = |at: &str| format!("Invalid message attribute name {at} with character '.' was found.");
    match name {
        _ if name.starts_with('.') => Err(invalid_value(misplaced("starting"))),
        _ if name.ends_with('.') => Err(invalid_value(misplaced("ending"))),
        _ if name.contains("..") => {
            Err(invalid_value("Message attribute name can not have successive '.' character."))
        }
        _ => Ok(()),
    }
}

fn value(entry: &Form, name: &str, path: &str) -> Result<AttributeValue, ServiceError> {
    let absent = || missing(&format!("{path}messageAttributes.{name}.member.dataType"));
    let data_type = entry.value("Value.DataType").ok_or_else(absent)?;
    let (base, label) = match data_type.split_once('.') {
        Some((base, label)) => (base, Some(label)),
        None => (data_type, None),
    };
    let value = match base {
        "String" => AttributeValue::string(text(entry, name, data_type)?),
        "Number" => number(text(entry, name, data_type)?, name, label)?,
        "Binary" => AttributeValue::binary(bytes(entry, name, data_type)?),
        _ => {
            return Err(invalid_value(format!(
                "The message attribute '{name}' has an invalid message attribute type, the set of supported type \
                 prefixes is Binary, Number, and String."
            )));
        }
    };
    Ok(label.into_iter().fold(value, AttributeValue::with_label))
}

fn text<'a>(entry: &'a Form, name: &str, data_type: &str) -> Result<&'a str, ServiceError> {
    if entry.value("Value.BinaryValue").is_some_and(|value| !value.is_empty()) {
        return Err(other_field(name, data_type, "String"));
    }
    let value = entry.value("Value.StringValue").filter(|value| !value.is_empty());
    value.ok_or_else(|| empty(name, data_type))
}

fn bytes(entry: &Form, name: &str, data_type: &str) -> Result<Vec<u8>, ServiceError> {
    if entry.value("Value.StringValue").is_some_and(|value| !value.is_empty()) {
        return Err(other_field(name, data_type, "Binary"));
    }
    let value = entry.value("Value.BinaryValue").filter(|value| !value.is_empty());
    let value = value.ok_or_else(|| empty(name, data_type))?;
    STANDARD.decode(value).map_err(|error| invalid_value(format!("The message attribute '{name}': {error}")))
}

/// A list of numbers stands in a `Number.Array` (Amazon SNS Developer Guide, "Numeric value matching").
fn number(text: &str, name: &str, label: Option<&str>) -> Result<AttributeValue, ServiceError> {
    let refuse = || invalid_value(format!("Could not cast message attribute '{name}' value to number."));
    let allowed = label == Some("Array") || text.parse::<f64>().is_ok_and(f64::is_finite);
    allowed.then(|| AttributeValue::number(text)).ok_or_else(refuse)
}

fn empty(name: &str, data_type: &str) -> ServiceError {
    invalid_value(format!(
        "The message attribute '{name}' must contain non-empty message attribute value for message attribute type \
         '{data_type}'."
    ))
}

fn other_field(name: &str, data_type: &str, field: &str) -> ServiceError {
    invalid_value(format!("The message attribute '{name}' with type '{data_type}' must use field '{field}'."))
}
