//! The server, and clients that speak to it.

use aws_credential_types::Credentials;
use aws_smithy_http_client::Builder as HttpBuilder;
use queue_sqs::aws_sdk_sns::config::BehaviorVersion as SnsVersion;
use queue_sqs::aws_sdk_sqs::config::{BehaviorVersion, Region};
use queue_sqs::{SnsTopic, SnsTopicSettings, SqsQueue, SqsQueueSettings, aws_sdk_sns, aws_sdk_sqs};
use testkit::server::SqsServer;
use uuid::Uuid;

/// The region, which is as good as any.
const REGION: &str = "us-east-1";

/// A server with nothing on it.
pub(crate) async fn server() -> SqsServer {
    SqsServer::start().await.expect("the server starts")
}

/// A client with the SDK's own retries on, as a user's is.
pub(crate) fn client(server: &SqsServer) -> aws_sdk_sqs::Client {
    let config = aws_sdk_sqs::Config::builder().behavior_version(BehaviorVersion::latest());
    let config = config.region(Region::new(REGION)).endpoint_url(server.endpoint_url());
    let config = config.http_client(HttpBuilder::new().build_http());
    aws_sdk_sqs::Client::from_conf(config.credentials_provider(credentials()).build())
}

/// A new queue.
pub(crate) async fn queue(server: &SqsServer, settings: SqsQueueSettings) -> SqsQueue {
    let queue = SqsQueue::builder(client(server)).name(Uuid::new_v4().to_string()).create(settings);
    queue.build().await.expect("the queue is made")
}

/// A new topic.
pub(crate) async fn topic(server: &SqsServer) -> SnsTopic {
    let config = aws_sdk_sns::Config::builder().behavior_version(SnsVersion::latest());
    let config = config.region(Region::new(REGION)).endpoint_url(server.endpoint_url());
    let config = config.http_client(HttpBuilder::new().build_http());
    let client = aws_sdk_sns::Client::from_conf(config.credentials_provider(credentials()).build());
    let topic = SnsTopic::builder(client).name(Uuid::new_v4().to_string()).create(SnsTopicSettings::new());
    topic.build().await.expect("the topic is made")
}

fn credentials() -> Credentials {
    Credentials::from_keys("test", "test", None)
}
