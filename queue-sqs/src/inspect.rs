//! Looking into a queue, and emptying it.

use async_trait::async_trait;
use aws_sdk_sqs::types::QueueAttributeName as Name;
use queue_core::{Depth, Inspect, QueueError};

use crate::SqsQueue;
use crate::error::of_call;
use crate::record::number;

/// What a depth is made of (`GetQueueAttributes` in the Amazon SQS API reference).
const DEPTH: [Name; 3] = [
    Name::ApproximateNumberOfMessages,
    Name::ApproximateNumberOfMessagesNotVisible,
    Name::ApproximateNumberOfMessagesDelayed,
];

#[async_trait]
impl Inspect for SqsQueue {
    /// Counts the messages by state. Approximate: the counts settle about a minute after the last publish
    /// (`GetQueueAttributes`), and a queue that says 0 may hold messages. The oldest age is not told: it is the metric
    /// `ApproximateAgeOfOldestMessage`. See [`Inspect::depth`].
    async fn depth(&self) -> Result<Depth, QueueError> {
        let call = self.shared.calls.client.get_queue_attributes().queue_url(self.url());
        let answer = call
            .set_attribute_names(Some(DEPTH.to_vec()))
            .customize()
            .config_override(self.shared.calls.once())
            .send()
            .await;
        let answer = answer.map_err(|error| of_call("look at a queue", error))?;
        let attributes = answer.attributes.unwrap_or_default();
        let [visible, in_flight, delayed] =
            DEPTH.map(|name| number(&attributes, &name).map(Option::unwrap_or_default));
        Ok(Depth::new(visible?, in_flight?, delayed?))
    }

    /// Removes every message. It takes up to a minute, in which messages may still be received, and can be asked for
    /// once a minute (`PurgeQueue` in the Amazon SQS API reference): *transient*, with the time to wait, otherwise. See
    /// [`Inspect::purge`].
    async fn purge(&self) -> Result<(), QueueError> {
        let call = self.shared.calls.client.purge_queue().queue_url(self.url());
        call.customize()
            .config_override(self.shared.calls.once())
            .send()
            .await
            .map_err(|error| of_call("purge", error))?;
        Ok(())
    }
}
