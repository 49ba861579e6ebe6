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

/// A client of a service that never answers.
fn silent(timeouts: TimeoutConfig) -> Client {
    let config = config("https://sqs.us-east-1.amazonaws.com").timeout_config(timeouts);
    Client::from_conf(config.http_client(NeverClient::new()).build())
}

fn impatient() -> TimeoutConfig {
    TimeoutConfig::builder()
        .operation_timeout(Duration::from_secs(2))
        .operation_attempt_timeout(Duration::from_secs(1))
        .read_timeout(Duration::from_secs(1))
        .build()
}

/// A queue of a client that is impatient by itself.
async fn queue() -> SqsQueue {
    let builder = SqsQueue::builder(silent(impatient())).url(URL).assume(SqsQueueSettings::new());
    builder.build().await.unwrap()
}

// W8, P24
#[tokio::test(start_paused = true)]
async fn a_receive_that_is_never_answered_ends_after_its_wait_and_a_margin() {
    let queue = queue().await;
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
    let queue = queue().await;
    let start = Instant::now();
    let rejected = queue.publish_one(Outgoing::new("x")).await.unwrap_err();
    assert_eq!((rejected.kind(), start.elapsed().as_secs()), (Indeterminate, 10), "{rejected}");
    assert_eq!(queue.depth().await.unwrap_err().kind(), Indeterminate);
    assert_eq!(start.elapsed().as_secs(), 20);
}

// W8, P24
#[tokio::test(start_paused = true)]
async fn set_up_that_is_never_answered_ends_after_three_times_ten_seconds_or_as_the_client_says() {
    let patient = TimeoutConfig::builder().build();
    for (timeouts, seconds) in [(patient, 30), (impatient(), 2)] {
        let client = silent(timeouts);
        let builders = [SqsQueue::builder(client.clone()).name("a"), SqsQueue::builder(client).url(URL)];
        for builder in builders {
            let start = Instant::now();
            let error = builder.build().await.unwrap_err();
            assert_eq!((error.kind(), start.elapsed().as_secs()), (Indeterminate, seconds), "{error}");
        }
    }
}
