//! A client of the SDK for a server on this machine: plain HTTP, made-up credentials.

use std::time::Duration;

use aws_credential_types::Credentials;
use aws_sdk_sqs::Client;
use aws_sdk_sqs::config::retry::RetryConfig;
use aws_sdk_sqs::config::{BehaviorVersion, Builder, Config, Region};
use aws_smithy_http_client::Builder as HttpBuilder;

/// The settings that such a client begins with; the SDK's own retries are on, as in a user's client.
pub(crate) fn config(endpoint: &str) -> Builder {
    Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::from_keys("test", "test", None))
        .endpoint_url(endpoint)
        .retry_config(RetryConfig::standard().with_initial_backoff(Duration::from_millis(10)))
        .http_client(HttpBuilder::new().build_http())
}

/// A client of the server at `endpoint`.
pub(crate) fn client(endpoint: &str) -> Client {
    Client::from_conf(config(endpoint).build())
}
