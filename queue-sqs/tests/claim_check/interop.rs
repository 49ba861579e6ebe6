//! Messages as extended clients for other languages write them.

use std::time::Duration;

use queue_core::{AttributeValue, MemoryQueue, Outgoing, PublisherExt};

use crate::store::FaultyStore;
use crate::support::{KEY, over, receive_one, total};

/// Class, mark and spelling of bodies that these write: `amazon-sqs-java-extended-client-lib` 2.x by Jackson with
/// default typing, the same with a key prefix, 1.0 with the old names, and `amazon-sqs-extended-client` for Python by
/// `json.dumps`.
fn vectors() -> [(&'static str, &'static str, String); 4] {
    let new = "software.amazon.payloadoffloading.PayloadS3Pointer";
    let old = "com.amazon.sqs.javamessaging.MessageS3Pointer";
    [
        (
            "ExtendedPayloadSize",
            KEY,
            format!("[\"{new}\",{{\"s3BucketName\":\"bodies\",\"s3Key\":\"{KEY}\"}}]"),
        ),
        (
            "ExtendedPayloadSize",
            "visits/0b5d6a4e-7a40-4d2c-9d7f-8b5e2a1c6f10",
            format!("[\"{new}\",{{\"s3BucketName\":\"bodies\",\"s3Key\":\"visits/{KEY}\"}}]"),
        ),
        (
            "SQSLargePayloadSize",
            KEY,
            format!("[\"{old}\",{{\"s3BucketName\":\"bodies\",\"s3Key\":\"{KEY}\"}}]"),
        ),
        (
            "ExtendedPayloadSize",
            KEY,
            format!("[\"{new}\", {{\"s3BucketName\": \"bodies\", \"s3Key\": \"{KEY}\"}}]"),
        ),
    ]
}

#[tokio::test(start_paused = true)]
async fn what_extended_clients_wrote_is_read_settled_and_removed() {
    for (mark, key, body) in vectors() {
        let store = FaultyStore::sound();
        store.holds(key, "höher, schneller".to_owned()).await;
        let queue = MemoryQueue::new();
        let message = Outgoing::new(body.clone())
            .with_attribute(mark, AttributeValue::number("höher, schneller".len()))
            .with_attribute("type", "book");
        queue.publish_one(message).await.unwrap();
        let folder = key.strip_suffix(KEY).unwrap().trim_end_matches('/');
        let delivery = receive_one(&over(&queue, &store).with_folder(folder)).await;
        let expected = Outgoing::new("höher, schneller").with_attribute("type", "book");
        assert_eq!(delivery.message().to_outgoing(), expected, "{body}");
        delivery.ack().await.unwrap();
        assert_eq!((total(&queue).await, store.keys().await.len()), (0, 0));
    }
}

/// The libraries write the number of bytes, and none of them reads it: a wrong one hides no message.
#[tokio::test(start_paused = true)]
async fn a_wrong_size_hides_no_message() {
    let store = FaultyStore::sound();
    store.holds(KEY, "hello").await;
    let queue = MemoryQueue::new();
    let message = Outgoing::new(vectors()[0].2.clone())
        .with_attribute("ExtendedPayloadSize", AttributeValue::number(7));
    queue.publish_one(message).await.unwrap();
    let delivery = receive_one(&over(&queue, &store)).await;
    assert_eq!(delivery.message().body(), "hello");
    delivery.release(Duration::ZERO).await.unwrap();
}
