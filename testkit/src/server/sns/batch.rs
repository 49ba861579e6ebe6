//! Publishing a batch.
//!
//! What the service was seen to refuse a whole batch for, it is refused for here: attributes, structures, groups and
//! deduplication ids. Of texts that can't be sent it isn't known; they fail alone.

use std::collections::HashSet;

use super::super::effects::Effects;
use super::super::error::ServiceError;
use super::Sns;
use super::form::Form;
use super::message::Message;
use super::once::Receipt;
use super::publish::target;
use super::topic::Topic;
use super::xml::Xml;

/// The most entries, and the longest of their ids (Amazon SNS API Reference, `PublishBatch`, `PublishBatchRequestEntry`).
const ENTRIES: usize = 10;
const ID: usize = 80;

/// The codes that are nobody's fault but the service's.
const RECEIVER: [&str; 8] = [
    "InternalError",
    "InternalFailure",
    "KMSThrottling",
    "RequestThrottled",
    "ServiceUnavailable",
    "Throttled",
    "Throttling",
    "ThrottlingException",
];

impl Sns {
    /// `PublishBatch`.
    pub(super) async fn publish_batch(&self, form: &Form, effects: &Effects) -> Result<Xml, ServiceError> {
        let topic = self.registry.topic("TopicArn", target(form)?)?;
        let entries = form.members("PublishBatchRequestEntries");
        let ids = ids(&entries)?;
        let messages = messages(&entries, &topic)?;
        let (mut successful, mut failed) = (Vec::new(), Vec::new());
        for (number, (id, message)) in ids.into_iter().zip(messages).enumerate() {
            let scripted = effects.partial.get(number).and_then(Option::as_deref).map(fault);
            match scripted.map_or_else(|| message.check(), Err) {
                Ok(()) => successful.push(stored(id, &self.fan_out(&topic, &message).await)),
                Err(error) => failed.push(refused(id, &error)),
            }
        }
        Ok(Xml::new().list("Failed", failed).list("Successful", successful))
    }
}

fn ids(entries: &[Form]) -> Result<Vec<&str>, ServiceError> {
    let refuse = |code: &str, message: &str| Err(ServiceError::sender(code, message));
    if entries.is_empty() {
        return refuse("EmptyBatchRequest", "The batch request doesn't contain any entries.");
    }
    if entries.len() > ENTRIES {
        return refuse(
            "TooManyEntriesInBatchRequest",
            "The batch request contains more entries than permissible.",
        );
    }
    let ids = entries.iter().map(|entry| entry.required("Id")).collect::<Result<Vec<_>, _>>()?;
    if !ids.iter().all(|id| is_id(id)) {
        return refuse(
            "InvalidBatchEntryId",
            "The Id of a batch entry in a batch request doesn't abide by the specification.",
        );
    }
    if ids.iter().collect::<HashSet<_>>().len() < ids.len() {
        return refuse(
            "BatchEntryIdsNotDistinct",
            "Two or more batch entries in the request have the same Id.",
        );
    }
    Ok(ids)
}

fn is_id(id: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=ID).contains(&id.len()) && id.bytes().all(legal)
}

fn messages(entries: &[Form], topic: &Topic) -> Result<Vec<Message>, ServiceError> {
    let settings = topic.settings();
    let read = |(number, entry): (usize, &Form)| {
        let path = format!("publishBatchRequestEntries.{}.member.", number + 1);
        Message::read(entry, &settings, topic.is_fifo(), &path)
    };
    let messages = entries.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
    if messages.iter().map(|message| message.bytes).sum::<usize>() > settings.max_bytes() {
        let text = "The length of all the batch messages put together is more than the limit.";
        return Err(ServiceError::sender("BatchRequestTooLong", text));
    }
    Ok(messages)
}

fn stored(id: &str, receipt: &Receipt) -> Xml {
    let entry = Xml::new().text("Id", id).text("MessageId", &receipt.message_id);
    entry.text_if("SequenceNumber", receipt.sequence.as_deref())
}

fn refused(id: &str, error: &ServiceError) -> Xml {
    let sender = if error.sender { "true" } else { "false" };
    let entry = Xml::new().text("Id", id).text("Code", &error.query_code);
    entry.text("Message", &error.message).text("SenderFault", sender)
}

/// A failure that the fault script asks for.
fn fault(code: &str) -> ServiceError {
    ServiceError { sender: !RECEIVER.contains(&code), ..ServiceError::sender(code, "by the fault script") }
}
