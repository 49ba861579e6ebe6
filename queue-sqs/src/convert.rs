//! Values as they go over the wire: attributes, and durations in whole seconds.

use std::collections::HashMap;
use std::time::Duration;

use aws_sdk_sqs::primitives::Blob;
use aws_sdk_sqs::types::MessageAttributeValue;
use queue_core::{AttributeValue, Attributes, QueueError};

/// The attributes of a message on its way out; `None` if it has none.
pub(crate) fn write(
    attributes: &Attributes,
) -> Result<Option<HashMap<String, MessageAttributeValue>>, QueueError> {
    if attributes.is_empty() {
        return Ok(None);
    }
    let pairs = attributes.iter().map(|(name, value)| Ok((name.to_owned(), write_value(value)?)));
    pairs.collect::<Result<_, _>>().map(Some)
}

fn write_value(value: &AttributeValue) -> Result<MessageAttributeValue, QueueError> {
    let wire = MessageAttributeValue::builder().data_type(value.data_type());
    let wire = match value.as_str() {
        Some(text) => wire.string_value(text),
        None => wire.binary_value(Blob::new(value.as_bytes())),
    };
    wire.build().map_err(|error| QueueError::permanent("an attribute can't be written").with_source(error))
}

/// The attributes of a message that came.
pub(crate) fn read(wire: Option<HashMap<String, MessageAttributeValue>>) -> Attributes {
    wire.unwrap_or_default().into_iter().map(|(name, value)| (name, read_value(value))).collect()
}

/// What a value's type says it is, unless its value is of the other kind.
fn read_value(wire: MessageAttributeValue) -> AttributeValue {
    let (base, label) = match wire.data_type.split_once('.') {
        Some((base, label)) => (base, Some(label)),
        None => (wire.data_type.as_str(), None),
    };
    let value = match (wire.binary_value, wire.string_value) {
        (Some(bytes), _) => AttributeValue::binary(bytes.into_inner()),
        (None, Some(text)) if base == "Number" => AttributeValue::number(text),
        (None, text) => AttributeValue::string(text.unwrap_or_default()),
    };
    match label {
        Some(label) => value.with_label(label),
        None => value,
    }
}

/// Whole seconds, as the service takes no others; begun ones count, so that nothing ends before it was to. Zero stays
/// zero.
pub(crate) fn seconds(duration: Duration) -> i32 {
    let whole = duration.as_secs().saturating_add(u64::from(duration.subsec_nanos() > 0));
    i32::try_from(whole).unwrap_or(i32::MAX)
}

/// The same as a duration.
pub(crate) fn rounded(duration: Duration) -> Duration {
    Duration::from_secs(seconds(duration).unsigned_abs().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_come_back_as_they_went() {
        let sent: Attributes = [
            ("text", AttributeValue::string("a")),
            ("labelled", AttributeValue::string("a").with_label("w3c.x")),
            ("number", AttributeValue::number("-1.50")),
            ("typed", AttributeValue::number(7).with_label("int")),
            ("bytes", AttributeValue::binary([0, 255])),
            ("image", AttributeValue::binary([1]).with_label("png")),
        ]
        .into_iter()
        .collect();
        assert_eq!(read(write(&sent).unwrap()), sent);
        assert_eq!(write(&Attributes::new()).unwrap(), None);
        assert_eq!(read(None), Attributes::new());
    }

    #[test]
    fn a_begun_second_is_a_whole_one_and_zero_stays_zero() {
        let rounded = [0, 1, 250, 1_000, 1_001, 20_000].map(|ms| seconds(Duration::from_millis(ms)));
        assert_eq!(rounded, [0, 1, 1, 1, 2, 20]);
        assert_eq!(seconds(Duration::MAX), i32::MAX);
    }
}
