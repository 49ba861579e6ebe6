//! Finding a topic by its name, making it, and asking how it is set up.

use std::sync::Arc;

use aws_sdk_sns::Client;
use queue_core::QueueError;

use super::settings::{SnsTopicSettings, TopicAttributes};
use crate::error::of_call;

/// Makes a topic, or finds it if it is there and set up so. Answers its ARN.
pub(super) async fn make(
    client: &Client,
    name: &str,
    settings: &SnsTopicSettings,
) -> Result<Arc<str>, QueueError> {
    let attributes = Some(settings.attributes(name)?).filter(|attributes| !attributes.is_empty());
    let made = client.create_topic().name(name).set_attributes(attributes).send().await;
    let made = made.map_err(|error| of_call("creation of a topic", error))?;
    made.topic_arn.map(Into::into).ok_or_else(|| incomplete("creation of a topic"))
}

/// Looks for a topic in the list of all. Answers its ARN.
pub(super) async fn find(client: &Client, name: &str) -> Result<Arc<str>, QueueError> {
    let mut topics = client.list_topics().into_paginator().items().send();
    while let Some(topic) = topics.next().await {
        let topic = topic.map_err(|error| of_call("list of topics", error))?;
        if let Some(arn) = topic.topic_arn.filter(|arn| arn.rsplit(':').next() == Some(name)) {
            return Ok(arn.into());
        }
    }
    Err(QueueError::transient(format!(
        "there is no topic {name:?} in this account and region; make it, or build with `create`"
    )))
}

/// How a topic is set up.
pub(super) async fn attributes(client: &Client, arn: &str) -> Result<TopicAttributes, QueueError> {
    let answer = client.get_topic_attributes().topic_arn(arn).send().await;
    let answer = answer.map_err(|error| of_call("look at a topic", error))?;
    Ok(answer.attributes.unwrap_or_default())
}

/// An answer that lacks what was asked for.
pub(super) fn incomplete(what: &str) -> QueueError {
    QueueError::indeterminate(format!("{what}: the answer lacks what was asked for"))
}
