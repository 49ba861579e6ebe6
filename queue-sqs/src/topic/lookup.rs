//! Finding a topic by its name, making it, and asking how it is set up.

use std::sync::Arc;

use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use queue_core::QueueError;

use super::settings::{SnsTopicSettings, TopicAttributes};
use super::shared::Calls;
use crate::error::of_call;

/// What the service says of a topic or a subscription that is there, but set up otherwise. The error has no code of its
/// own.
const SET_OTHERWISE: &str = "already exists with different attributes";

/// Makes a topic, or finds it if it is there. Answers its ARN.
pub(super) async fn make(
    calls: &Calls,
    name: &str,
    settings: &SnsTopicSettings,
) -> Result<Arc<str>, QueueError> {
    let attributes = Some(settings.attributes(name)?).filter(|attributes| !attributes.is_empty());
    let made = calls.client.create_topic().name(name).set_attributes(attributes).customize();
    let made = made.config_override(calls.repeated()).send().await;
    let made = match made {
        Err(error) if is_set_otherwise(&error) => return find(calls, name).await,
        made => made.map_err(|error| of_call("creation of a topic", error))?,
    };
    made.topic_arn.map(Into::into).ok_or_else(|| incomplete("creation of a topic"))
}

/// Looks for a topic in the list of all. Answers its ARN.
pub(super) async fn find(calls: &Calls, name: &str) -> Result<Arc<str>, QueueError> {
    let mut token = None;
    loop {
        let call = calls.client.list_topics().set_next_token(token).customize();
        let page = call.config_override(calls.repeated()).send().await;
        let page = page.map_err(|error| of_call("list of topics", error))?;
        let mut arns = page.topics.unwrap_or_default().into_iter().filter_map(|topic| topic.topic_arn);
        if let Some(arn) = arns.find(|arn| arn.rsplit(':').next() == Some(name)) {
            return Ok(arn.into());
        }
        token = page.next_token;
        if token.is_none() {
            break;
        }
    }
    Err(QueueError::transient(format!(
        "there is no topic {name:?} in this account and region; make it, or build with `create`"
    )))
}

/// How a topic is set up.
pub(super) async fn attributes(calls: &Calls, arn: &str) -> Result<TopicAttributes, QueueError> {
    let call = calls.client.get_topic_attributes().topic_arn(arn).customize();
    let answer = call.config_override(calls.repeated()).send().await;
    let answer = answer.map_err(|error| of_call("look at a topic", error))?;
    Ok(answer.attributes.unwrap_or_default())
}

/// Whether it says that what is to be made is there, and set up otherwise.
pub(super) fn is_set_otherwise(error: &impl ProvideErrorMetadata) -> bool {
    error.message().is_some_and(|message| message.contains(SET_OTHERWISE))
}

/// An answer that lacks what was asked for.
pub(super) fn incomplete(what: &str) -> QueueError {
    QueueError::indeterminate(format!("{what}: the answer lacks what was asked for"))
}
