//! A message's attributes as one JSON column: `{"name":{"type":"Number.int","value":"7"}}`, bytes in Base64.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use queue_core::{AttributeValue, Attributes, QueueError};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Column {
    #[serde(rename = "type")]
    data_type: String,
    value: String,
}

/// Writes attributes; `None` if there are none.
pub(crate) fn write(attributes: &Attributes) -> Option<String> {
    if attributes.is_empty() {
        return None;
    }
    let columns: BTreeMap<_, _> = attributes.iter().map(|(name, value)| (name, column(value))).collect();
    serde_json::to_string(&columns).ok()
}

fn column(value: &AttributeValue) -> Column {
    let text = value.as_str().map_or_else(|| STANDARD.encode(value.as_bytes()), str::to_owned);
    Column { data_type: value.data_type(), value: text }
}

/// Reads what [`write`] wrote.
pub(crate) fn read(written: Option<&str>) -> Result<Attributes, QueueError> {
    let Some(written) = written else { return Ok(Attributes::new()) };
    let columns: BTreeMap<String, Column> = serde_json::from_str(written).map_err(|error| {
        QueueError::permanent("a stored message's attributes can't be read").with_source(error)
    })?;
    columns.into_iter().map(|(name, column)| Ok((name, value(column)?))).collect()
}

fn value(Column { data_type, value }: Column) -> Result<AttributeValue, QueueError> {
    let (base, label) = match data_type.split_once('.') {
        Some((base, label)) => (base, Some(label)),
        None => (data_type.as_str(), None),
    };
    let made = match base {
        "Binary" => AttributeValue::binary(STANDARD.decode(&value).map_err(|error| {
            QueueError::permanent("a stored binary attribute is not Base64").with_source(error.to_string())
        })?),
        "Number" => AttributeValue::number(value),
        _ => AttributeValue::string(value),
    };
    Ok(match label {
        Some(label) => made.with_label(label),
        None => made,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // Q7
    #[test]
    fn attributes_come_back_as_they_were_written() {
        let attributes: Attributes = [
            ("text", AttributeValue::string("a \"quoted\" ü 🦀")),
            ("number", AttributeValue::number("-007.50").with_label("int")),
            ("bytes", AttributeValue::binary(vec![0, 255, 7]).with_label("png.v1")),
        ]
        .into_iter()
        .collect();
        let written = write(&attributes);
        assert_eq!(read(written.as_deref()).unwrap(), attributes);
        assert_eq!(write(&Attributes::new()), None);
        assert!(read(Some("{")).is_err());
    }
}
