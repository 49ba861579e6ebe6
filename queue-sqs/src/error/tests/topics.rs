//! What Amazon SNS answers to a whole call ("Amazon SNS API Reference", the errors of `PublishBatch`; "AWS query
//! protocol" for the form).

use std::collections::BTreeSet;
use std::time::Duration;

use aws_credential_types::Credentials;
use aws_sdk_sns::Client;
use aws_sdk_sns::config::retry::RetryConfig;
use aws_sdk_sns::config::{BehaviorVersion, Config, Region};
use aws_sdk_sns::types::PublishBatchRequestEntry;
use queue_core::QueueError;
use queue_core::QueueErrorKind::{self, Indeterminate, Permanent, Transient};

use super::replay::{answer, replay};
use crate::error::row::bare;
use crate::error::{of_call, sns};

/// An answer: the HTTP status, `Type`, `Code`; and what it means.
type Recorded = (u16, &'static str, &'static str, QueueErrorKind, Option<u64>);

#[rustfmt::skip]
const RECORDED: &[Recorded] = &[
    (429, "Sender", "Throttled", Transient, Some(1)),
    (400, "Sender", "Throttling", Transient, Some(1)),
    (400, "Sender", "KMSThrottling", Transient, Some(1)),
    (500, "Receiver", "InternalError", Indeterminate, None),
    (500, "Receiver", "InternalFailure", Indeterminate, None),
    (503, "Receiver", "ServiceUnavailable", Transient, None),
    (404, "Sender", "NotFound", Transient, None),
    (403, "Sender", "AuthorizationError", Transient, None),
    (403, "Sender", "InvalidClientTokenId", Transient, None),
    (403, "Sender", "ExpiredToken", Transient, None),
    (403, "Sender", "SignatureDoesNotMatch", Transient, None),
    (403, "Sender", "InvalidSecurity", Transient, None),
    (400, "Sender", "KMSAccessDenied", Transient, None),
    (400, "Sender", "KMSDisabled", Transient, None),
    (400, "Sender", "KMSInvalidState", Transient, None),
    (400, "Sender", "KMSNotFound", Transient, None),
    (403, "Sender", "KMSOptInRequired", Transient, None),
    (400, "Sender", "ConcurrentAccess", Transient, None),
    (400, "Sender", "InvalidParameter", Permanent, None),
    (400, "Sender", "ParameterValueInvalid", Permanent, None),
    (400, "Sender", "ValidationException", Permanent, None),
    (400, "Sender", "BatchRequestTooLong", Permanent, None),
    (400, "Sender", "BatchEntryIdsNotDistinct", Permanent, None),
    (400, "Sender", "InvalidBatchEntryId", Permanent, None),
    (400, "Sender", "EmptyBatchRequest", Permanent, None),
    (400, "Sender", "TooManyEntriesInBatchRequest", Permanent, None),
    (400, "Sender", "EndpointDisabled", Permanent, None),
    (400, "Sender", "PlatformApplicationDisabled", Permanent, None),
    (403, "Sender", "FilterPolicyLimitExceeded", Permanent, None),
    (403, "Sender", "ReplayLimitExceeded", Permanent, None),
    (403, "Sender", "SubscriptionLimitExceeded", Permanent, None),
    (403, "Sender", "TopicLimitExceeded", Permanent, None),
    (400, "Sender", "StaleTag", Permanent, None),
    (400, "Sender", "TagLimitExceeded", Permanent, None),
    (400, "Sender", "TagPolicy", Permanent, None),
    (400, "Sender", "SomethingNew", Permanent, None),
    (500, "Receiver", "SomethingNew", Indeterminate, None),
];

async fn publish(status: u16, body: &str) -> QueueError {
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::from_keys("test", "test", None))
        .retry_config(RetryConfig::disabled())
        .http_client(replay(answer(status, &[], body)));
    let entry = PublishBatchRequestEntry::builder().id("0").message("x").build().unwrap();
    let call = Client::from_conf(config.build())
        .publish_batch()
        .topic_arn("arn:aws:sns:us-east-1:1:t")
        .publish_batch_request_entries(entry);
    of_call("publish", call.send().await.expect_err("it failed"))
}

// P25
#[tokio::test]
async fn each_documented_answer_means_what_the_table_says() {
    for recorded in RECORDED {
        let (status, fault, code, kind, pause) = *recorded;
        let body = format!(
            "<ErrorResponse xmlns=\"http://sns.amazonaws.com/doc/2010-03-31/\"><Error><Type>{fault}</Type>\
             <Code>{code}</Code><Message>No.</Message></Error><RequestId>1</RequestId></ErrorResponse>"
        );
        let error = publish(status, &body).await;
        let meaning = (error.kind(), error.retry_after());
        assert_eq!(meaning, (kind, pause.map(Duration::from_secs)), "{recorded:?}: {error}");
    }
}

// P25
#[tokio::test]
async fn what_is_no_answer_of_the_service_leaves_open_what_happened() {
    for body in ["<html><body>502</body></html>", "", "{}", "<ErrorResponse><Err", "<a/>", "\u{0}"] {
        for status in [200, 301, 400, 403, 413, 429, 500, 502, 503] {
            let error = publish(status, body).await;
            assert_eq!(error.kind(), Indeterminate, "{status} {body:?}: {error}");
        }
    }
}

// P25
#[test]
fn no_code_of_the_topics_is_untried() {
    let tried: BTreeSet<_> = RECORDED.iter().map(|recorded| bare(recorded.2).into_owned()).collect();
    let own = ["Throttled", "AuthorizationError", "KmsThrottling"];
    let codes = sns::ROWS.iter().flat_map(|row| row.codes).chain(&own);
    let untried: Vec<_> = codes.filter(|code| !tried.contains(**code)).collect();
    assert!(untried.is_empty(), "{untried:?}");
}
