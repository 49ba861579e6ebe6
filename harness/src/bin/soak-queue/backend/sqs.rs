//! The queues at a server that speaks as Amazon SQS does: a standard one and a FIFO one.

use std::sync::Arc;
use std::time::Duration;

use aws_credential_types::Credentials;
use aws_sdk_sqs::config::{BehaviorVersion, Region};
use aws_sdk_sqs::{Client, Config};
use aws_smithy_http_client::Builder;
use queue_sqs::{SqsQueue, SqsQueueSettings};

use super::Queues;
use crate::Failure;

impl Queues {
    /// Makes or finds the queues; any number of processes may do it at once.
    pub(super) async fn at_sqs(endpoint: &str, prefix: &str, visibility: Duration) -> Result<Self, Failure> {
        let (client, settings) = (client(endpoint), SqsQueueSettings::new().with_visibility(visibility));
        let queue = async |name: &str| {
            let queue = SqsQueue::builder(client.clone()).name(format!("{prefix}{name}"));
            queue.create(settings.clone()).build().await
        };
        let (standard, ordered) = (queue("standard").await?, queue("ordered.fifo").await?);
        Ok(Self { standard: Arc::new(standard), ordered: Arc::new(ordered) })
    }
}

/// A client by plain HTTP, with made-up credentials: a test server asks for some and takes any.
fn client(endpoint: &str) -> Client {
    let config = Config::builder().behavior_version(BehaviorVersion::latest()).endpoint_url(endpoint);
    let config = config.region(Region::new("us-east-1")).http_client(Builder::new().build_http());
    Client::from_conf(config.credentials_provider(Credentials::from_keys("test", "test", None)).build())
}
