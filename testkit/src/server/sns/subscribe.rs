//! The operations that make, set and end subscriptions.

use std::sync::Arc;

use super::super::error::ServiceError;
use super::arn;
use super::form::Form;
use super::listing;
use super::refusal::{invalid, no_subscription};
use super::registry::Registry;
use super::subscription::Subscription;
use super::terms::Terms;
use super::topic::Topic;
use super::xml::Xml;

/// The protocols that the service knows and this server does not (Amazon SNS API Reference, `Subscribe`).
const ELSEWHERE: [&str; 8] =
    ["application", "email", "email-json", "firehose", "http", "https", "lambda", "sms"];

type Answer = Result<Xml, ServiceError>;

/// `Subscribe` and its kin; what isn't known is refused here, too.
pub(super) fn call(registry: &Registry, operation: &str, form: &Form) -> Answer {
    match operation {
        "Subscribe" => subscribe(registry, form),
        "Unsubscribe" => unsubscribe(registry, form),
        "ListSubscriptions" => listing::subscriptions(registry, form),
        "ListSubscriptionsByTopic" => listing::subscriptions_by_topic(registry, form),
        "GetSubscriptionAttributes" => attributes(registry, form),
        "SetSubscriptionAttributes" => set_attribute(registry, form),
        _ => Err(ServiceError::sender(
            "InvalidAction",
            format!("Could not find operation {operation} for version 2010-03-31"),
        )),
    }
}

/// Subscribes a queue of this server; whether there is one shows when something is delivered. It is confirmed at once,
/// as the service does it within an account.
fn subscribe(registry: &Registry, form: &Form) -> Answer {
    check_protocol(form.required("Protocol")?)?;
    let topic = registry.topic("TopicArn", form.required("TopicArn")?)?;
    let endpoint = form.value("Endpoint").filter(|endpoint| arn::is_queue(endpoint));
    let endpoint = endpoint.ok_or_else(|| invalid("SQS endpoint ARN"))?;
    if arn::is_fifo(endpoint) && !topic.is_fifo() {
        let reason = "FIFO SQS Queues can not be subscribed to standard SNS topics";
        return Err(invalid(format!("Invalid parameter: Endpoint Reason: {reason}")));
    }
    let terms = Terms::new(form.texts_by_key("Attributes"), arn::is_fifo(endpoint))?;
    let subscription = topic.subscribe(endpoint, terms)?;
    Ok(Xml::new().text("SubscriptionArn", &subscription.arn))
}

fn check_protocol(protocol: &str) -> Result<(), ServiceError> {
    match protocol {
        "sqs" => Ok(()),
        _ if ELSEWHERE.contains(&protocol) => {
            Err(invalid(format!("Protocol Reason: this test server delivers to sqs only, not to {protocol}")))
        }
        _ => Err(invalid(format!("Amazon SNS does not support this protocol string: {protocol}"))),
    }
}

/// Ending what isn't there succeeds.
fn unsubscribe(registry: &Registry, form: &Form) -> Answer {
    let arn = subscription_arn(form)?;
    if let Some(topic) = registry.topic_of(arn) {
        topic.unsubscribe(arn);
    }
    Ok(Xml::new())
}

fn attributes(registry: &Registry, form: &Form) -> Answer {
    let (_, subscription) = find(registry, subscription_arn(form)?)?;
    Ok(subscription.attributes())
}

fn set_attribute(registry: &Registry, form: &Form) -> Answer {
    let (topic, subscription) = find(registry, subscription_arn(form)?)?;
    let value = form.value("AttributeValue").unwrap_or_default();
    topic.agree(&subscription.arn, form.required("AttributeName")?, value)?;
    Ok(Xml::new())
}

fn subscription_arn(form: &Form) -> Result<&str, ServiceError> {
    arn::check("SubscriptionArn", form.required("SubscriptionArn")?)
}

fn find(registry: &Registry, arn: &str) -> Result<(Arc<Topic>, Arc<Subscription>), ServiceError> {
    let topic = registry.topic_of(arn).ok_or_else(no_subscription)?;
    let subscription = topic.subscriptions().iter().find(|known| known.arn == arn).cloned();
    subscription.map(|subscription| (topic, subscription)).ok_or_else(no_subscription)
}
