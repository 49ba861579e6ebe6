//! Unsubscribing: the subscription of a queue is looked for, ended, and its grant taken back.

use queue_core::QueueError;

use super::grant;
use super::shared::Shared;
use crate::SqsQueue;
use crate::error::of_call;

impl Shared {
    pub(super) async fn unsubscribe(&self, queue: &SqsQueue) -> Result<bool, QueueError> {
        let found = self.find(&grant::arn(queue).await?).await?;
        if let Some(subscription) = &found {
            let ended = self.calls.setup.unsubscribe().subscription_arn(subscription).send().await;
            ended.map_err(|error| of_call("end of a subscription", error))?;
        }
        grant::disallow(queue, &self.arn).await?;
        Ok(found.is_some())
    }

    /// The ARN of the queue's subscription.
    async fn find(&self, queue: &str) -> Result<Option<String>, QueueError> {
        let call = self.calls.setup.list_subscriptions_by_topic().topic_arn(&*self.arn);
        let mut subscriptions = call.into_paginator().items().send();
        while let Some(subscription) = subscriptions.next().await {
            let subscription = subscription.map_err(|error| of_call("list of subscriptions", error))?;
            if subscription.endpoint.as_deref() == Some(queue) {
                return Ok(subscription.subscription_arn);
            }
        }
        Ok(None)
    }
}
