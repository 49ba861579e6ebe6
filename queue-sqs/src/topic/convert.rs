//! Attributes in the form of Amazon SNS.

use std::collections::HashMap;

use aws_sdk_sns::primitives::Blob;
use aws_sdk_sns::types::{MessageAttributeValue, PublishBatchRequestEntry};
use queue_core::{AttributeValue, Attributes, Outgoing, QueueError};

/// An entry of a batch; its attributes only if there are any, as an empty map is nothing to the service.
pub(super) fn entry(id: String, message: &Outgoing) -> Result<PublishBatchRequestEntry, QueueError> {
    let attributes = attributes(message.attributes())?;
    let entry = PublishBatchRequestEntry::builder()
        .id(id)
        .message(message.body())
        .set_message_attributes((!attributes.is_empty()).then_some(attributes))
        .set_message_group_id(message.group_key().map(Into::into))
        .set_message_deduplication_id(message.deduplication_id().map(Into::into));
    entry.build().map_err(|error| QueueError::permanent("an entry can't be written").with_source(error))
}

fn attributes(attributes: &Attributes) -> Result<HashMap<String, MessageAttributeValue>, QueueError> {
    attributes.iter().map(|(name, value)| Ok((name.to_owned(), attribute(value)?))).collect()
}

fn attribute(value: &AttributeValue) -> Result<MessageAttributeValue, QueueError> {
    let wire = MessageAttributeValue::builder().data_type(value.data_type());
    let wire = match value.as_str() {
        Some(text) => wire.string_value(text),
        None => wire.binary_value(Blob::new(value.as_bytes())),
    };
    wire.build().map_err(|error| QueueError::permanent("an attribute can't be written").with_source(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_labels_keep_their_names() {
        let values = [
            (AttributeValue::string("x"), "String"),
            (AttributeValue::string("[1]").with_label("Array"), "String.Array"),
            (AttributeValue::number("1e2").with_label("int"), "Number.int"),
            (AttributeValue::binary([0, 255]), "Binary"),
        ];
        for (value, data_type) in values {
            let sent = attribute(&value).unwrap();
            assert_eq!((sent.data_type(), sent.string_value()), (data_type, value.as_str()));
            let bytes = sent.binary_value().map(AsRef::<[u8]>::as_ref);
            assert_eq!(bytes, value.as_str().is_none().then(|| value.as_bytes()));
        }
    }

    #[test]
    fn an_entry_has_what_the_message_has() {
        let bare = entry("0".to_owned(), &Outgoing::new("x")).unwrap();
        assert_eq!((bare.message(), bare.message_attributes(), bare.message_group_id()), ("x", None, None));
        let message =
            Outgoing::new("x").with_attribute("a", "b").with_group_key("g").with_deduplication_id("d");
        let full = entry("1".to_owned(), &message).unwrap();
        assert_eq!((full.message_group_id(), full.message_deduplication_id()), (Some("g"), Some("d")));
        assert_eq!(full.message_attributes().map(HashMap::len), Some(1));
    }
}
