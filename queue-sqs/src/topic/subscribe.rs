//! Subscribing: the queue's policy first, then the subscription, then what it was set to before.

use std::collections::HashMap;

use aws_sdk_sns::operation::subscribe::builders::SubscribeFluentBuilder;
use queue_core::QueueError;

use super::lookup::{incomplete, is_set_otherwise};
use super::shared::Shared;
use super::subscription::SnsSubscription;
use super::{changes, grant};
use crate::error::of_call;

type Attributes = HashMap<&'static str, String>;

impl Shared {
    pub(super) async fn subscribe(&self, subscription: &SnsSubscription) -> Result<(), QueueError> {
        if subscription.is_ordered() && !self.limits.ordered {
            return Err(QueueError::permanent(format!(
                "{} is a standard topic; a FIFO queue needs a FIFO topic",
                self.arn
            )));
        }
        let (queue, dead_letter) = subscription.arns().await?;
        let wanted = subscription.attributes(dead_letter.as_deref())?;
        for queue in subscription.granting() {
            grant::allow(queue, &self.arn).await?;
        }
        let arn = self.subscription(&queue, &wanted).await?;
        self.mend(&arn, &wanted).await
    }

    /// Makes the subscription, with its filter from the first message on; or finds it. Answers its ARN.
    async fn subscription(&self, queue: &str, wanted: &Attributes) -> Result<String, QueueError> {
        let answer = match self
            .call(queue)
            .set_attributes(Some(owned(wanted)))
            .customize()
            .config_override(self.calls.repeated())
            .send()
            .await
        {
            Err(error) if is_set_otherwise(&error) => {
                self.call(queue).customize().config_override(self.calls.repeated()).send().await
            }
            answer => answer,
        };
        let answer = answer.map_err(|error| of_call("subscription of a queue", error))?;
        answer.subscription_arn.ok_or_else(|| incomplete("subscription of a queue"))
    }

    fn call(&self, queue: &str) -> SubscribeFluentBuilder {
        let call = self.calls.client.subscribe().topic_arn(&*self.arn);
        call.protocol("sqs").endpoint(queue).return_subscription_arn(true)
    }

    /// Sets what is otherwise in a subscription that was there before.
    async fn mend(&self, arn: &str, wanted: &Attributes) -> Result<(), QueueError> {
        let answer = self.calls.client.get_subscription_attributes().subscription_arn(arn);
        let answer = answer.customize().config_override(self.calls.repeated()).send().await;
        let answer = answer.map_err(|error| of_call("look-up of a subscription", error))?;
        for (name, value) in changes::between(&answer.attributes.unwrap_or_default(), wanted) {
            let call =
                self.calls.client.set_subscription_attributes().subscription_arn(arn).attribute_name(name);
            let set = call
                .set_attribute_value(value)
                .customize()
                .config_override(self.calls.repeated())
                .send()
                .await;
            set.map_err(|error| of_call("change of a subscription", error))?;
        }
        Ok(())
    }
}

fn owned(attributes: &Attributes) -> HashMap<String, String> {
    attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}
