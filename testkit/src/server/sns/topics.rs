//! The operations that make, set and end topics.

use std::collections::BTreeMap;

use serde_json::json;

use super::super::error::ServiceError;
use super::arn::{self, ACCOUNT};
use super::form::Form;
use super::refusal::invalid;
use super::registry::Registry;
use super::settings::Settings;
use super::tags;
use super::topic::Topic;
use super::xml::Xml;

/// The longest name (Amazon SNS API Reference, `CreateTopic`).
const NAME: usize = 256;
const FIFO_RULE: &str = "Fifo Topic names must end with .fifo and must be made up of only uppercase and lowercase \
    ASCII letters, numbers, underscores, and hyphens, and must be between 1 and 256 characters long.";

type Answer = Result<Xml, ServiceError>;

/// `CreateTopic`: answers the topic that there is, if what is asked for is what it has.
pub(super) fn create(registry: &Registry, form: &Form) -> Answer {
    let name = form.required("Name")?;
    let mut attributes = form.texts_by_key("Attributes");
    let fifo = attributes.remove("FifoTopic").is_some_and(|value| value.eq_ignore_ascii_case("true"));
    check_name(name, fifo)?;
    let settings = Settings::new(attributes, fifo)?;
    let tags = tags::read(form)?;
    let topic = registry.add(Topic::new(arn::topic(name), settings.clone(), tags.clone()));
    check_same(&topic, &settings, &tags)?;
    Ok(Xml::new().text("TopicArn", topic.arn()))
}

/// `DeleteTopic`: deleting what isn't there succeeds.
pub(super) fn delete(registry: &Registry, form: &Form) -> Answer {
    registry.remove(arn::check("TopicArn", form.required("TopicArn")?)?);
    Ok(Xml::new())
}

/// `GetTopicAttributes`.
pub(super) fn attributes(registry: &Registry, form: &Form) -> Answer {
    let topic = registry.topic("TopicArn", form.required("TopicArn")?)?;
    let mut attributes = defaults(&topic);
    attributes.extend(topic.settings().iter().map(|(name, value)| (name.to_owned(), value.to_owned())));
    let entries = attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Ok(Xml::new().map("Attributes", entries))
}

/// `SetTopicAttributes`.
pub(super) fn set_attribute(registry: &Registry, form: &Form) -> Answer {
    let topic = registry.topic("TopicArn", form.required("TopicArn")?)?;
    topic.set(form.required("AttributeName")?, form.value("AttributeValue").unwrap_or_default())?;
    Ok(Xml::new())
}

fn check_name(name: &str, fifo: bool) -> Result<(), ServiceError> {
    let stem = if fifo { name.strip_suffix(".fifo") } else { Some(name) };
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let allowed = stem.is_some_and(|stem| !stem.is_empty() && stem.bytes().all(legal)) && name.len() <= NAME;
    allowed.then_some(()).ok_or_else(|| invalid(if fifo { FIFO_RULE } else { "Topic Name" }))
}

fn check_same(
    topic: &Topic,
    settings: &Settings,
    tags: &BTreeMap<String, String>,
) -> Result<(), ServiceError> {
    let known = topic.tags();
    if !tags.iter().all(|(key, value)| known.get(key) == Some(value)) {
        return Err(invalid("Tags Reason: Topic already exists with different tags"));
    }
    if !settings.is_within(&topic.settings()) {
        return Err(invalid("Attributes Reason: Topic already exists with different attributes"));
    }
    Ok(())
}

/// The attributes that every topic shows.
fn defaults(topic: &Topic) -> BTreeMap<String, String> {
    let confirmed = topic.subscriptions().len().to_string();
    let mut attributes = vec![
        ("DisplayName", String::new()),
        ("EffectiveDeliveryPolicy", delivery_policy()),
        ("Owner", ACCOUNT.to_owned()),
        ("Policy", policy(topic)),
        ("SubscriptionsConfirmed", confirmed),
        ("SubscriptionsDeleted", topic.unsubscribed().to_string()),
        ("SubscriptionsPending", "0".to_owned()),
        ("TopicArn", topic.arn().to_owned()),
    ];
    if topic.is_fifo() {
        attributes.push(("FifoTopic", "true".to_owned()));
        attributes.push(("ContentBasedDeduplication", "false".to_owned()));
    }
    attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn delivery_policy() -> String {
    let retries =
        json!({ "minDelayTarget": 20, "maxDelayTarget": 20, "numRetries": 3, "backoffFunction": "linear" });
    let content = json!({ "headerContentType": "text/plain; charset=UTF-8" });
    json!({ "http": {
        "defaultHealthyRetryPolicy": retries, "disableSubscriptionOverrides": false, "defaultRequestPolicy": content,
    } })
    .to_string()
}

/// The policy of a topic that got none: everything to its owner.
fn policy(topic: &Topic) -> String {
    let actions = ["Publish", "Subscribe", "GetTopicAttributes", "SetTopicAttributes", "DeleteTopic"];
    let statement = json!({
        "Sid": "__default_statement_ID",
        "Effect": "Allow",
        "Principal": { "AWS": "*" },
        "Action": actions.map(|action| format!("SNS:{action}")),
        "Resource": topic.arn(),
        "Condition": { "StringEquals": { "AWS:SourceOwner": ACCOUNT } },
    });
    json!({ "Version": "2008-10-17", "Id": "__default_policy_ID", "Statement": [statement] }).to_string()
}
