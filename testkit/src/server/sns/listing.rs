//! Listings: topics and subscriptions, page by page.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::error::ServiceError;
use super::form::Form;
use super::refusal::invalid;
use super::registry::Registry;
use super::subscription::Subscription;
use super::xml::Xml;

/// The length of a page (Amazon SNS API Reference, `ListTopics`, `ListSubscriptions`).
const PAGE: usize = 100;

type Answer = Result<Xml, ServiceError>;

/// `ListTopics`.
pub(super) fn topics(registry: &Registry, form: &Form) -> Answer {
    let arns: Vec<_> = registry.topics().iter().map(|topic| topic.arn().to_owned()).collect();
    page(form, "Topics", &arns, |arn| (arn.clone(), Xml::new().text("TopicArn", arn)))
}

/// `ListSubscriptions`.
pub(super) fn subscriptions(registry: &Registry, form: &Form) -> Answer {
    let topics = registry.topics();
    of(form, topics.iter().flat_map(|topic| topic.subscriptions().to_vec()).collect())
}

/// `ListSubscriptionsByTopic`.
pub(super) fn subscriptions_by_topic(registry: &Registry, form: &Form) -> Answer {
    let topic = registry.topic("TopicArn", form.required("TopicArn")?)?;
    of(form, topic.subscriptions().to_vec())
}

fn of(form: &Form, mut subscriptions: Vec<Arc<Subscription>>) -> Answer {
    subscriptions.sort_by(|one, other| one.arn.cmp(&other.arn));
    page(form, "Subscriptions", &subscriptions, |one| (one.arn.clone(), one.summary()))
}

/// Writes a page of what is in the order of its ARNs. The token of the next is where this one ended, so that what is
/// made or ended meanwhile doesn't shift it.
fn page<T>(form: &Form, name: &str, all: &[T], write: impl Fn(&T) -> (String, Xml)) -> Answer {
    let after = form.value("NextToken").map(read_token).transpose()?;
    let lines = all.iter().map(write);
    let mut rest = lines.filter(|(arn, _)| after.as_ref().is_none_or(|after| arn > after)).peekable();
    let lines: Vec<_> = rest.by_ref().take(PAGE).collect();
    let last = lines.last().filter(|_| rest.peek().is_some()).map(|(arn, _)| STANDARD.encode(arn));
    let page = Xml::new().list(name, lines.into_iter().map(|(_, xml)| xml));
    Ok(page.text_if("NextToken", last.as_deref()))
}

fn read_token(token: &str) -> Result<String, ServiceError> {
    let bytes = STANDARD.decode(token).ok();
    bytes
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .ok_or_else(|| invalid("NextToken Reason: Invalid token"))
}
