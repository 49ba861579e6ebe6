//! Setting up: which calls, with what, and what is made of the answers.

use std::time::Duration;

use queue_core::QueueErrorKind::{Permanent, Transient};
use queue_core::{Consumer, Outgoing, Publisher, PublisherExt, QueueName, QueueType};
use queue_sqs::{SqsQueue, SqsQueueSettings};
use serde_json::json;

use crate::client::client;
use crate::recorded::{FIFO, Service, URL, error, queue};

const FOUND: &str = r#"{"QueueUrl":"https://sqs.us-east-1.amazonaws.com/123456789012/visits"}"#;
const FOUND_FIFO: &str = r#"{"QueueUrl":"https://sqs.us-east-1.amazonaws.com/123456789012/visits.fifo"}"#;

fn attributes(pairs: &[(&str, &str)]) -> String {
    let mut all =
        json!({ "QueueArn": "arn:aws:sqs:us-east-1:123456789012:visits", "VisibilityTimeout": "30" });
    for (name, value) in pairs {
        all[name] = json!(value);
    }
    json!({ "Attributes": all }).to_string()
}

fn minutes(minutes: u64) -> Duration {
    Duration::from_mins(minutes)
}

// P8, P9, P48
#[tokio::test]
async fn limits_and_the_visibility_timeout_are_the_queues_own() {
    let set = attributes(&[("VisibilityTimeout", "900"), ("MaximumMessageSize", "2048")]);
    let service = Service::new(&[(200, &set)]);
    let queue = SqsQueue::builder(service.client()).url(URL).build().await.unwrap();
    assert_eq!(service.operations(), ["GetQueueAttributes"]);
    assert_eq!(service.only(), json!({ "QueueUrl": URL, "AttributeNames": ["All"] }));
    assert_eq!(queue.receive_limits().visibility, minutes(15));
    assert_eq!((queue.limits().message_bytes, queue.limits().batch_bytes), (2_048, 1_048_576));
    assert_eq!((queue.name(), queue.url()), ("visits", URL));
    assert_eq!(queue.arn(), Some("arn:aws:sqs:us-east-1:123456789012:visits"));
}

// P8
#[tokio::test]
async fn two_queues_of_one_client_have_their_own_timeouts() {
    let (short, long) =
        (attributes(&[("VisibilityTimeout", "5")]), attributes(&[("VisibilityTimeout", "3600")]));
    let service = Service::new(&[(200, &short), (200, &long)]);
    let build = |url| SqsQueue::builder(service.client()).url(url).build();
    let (one, other) = (build(URL).await.unwrap(), build(FIFO).await.unwrap());
    let visibilities = [&one, &other].map(|queue| queue.receive_limits().visibility.as_secs());
    assert_eq!(visibilities, [5, 3_600]);
}

#[tokio::test]
async fn a_queue_is_found_by_the_familys_name() {
    let name = QueueName::new("shop", QueueType::Main, "1").unwrap().into_fifo().unwrap();
    let service = Service::new(&[(200, FOUND_FIFO), (200, &attributes(&[("FifoQueue", "true")]))]);
    let queue = SqsQueue::builder(service.client()).queue_name(&name).build().await.unwrap();
    assert_eq!(service.operations(), ["GetQueueUrl", "GetQueueAttributes"]);
    assert_eq!(service.asked()[0].1, json!({ "QueueName": "shop_main_1.fifo" }));
    assert!(queue.limits().ordered && queue.receive_limits().ordered);
}

#[tokio::test]
async fn a_caller_who_may_not_ask_assumes_and_makes_no_call() {
    let service = Service::new(&[]);
    let settings = SqsQueueSettings::new().with_visibility(minutes(2)).with_message_bytes(4_096);
    let builder = SqsQueue::builder(service.client()).url(FIFO).assume(settings.with_content_deduplication());
    let queue = builder.attributes(8).message_bytes(10_000).build().await.unwrap();
    assert_eq!(service.operations(), [""; 0]);
    assert_eq!((queue.receive_limits().visibility, queue.arn()), (minutes(2), None));
    assert_eq!((queue.limits().message_bytes, queue.limits().attributes), (4_096, 8));
}

#[tokio::test]
async fn a_queue_that_is_missing_is_made_only_if_that_was_asked_for() {
    let missing = error("QueueDoesNotExist");
    let service = Service::new(&[(400, &missing)]);
    let refused = SqsQueue::builder(service.client()).name("visits").build().await.unwrap_err();
    assert_eq!((refused.kind(), service.operations().len()), (Transient, 1), "{refused}");

    let made = attributes(&[("VisibilityTimeout", "60")]);
    let service = Service::new(&[(400, &missing), (200, FOUND_FIFO), (400, &missing), (200, &made)]);
    let settings = SqsQueueSettings::new()
        .with_visibility(minutes(1))
        .with_retention(minutes(60))
        .with_delay(Duration::from_millis(1_500))
        .with_content_deduplication()
        .with_attribute("KmsMasterKeyId", "alias/aws/sqs");
    let builder = SqsQueue::builder(service.client()).name("visits.fifo").create(settings);
    assert_eq!(builder.build().await.unwrap().receive_limits().visibility, minutes(1));
    let asked = service.asked();
    let operations: Vec<_> = asked.iter().map(|(operation, _)| operation.as_str()).collect();
    let found_at_the_second_look = ["GetQueueUrl", "CreateQueue", "GetQueueAttributes", "GetQueueAttributes"];
    assert_eq!(operations, found_at_the_second_look);
    let attributes = json!({
        "VisibilityTimeout": "60", "MessageRetentionPeriod": "3600", "DelaySeconds": "2", "FifoQueue": "true",
        "ContentBasedDeduplication": "true", "KmsMasterKeyId": "alias/aws/sqs",
    });
    assert_eq!(asked[1].1, json!({ "QueueName": "visits.fifo", "Attributes": attributes }));
}

#[tokio::test]
async fn a_queue_that_was_made_is_not_asked_for_what_is_assumed() {
    let service = Service::new(&[(400, &error("QueueDoesNotExist")), (200, FOUND)]);
    let settings = || SqsQueueSettings::new().with_visibility(minutes(1));
    let builder = SqsQueue::builder(service.client()).name("visits").create(settings()).assume(settings());
    assert_eq!(builder.build().await.unwrap().receive_limits().visibility, minutes(1));
    assert_eq!(service.operations(), ["GetQueueUrl", "CreateQueue"]);
}

// Q7
#[tokio::test]
async fn a_dead_letter_queue_is_named_by_its_arn() {
    let (missing, set) = (error("QueueDoesNotExist"), attributes(&[]));
    let dead = Service::new(&[(200, &set)]);
    let dead = SqsQueue::builder(dead.client()).url(URL).build().await.unwrap();
    let service = Service::new(&[(400, &missing), (200, FOUND), (200, &set)]);
    let settings = SqsQueueSettings::new().with_dead_letter(&dead, 3);
    SqsQueue::builder(service.client()).name("other").create(settings).build().await.unwrap();
    let policy: serde_json::Value =
        serde_json::from_str(service.asked()[1].1["Attributes"]["RedrivePolicy"].as_str().unwrap()).unwrap();
    let arn = "arn:aws:sqs:us-east-1:123456789012:visits";
    assert_eq!(policy, json!({ "deadLetterTargetArn": arn, "maxReceiveCount": 3 }));
}

#[tokio::test]
async fn a_queue_that_is_set_up_otherwise_is_left_alone_and_told() {
    let policy = r#"{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:1:dead","maxReceiveCount":"3"}"#;
    let set = attributes(&[("VisibilityTimeout", "30"), ("RedrivePolicy", policy)]);
    let build = async |settings| {
        let service = Service::new(&[(200, FOUND), (200, &set)]);
        let queue = SqsQueue::builder(service.client()).name("visits").create(settings).build().await;
        assert_eq!(service.operations(), ["GetQueueUrl", "GetQueueAttributes"]);
        queue.map(|queue| queue.name().to_owned())
    };
    let new = SqsQueueSettings::new;
    assert!(build(new()).await.is_ok());
    assert!(build(new().with_visibility(Duration::from_secs(30))).await.is_ok());
    for other in [new().with_visibility(minutes(1)), new().with_retention(minutes(60))] {
        let conflict = build(other).await.unwrap_err();
        assert_eq!(conflict.kind(), Permanent);
        assert!(conflict.message().contains("was asked for"), "{conflict}");
    }
}

#[tokio::test]
async fn what_can_not_be_a_queue_is_refused_without_a_call() {
    let (dead, _) = queue(URL, &[]).await;
    let service = Service::new(&[]);
    let builder = || SqsQueue::builder(service.client());
    let new = SqsQueueSettings::new;
    for builder in [
        builder(),
        builder().name("a b"),
        builder().url("visits"),
        builder().url("https://host/").create(new()),
    ] {
        let refused = builder.build().await.unwrap_err();
        assert_eq!(refused.kind(), Permanent, "{refused}");
    }
    assert_eq!(service.operations(), [""; 0]);
    for settings in [
        new().with_dead_letter(&dead, 0),
        new().with_dead_letter(&dead, 1_001),
        new().with_dead_letter(&dead, 3), // its ARN is not known
        new().with_content_deduplication(),
        new().with_visibility(minutes(721)),
    ] {
        let service = Service::new(&[(400, &error("QueueDoesNotExist"))]);
        let refused =
            SqsQueue::builder(service.client()).name("other").create(settings).build().await.unwrap_err();
        assert_eq!((refused.kind(), service.operations().len()), (Permanent, 1), "{refused}");
    }
}

// W7, B5: the SDK repeats what is done once, and nothing that a role is asked for
#[tokio::test]
async fn the_sdk_repeats_set_up_calls_and_no_others() {
    let (busy, set) = (error("ServiceUnavailable"), attributes(&[]));
    let service = Service::new(&[(503, &busy), (200, &set), (503, &busy), (503, &busy), (503, &busy)]);
    let queue = SqsQueue::builder(service.client()).url(URL).build().await.unwrap();
    queue.receive(queue_core::ReceiveOptions::default()).await.unwrap_err();
    queue.publish_one(Outgoing::new("x")).await.unwrap_err();
    queue_core::Inspect::depth(&queue).await.unwrap_err();
    let expected = [
        "GetQueueAttributes",
        "GetQueueAttributes",
        "ReceiveMessage",
        "SendMessageBatch",
        "GetQueueAttributes",
    ];
    assert_eq!(service.operations(), expected);
}

#[tokio::test]
async fn debug_says_nothing_of_the_client() {
    let (queue, _service) = queue(URL, &[]).await;
    assert_eq!(format!("{queue:?}"), r#"SqsQueue { name: "visits", .. }"#);
    let builder = format!("{:?}", SqsQueue::builder(client("http://127.0.0.1:1")).url(URL));
    assert!(!builder.to_lowercase().contains("secret_key: \"test"), "{builder}");
}
