//! A subscription: a queue that gets copies of what is published to a topic.

use super::arn::{self, ACCOUNT};
use super::terms::Terms;
use super::xml::Xml;

#[derive(Clone, Debug)]
pub(super) struct Subscription {
    pub(super) arn: String,
    pub(super) topic_arn: String,
    /// The queue's ARN.
    pub(super) endpoint: String,
    pub(super) terms: Terms,
}

impl Subscription {
    /// Whether both topic and queue are ordered.
    pub(super) fn is_fifo(&self) -> bool {
        arn::is_fifo(&self.topic_arn) && arn::is_fifo(&self.endpoint)
    }

    /// Its line in a list.
    pub(super) fn summary(&self) -> Xml {
        Xml::new()
            .text("SubscriptionArn", &self.arn)
            .text("Owner", ACCOUNT)
            .text("Protocol", "sqs")
            .text("Endpoint", &self.endpoint)
            .text("TopicArn", &self.topic_arn)
    }

    /// All of its attributes.
    pub(super) fn attributes(&self) -> Xml {
        let principal = format!("arn:aws:iam::{ACCOUNT}:root");
        let fixed = [
            ("ConfirmationWasAuthenticated", "true"),
            ("Endpoint", &self.endpoint),
            ("Owner", ACCOUNT),
            ("PendingConfirmation", "false"),
            ("Protocol", "sqs"),
            ("RawMessageDelivery", if self.terms.is_raw() { "true" } else { "false" }),
            ("SubscriptionArn", &self.arn),
            ("SubscriptionPrincipal", &principal),
            ("TopicArn", &self.topic_arn),
        ];
        Xml::new().map("Attributes", fixed.into_iter().chain(self.terms.iter()))
    }
}
