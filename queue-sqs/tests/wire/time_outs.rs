//! Calls that are never answered end, and none before its time.

use std::time::Duration;

use aws_sdk_sqs::Client;
use aws_sdk_sqs::config::timeout::TimeoutConfig;
use aws_smithy_http_client::test_util::NeverClient;
use queue_core::QueueErrorKind::Indeterminate;
use queue_core::{Consumer, Inspect, Outgoing, PublisherExt, ReceiveOptions};
use queue_sqs::{SqsQueue, SqsQueueSettings};
use tokio::time::Instant;

use crate::client::config;
use crate::recorded::URL;

/// A queue at a service that never answers, through a client that is impatient by itself.
async fn silent() -> SqsQueue {
    let impatient = TimeoutConfig::builder()
        .operation_timeout(Duration::from_secs(2))
        .operation_attempt_timeout(Duration::from_secs(1))
        .read_timeout(Duration::from_secs(1));
    let config = config("https://sqs.us-east-1.amazonaws.com").timeout_config(impatient.build());
    let client = Client::from_conf(config.http_client(NeverClient::new()).build());
    let builder = SqsQueue::builder(client).url(URL).assume(SqsQueueSettings::new());
    builder.build().await.unwrap()
}

// W8, P24
#[tokio::test(start_paused = true)]
async fn a_receive_that_is_never_answered_ends_after_its_wait_and_a_margin() {
    let queue = silent().await;
    for (wait, seconds) in [(20_000, 25), (0, 5), (250, 6)] {
        let start = Instant::now();
        let options = ReceiveOptions::new(1).with_wait(Duration::from_millis(wait));
        let error = queue.receive(options).await.unwrap_err();
        assert_eq!(error.kind(), Indeterminate, "its answer may bring messages: {error}");
        assert_eq!(start.elapsed().as_secs(), seconds, "a wait of {wait} ms");
    }
}

// W8, P24
#[tokio::test(start_paused = true)]
async fn any_other_call_that_is_never_answered_ends_after_ten_seconds() {
    let queue = silent().await;
    let start = Instant::now();
    let rejected = queue.publish_one(Outgoing::new("x")).await.unwrap_err();
    assert_eq!((rejected.kind(), start.elapsed().as_secs()), (Indeterminate, 10), "{rejected}");
    assert_eq!(queue.depth().await.unwrap_err().kind(), Indeterminate);
    assert_eq!(start.elapsed().as_secs(), 20);
}
