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
            let ended = self.calls.client.unsubscribe().subscription_arn(subscription);
            let ended = ended.customize().config_override(self.calls.repeated()).send().await;
            ended.map_err(|error| of_call("end of a subscription", error))?;
        }
        grant::disallow(queue, &self.arn).await?;
        Ok(found.is_some())
    }

    /// The ARN of the queue's subscription.
    async fn find(&self, queue: &str) -> Result<Option<String>, QueueError> {
        let mut token = None;
        loop {
            let call = self.calls.client.list_subscriptions_by_topic().topic_arn(&*self.arn);
            let call = call.set_next_token(token).customize().config_override(self.calls.repeated());
            let page = call.send().await.map_err(|error| of_call("list of subscriptions", error))?;
            let mut all = page.subscriptions.unwrap_or_default().into_iter();
            if let Some(found) = all.find(|found| found.endpoint.as_deref() == Some(queue)) {
                return Ok(found.subscription_arn);
            }
            token = page.next_token;
            if token.is_none() {
                return Ok(None);
            }
        }
    }
}
