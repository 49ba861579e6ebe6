//! The pointer: what a message carries in place of a body that lies in a store.

use std::borrow::Cow;

use queue_core::{AttributeValue, Attributes};
use serde::{Deserialize, Serialize};

/// The attribute that marks a pointer and holds the size of the body that it points to, in bytes
/// (`SQSExtendedClientConstants` of the Amazon SQS Extended Client Library for Java).
const MARK: &str = "ExtendedPayloadSize";
/// What the mark is called in older versions of that library, and in newer ones that are set to it; they read both.
const OLD_MARK: &str = "SQSLargePayloadSize";
/// The name of the Java class that a pointer is written as (`PayloadS3Pointer` of the Payload Offloading Java Common
/// Library for AWS).
const CLASS: &str = "software.amazon.payloadoffloading.PayloadS3Pointer";
/// The class under the old mark.
const OLD_CLASS: &str = "com.amazon.sqs.javamessaging.MessageS3Pointer";

/// Where a body lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pointer {
    pub(super) bucket: String,
    pub(super) key: String,
}

/// A pointer's fields, as they go over the wire.
#[derive(Deserialize, Serialize)]
struct Fields<'a> {
    #[serde(borrow, rename = "s3BucketName")]
    bucket: Cow<'a, str>,
    #[serde(borrow, rename = "s3Key")]
    key: Cow<'a, str>,
}

impl Pointer {
    /// Reads the pointer out of a message; `None` if the message has a body of its own.
    pub(super) fn read(body: &str, attributes: &Attributes) -> Option<Self> {
        is_marked(attributes).then(|| Self::parse(body)).flatten()
    }

    fn parse(body: &str) -> Option<Self> {
        let (class, fields): (Cow<'_, str>, Fields<'_>) = serde_json::from_str(body).ok()?;
        let known = [CLASS, OLD_CLASS].contains(&&*class);
        known.then(|| Self { bucket: fields.bucket.into_owned(), key: fields.key.into_owned() })
    }

    /// The body of the message that carries it.
    pub(super) fn body(&self) -> String {
        let fields = Fields { bucket: Cow::Borrowed(&self.bucket), key: Cow::Borrowed(&self.key) };
        serde_json::json!([CLASS, fields]).to_string()
    }
}

/// Whether `name` is one of the two marks.
pub(super) fn is_reserved(name: &str) -> bool {
    name == MARK || name == OLD_MARK
}

/// The mark among `attributes`, if there is one.
pub(super) fn mark_of(attributes: &Attributes) -> Option<&'static str> {
    [MARK, OLD_MARK].into_iter().find(|mark| attributes.get(mark).is_some())
}

fn is_marked(attributes: &Attributes) -> bool {
    mark_of(attributes).is_some()
}

/// The attributes of a message that carries a pointer to a body of `bytes`.
pub(super) fn marked(attributes: &Attributes, bytes: usize) -> Attributes {
    let mut attributes = attributes.clone();
    attributes.insert(MARK, AttributeValue::number(bytes));
    attributes
}

/// The attributes without the marks.
pub(super) fn unmarked(attributes: &Attributes) -> Attributes {
    let rest = attributes.iter().filter(|(name, _)| !is_reserved(name));
    rest.map(|(name, value)| (name, value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "[\"software.amazon.payloadoffloading.PayloadS3Pointer\",\
        {\"s3BucketName\":\"bodies\",\"s3Key\":\"4e2b1f66-5f3e-4d0c-8a6c-2f1f0d1b7a55\"}]";

    fn with(mark: &str) -> Attributes {
        [(mark, AttributeValue::number(300_000))].into_iter().collect()
    }

    fn pointer() -> Pointer {
        Pointer { bucket: "bodies".to_owned(), key: "4e2b1f66-5f3e-4d0c-8a6c-2f1f0d1b7a55".to_owned() }
    }

    #[test]
    fn a_pointer_is_written_as_the_extended_client_writes_it() {
        assert_eq!(pointer().body(), BODY);
        let sized = marked(&[("type", "book")].into_iter().collect(), 300_000);
        let mark = sized.get("ExtendedPayloadSize").unwrap();
        assert_eq!((mark.data_type().as_str(), mark.as_str()), ("Number", Some("300000")));
        assert_eq!(unmarked(&sized), [("type", "book")].into_iter().collect());
    }

    #[test]
    fn what_extended_clients_wrote_is_read() {
        let python = BODY.replace("\",", "\", ").replace("\":", "\": ");
        let old = BODY.replace(CLASS, OLD_CLASS);
        let escaped = BODY.replace("bodies", "\\u0062odies").replace("\"s3Key\"", "\"more\":[1],\"s3Key\"");
        for body in [BODY, &python, &old, &escaped] {
            for mark in [MARK, OLD_MARK] {
                assert_eq!(Pointer::read(body, &with(mark)), Some(pointer()), "{body}");
            }
        }
    }

    #[test]
    fn a_body_without_the_mark_or_of_another_form_is_no_pointer() {
        assert_eq!(Pointer::read(BODY, &Attributes::new()), None);
        let other = BODY.replace("PayloadS3Pointer", "Runtime");
        let lacking = BODY.replace("s3Key", "key");
        let longer = BODY.replace("}]", "},1]");
        for body in ["", "a visit", "[]", "{}", &other, &lacking, &longer, &"[".repeat(100_000)] {
            assert_eq!(Pointer::read(body, &with(MARK)), None, "{body:.80}");
        }
    }
}
