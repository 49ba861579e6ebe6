//! A notification: the envelope around a message for a subscription that isn't raw.

use std::collections::BTreeMap;
use std::time::SystemTime;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use queue_core::{AttributeValue, Attributes};
use serde::Serialize;

use super::arn::REGION;
use super::message::Message;
use super::once::Receipt;
use super::subscription::Subscription;

/// In the order in which the service writes the fields (Amazon SNS Developer Guide, "Parsing message formats").
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Notification<'a> {
    r#type: &'static str,
    message_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence_number: Option<&'a str>,
    topic_arn: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'a str>,
    message: &'a str,
    timestamp: String,
    #[serde(flatten)]
    signature: Option<Signature<'a>>,
    #[serde(rename = "UnsubscribeURL")]
    unsubscribe_url: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    message_attributes: BTreeMap<&'a str, Attribute>,
}

/// There in form only: it proves nothing, and no certificate is to be had at the address.
#[derive(Debug, Serialize)]
struct Signature<'a> {
    #[serde(rename = "SignatureVersion")]
    version: &'a str,
    #[serde(rename = "Signature")]
    text: &'static str,
    #[serde(rename = "SigningCertURL")]
    certificate: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Attribute {
    r#type: String,
    value: String,
}

/// What is said of a publish in each of its notifications.
#[derive(Clone, Copy, Debug)]
pub(super) struct Published<'a> {
    pub(super) message: &'a Message,
    pub(super) receipt: &'a Receipt,
    pub(super) signature_version: &'a str,
    pub(super) at: SystemTime,
}

impl Published<'_> {
    /// Writes the envelope for a subscription.
    ///
    /// # Errors
    /// None that a notification could meet: its keys are texts.
    pub(super) fn notify(&self, subscription: &Subscription) -> serde_json::Result<String> {
        let (message, sequence) = (self.message, self.receipt.sequence.as_deref());
        let host = format!("https://sns.{REGION}.amazonaws.com/");
        let sent = (!message.is_structured).then_some(&message.attributes);
        serde_json::to_string(&Notification {
            r#type: "Notification",
            message_id: &self.receipt.message_id,
            sequence_number: sequence,
            topic_arn: &subscription.topic_arn,
            subject: message.subject.as_deref(),
            message: &message.body,
            timestamp: humantime::format_rfc3339_millis(self.at).to_string(),
            signature: sequence.is_none().then(|| self.signature(&host)), // ordered topics don't sign
            unsubscribe_url: format!("{host}?Action=Unsubscribe&SubscriptionArn={}", subscription.arn),
            message_attributes: sent.map(write).unwrap_or_default(),
        })
    }

    fn signature(&self, host: &str) -> Signature<'_> {
        let certificate = format!("{host}SimpleNotificationService-{}.pem", "0".repeat(32));
        Signature { version: self.signature_version, text: "RVhBTVBMRQ==", certificate }
    }
}

fn write(attributes: &Attributes) -> BTreeMap<&str, Attribute> {
    let attribute = |value: &AttributeValue| Attribute {
        r#type: value.data_type(),
        value: value.as_str().map_or_else(|| STANDARD.encode(value.as_bytes()), str::to_owned),
    };
    attributes.iter().map(|(name, value)| (name, attribute(value))).collect()
}
