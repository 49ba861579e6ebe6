//! Publishing: a message gets its number, and each subscription its copy.

use queue_core::Attributes;
use uuid::Uuid;

use super::super::error::ServiceError;
use super::super::sqs::Copy;
use super::Sns;
use super::deliveries::Fate;
use super::form::Form;
use super::message::Message;
use super::notification::Published;
use super::once::Receipt;
use super::refusal::invalid;
use super::subscription::Subscription;
use super::topic::Topic;
use super::xml::Xml;

/// The most attributes of a raw copy (Amazon SNS Developer Guide, "Amazon SNS message attributes").
const RAW_ATTRIBUTES: usize = 10;

impl Sns {
    /// `Publish`.
    pub(super) async fn publish(&self, form: &Form) -> Result<Xml, ServiceError> {
        let topic = self.registry.topic("TopicArn", target(form)?)?;
        let settings = topic.settings();
        let message = Message::read(form, &settings, topic.is_fifo(), "")?;
        message.check()?;
        if message.bytes > settings.max_bytes() {
            return Err(invalid("Message too long"));
        }
        let receipt = self.fan_out(&topic, &message).await;
        let answer = Xml::new().text("MessageId", &receipt.message_id);
        Ok(answer.text_if("SequenceNumber", receipt.sequence.as_deref()))
    }

    /// Gives each subscription its copy. What an ordered topic got before is delivered to nobody, and answered as then.
    pub(super) async fn fan_out(&self, topic: &Topic, message: &Message) -> Receipt {
        let message_id = Uuid::new_v4().to_string();
        let Some(id) = message.deduplication_id.clone() else {
            let receipt = Receipt { message_id, sequence: None };
            self.deliver(topic, message, &receipt).await;
            return receipt;
        };
        let group = message.group.clone().filter(|_| topic.settings().is_by_group());
        let mut once = topic.once.lock().await;
        let (key, now) = ((group, id), self.clock.now());
        if let Some(known) = once.known(&key, now) {
            return known;
        }
        let receipt = once.publish(key, message_id, now);
        self.deliver(topic, message, &receipt).await;
        receipt
    }

    async fn deliver(&self, topic: &Topic, message: &Message, receipt: &Receipt) {
        let (settings, subscriptions) = (topic.settings(), topic.subscriptions());
        let (signature_version, at) = (settings.signature_version(), self.clock.at(self.clock.now()));
        let published = Published { message, receipt, signature_version, at };
        for subscription in subscriptions.iter() {
            let fate = self.give(published, subscription).await;
            self.counts.note(fate);
        }
    }

    /// Gives one subscription its copy, or else its dead-letter queue.
    async fn give(&self, published: Published<'_>, subscription: &Subscription) -> Fate {
        let (message, terms) = (published.message, &subscription.terms);
        if !terms.filter().is_none_or(|filter| filter.passes(message)) {
            return Fate::FilteredOut;
        }
        let Some(copy) = copy(published, subscription) else { return Fate::Discarded };
        if self.sqs.deliver(&subscription.endpoint, copy.clone()).await.is_ok() {
            return Fate::Delivered;
        }
        let Some(dead_letter) = terms.dead_letter() else { return Fate::Discarded };
        match self.sqs.deliver(dead_letter, copy).await {
            Ok(()) => Fate::Redriven,
            Err(_) => Fate::FailedToRedrive,
        }
    }
}

/// The topic that is named one way or the other.
pub(super) fn target(form: &Form) -> Result<&str, ServiceError> {
    let named = form.value("TopicArn").or_else(|| form.value("TargetArn"));
    named.ok_or_else(|| invalid("TopicArn or TargetArn Reason: no value for required parameter"))
}

/// The copy for a subscription; `None` if a raw one would have too many attributes: the service discards it, even where
/// there is a dead-letter queue, as that couldn't store it either.
fn copy(published: Published<'_>, subscription: &Subscription) -> Option<Copy> {
    let message = published.message;
    let (body, attributes) = if subscription.terms.is_raw() {
        let sent = (!message.is_structured).then(|| message.attributes.clone());
        (message.body.clone(), sent.unwrap_or_default())
    } else {
        (published.notify(subscription).ok()?, Attributes::new())
    };
    (attributes.len() <= RAW_ATTRIBUTES).then(|| Copy {
        body,
        attributes,
        group: message.group.clone(),
        deduplication_id: message.deduplication_id.clone(),
        topic_arn: subscription.topic_arn.clone(),
        trace_header: message.trace_header.clone(),
    })
}
