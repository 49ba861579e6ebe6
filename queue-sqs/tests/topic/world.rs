//! A test server with clients, topics and queues.

use std::collections::HashMap;
use std::time::Duration;

use aws_sdk_sns::config::{BehaviorVersion, Credentials, Region};
use aws_smithy_http_client::Builder as HttpBuilder;
use queue_core::{Consumer, Message, ReceiveOptions};
use queue_sqs::{SnsTopic, SnsTopicSettings, SqsQueue, SqsQueueSettings};
use testkit::server::SqsServer;

#[derive(Debug)]
pub(crate) struct World {
    pub(crate) server: SqsServer,
    pub(crate) sns: aws_sdk_sns::Client,
    pub(crate) sqs: aws_sdk_sqs::Client,
}

impl World {
    pub(crate) async fn start() -> Self {
        let server = SqsServer::start().await.unwrap();
        let (sns, sqs) = (sns(server.endpoint_url()), sqs(server.endpoint_url()));
        Self { server, sns, sqs }
    }

    pub(crate) async fn topic(&self, name: &str) -> SnsTopic {
        self.topic_with(name, SnsTopicSettings::new()).await
    }

    pub(crate) async fn topic_with(&self, name: &str, settings: SnsTopicSettings) -> SnsTopic {
        SnsTopic::builder(self.sns.clone()).name(name).create(settings).build().await.unwrap()
    }

    pub(crate) async fn queue(&self, name: &str) -> SqsQueue {
        let settings = SqsQueueSettings::new().with_visibility(Duration::from_secs(30));
        SqsQueue::builder(self.sqs.clone()).name(name).create(settings).build().await.unwrap()
    }

    /// The queue's policy, as JSON; null if it has none.
    pub(crate) async fn policy(&self, queue: &SqsQueue) -> serde_json::Value {
        let name = aws_sdk_sqs::types::QueueAttributeName::Policy;
        let call = self.sqs.get_queue_attributes().queue_url(queue.url()).attribute_names(name.clone());
        let attributes = call.send().await.unwrap().attributes.unwrap_or_default();
        let policy = attributes.get(&name).filter(|policy| !policy.is_empty());
        policy.map_or(serde_json::Value::Null, |policy| serde_json::from_str(policy).unwrap())
    }

    /// The attributes of the only subscription of a topic.
    pub(crate) async fn subscription(&self, topic: &SnsTopic) -> HashMap<String, String> {
        let list = self.sns.list_subscriptions_by_topic().topic_arn(topic.arn()).send().await.unwrap();
        let [only] = list.subscriptions() else { panic!("{:?}", list.subscriptions()) };
        let call = self.sns.get_subscription_attributes().set_subscription_arn(only.subscription_arn.clone());
        call.send().await.unwrap().attributes.unwrap()
    }
}

/// A client for a server on this machine.
pub(crate) fn sns(endpoint: &str) -> aws_sdk_sns::Client {
    aws_sdk_sns::Client::from_conf(sns_config(endpoint).build())
}

/// The settings that such a client begins with: plain HTTP, made-up credentials.
pub(crate) fn sns_config(endpoint: &str) -> aws_sdk_sns::config::Builder {
    aws_sdk_sns::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::from_keys("test", "test", None))
        .endpoint_url(endpoint)
        .http_client(HttpBuilder::new().build_http())
}

/// The same for queues.
pub(crate) use crate::client::client as sqs;

/// All that is visible in a queue now, deleted.
pub(crate) async fn drain(queue: &impl Consumer) -> Vec<Message> {
    let mut drained = Vec::new();
    loop {
        let deliveries = queue.receive(ReceiveOptions::new(10).with_wait(Duration::ZERO)).await.unwrap();
        if deliveries.is_empty() {
            return drained;
        }
        for delivery in deliveries {
            drained.push(delivery.message().clone());
            delivery.ack().await.unwrap();
        }
    }
}

/// The bodies of messages, sorted.
pub(crate) fn bodies(messages: &[Message]) -> Vec<&str> {
    let mut bodies: Vec<_> = messages.iter().map(Message::body).collect();
    bodies.sort_unstable();
    bodies
}
