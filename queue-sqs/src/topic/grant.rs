//! The grant by which a topic may send to a queue, as it stands in the queue's policy at the service.

use aws_sdk_sqs::types::QueueAttributeName;
use aws_sdk_sqs::types::QueueAttributeName::{Policy, QueueArn};
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use queue_core::QueueError;

use super::policy;
use crate::SqsQueue;
use crate::error::of_call;

/// The queue's ARN, asked for where it isn't known yet.
pub(super) async fn arn(queue: &SqsQueue) -> Result<String, QueueError> {
    if let Some(arn) = queue.arn() {
        return Ok(arn.to_owned());
    }
    let missing = || QueueError::indeterminate("look-up of a queue: the answer has no ARN");
    look_up(queue, QueueArn).await?.ok_or_else(missing)
}

/// Lets `topic` send to the queue. Writes nothing if it may already.
pub(super) async fn allow(queue: &SqsQueue, topic: &str) -> Result<(), QueueError> {
    let present = look_up(queue, Policy).await?;
    match policy::allow(present.as_deref(), topic, &arn(queue).await?)? {
        Some(policy) => set(queue, policy).await,
        None => Ok(()),
    }
}

/// Takes back what [`allow`] gave. Writes nothing if it isn't there.
pub(super) async fn disallow(queue: &SqsQueue, topic: &str) -> Result<(), QueueError> {
    match policy::disallow(look_up(queue, Policy).await?.as_deref(), topic)? {
        Some(policy) => set(queue, policy).await,
        None => Ok(()),
    }
}

async fn look_up(queue: &SqsQueue, name: QueueAttributeName) -> Result<Option<String>, QueueError> {
    let calls = &queue.shared.calls;
    let call = calls.client.get_queue_attributes().queue_url(queue.url()).attribute_names(name.clone());
    let call = call.customize().config_override(calls.repeated());
    let answer = call.send().await.map_err(|error| of_call("look-up of a queue", error))?;
    Ok(answer.attributes.and_then(|mut attributes| attributes.remove(&name)))
}

async fn set(queue: &SqsQueue, policy: String) -> Result<(), QueueError> {
    let calls = &queue.shared.calls;
    let call = calls.client.set_queue_attributes().queue_url(queue.url()).attributes(Policy, policy);
    let call = call.customize().config_override(calls.repeated());
    match call.send().await {
        Ok(_) => Ok(()),
        // Here it is about the policy, and not about messages in flight.
        Err(error) if error.code() == Some("OverLimit") => {
            let refused = policy::full(queue.url(), error.message().unwrap_or("the service takes no more"));
            Err(refused.with_source(error.meta().clone()))
        }
        Err(error) => Err(of_call("change of a queue's policy", error)),
    }
}
