//! Dead-letter queues: which queues can have which, and what goes there.

use serde_json::{Value, json};

use crate::sqs::{Sqs, arn, body};

fn policy(target: &str, receives: u32) -> String {
    json!({ "deadLetterTargetArn": arn(target), "maxReceiveCount": receives }).to_string()
}

/// A queue whose messages go to `dead` after this many receives.
async fn with_dead_letter(receives: u32) -> (Sqs, String) {
    let mut sqs = Sqs::new(json!({})).await;
    let dead = sqs.create("dead", json!({})).await;
    let set = json!({ "Attributes": { "RedrivePolicy": policy("dead", receives) } });
    sqs.done("SetQueueAttributes", set).await;
    (sqs, dead)
}

// Q7
#[tokio::test]
async fn a_message_received_too_often_moves_with_all_that_it_is() {
    let (mut sqs, dead) = with_dead_letter(2).await;
    let attributes = json!({ "n": { "DataType": "Number.int", "StringValue": "7" } });
    let sent = sqs.done("SendMessage", json!({ "MessageBody": "a", "MessageAttributes": attributes })).await;
    let mut before = Vec::new();
    for _ in 0..2 {
        before
            .push(sqs.receive(json!({ "AttributeNames": ["All"], "VisibilityTimeout": 0 })).await.remove(0));
    }
    assert_eq!(before[1]["Attributes"]["ApproximateReceiveCount"], "2");
    assert!(before[1]["Attributes"].get("DeadLetterQueueSourceArn").is_none());
    assert!(sqs.receive(json!({})).await.is_empty());
    let input = json!({ "QueueUrl": dead, "AttributeNames": ["All"], "MessageAttributeNames": ["All"] });
    let moved = sqs.receive(input).await.remove(0);
    assert_eq!((body(&moved), &moved["MessageAttributes"]), ("a".to_owned(), &attributes));
    assert_eq!(moved["MessageId"], sent["MessageId"]);
    assert_eq!(moved["Attributes"]["SentTimestamp"], before[0]["Attributes"]["SentTimestamp"]);
    assert_eq!(moved["Attributes"]["DeadLetterQueueSourceArn"], arn("q"));
    assert_eq!(sqs.attribute("ApproximateNumberOfMessages").await, "0");
}

#[tokio::test]
async fn a_dead_letter_queue_exists_and_is_of_the_same_kind() {
    let mut sqs = Sqs::new(json!({})).await;
    sqs.create("o.fifo", json!({ "FifoQueue": "true" })).await;
    sqs.create("closed", json!({ "RedriveAllowPolicy": "{\"redrivePermission\":\"denyAll\"}" })).await;
    let by_queue = json!({ "redrivePermission": "byQueue", "sourceQueueArns": [arn("other")] }).to_string();
    sqs.create("by-queue", json!({ "RedriveAllowPolicy": by_queue })).await;
    for (policy, says) in [
        (policy("none", 1), "Dead letter target does not exist."),
        (policy("o.fifo", 1), "Dead-letter queue must be same type of queue as the source."),
        (policy("closed", 1), "Queue does not have permission to access dead letter queue."),
        (policy("by-queue", 1), "Queue does not have permission to access dead letter queue."),
        (policy("q", 1), "the dead-letter queue leads back to this queue"),
        (policy("q", 0), "Invalid value for maxReceiveCount: must be an integer from 1 to 1000."),
        (policy("q", 1_001), "Invalid value for maxReceiveCount: must be an integer from 1 to 1000."),
        (
            json!({ "deadLetterTargetArn": "dummy", "maxReceiveCount": 42 }).to_string(),
            "Invalid value for deadLetterTargetArn.",
        ),
        (
            json!({ "maxReceiveCount": 42 }).to_string(),
            "Redrive policy does not contain mandatory attribute: deadLetterTargetArn.",
        ),
        ("no".to_owned(), "Redrive policy is not a valid JSON map."),
    ] {
        let set = json!({ "Attributes": { "RedrivePolicy": policy } });
        let (name, message) = sqs.refused("SetQueueAttributes", set).await;
        assert_eq!(name, "InvalidParameterValueException", "{policy}");
        assert_eq!(message, format!("Value {policy} for parameter RedrivePolicy is invalid. Reason: {says}"));
    }
    assert_eq!(sqs.attribute("RedrivePolicy").await, Value::Null);
    let create = json!({ "QueueName": "new", "Attributes": { "RedrivePolicy": policy("none", 1) } });
    assert_eq!(sqs.refused("CreateQueue", create).await.0, "InvalidParameterValueException");
}

#[tokio::test]
async fn a_policy_is_told_listed_and_taken_away() {
    let (mut sqs, dead) = with_dead_letter(1).await;
    assert_eq!(sqs.attribute("RedrivePolicy").await, policy("dead", 1));
    let with_text = json!({ "maxReceiveCount": "1", "deadLetterTargetArn": arn("dead") }).to_string();
    assert_eq!(sqs.create("q", json!({ "RedrivePolicy": with_text })).await, sqs.url);
    let sources = sqs.done("ListDeadLetterSourceQueues", json!({ "QueueUrl": dead })).await;
    assert_eq!(sources, json!({ "queueUrls": [sqs.url] }));
    sqs.done("SetQueueAttributes", json!({ "Attributes": { "RedrivePolicy": "" } })).await;
    assert_eq!(sqs.attribute("RedrivePolicy").await, Value::Null);
    sqs.send("a").await;
    for _ in 0..3 {
        assert_eq!(sqs.bodies(json!({ "VisibilityTimeout": 0 })).await, ["a"]);
    }
}

#[tokio::test]
async fn a_deleted_dead_letter_queue_gets_nothing_until_it_is_there_again() {
    let (mut sqs, dead) = with_dead_letter(1).await;
    sqs.done("DeleteQueue", json!({ "QueueUrl": dead })).await;
    sqs.send("a").await;
    for _ in 0..3 {
        assert_eq!(sqs.bodies(json!({ "VisibilityTimeout": 0 })).await, ["a"]);
    }
    sqs.advance(60);
    sqs.create("dead", json!({})).await;
    assert!(sqs.bodies(json!({})).await.is_empty());
    assert_eq!(sqs.bodies(json!({ "QueueUrl": dead })).await, ["a"]);
}

// Q7, Q8
#[tokio::test]
async fn an_ordered_queue_gives_up_the_head_of_a_group_and_goes_on() {
    let mut sqs = Sqs::fifo(json!({})).await;
    let dead = sqs.create("dead.fifo", json!({ "FifoQueue": "true" })).await;
    let set = json!({ "Attributes": { "RedrivePolicy": policy("dead.fifo", 1) } });
    sqs.done("SetQueueAttributes", set).await;
    for name in ["1", "2"] {
        sqs.send_in("g", name).await;
    }
    let one = json!({ "MaxNumberOfMessages": 1, "VisibilityTimeout": 0 });
    assert_eq!(sqs.bodies(one.clone()).await, ["1"]);
    assert_eq!(sqs.bodies(one).await, ["2"]);
    let moved = sqs.receive(json!({ "QueueUrl": dead, "AttributeNames": ["All"] })).await.remove(0);
    let told = ["MessageGroupId", "MessageDeduplicationId", "DeadLetterQueueSourceArn"];
    let id = moved["MessageId"].as_str().unwrap();
    assert_eq!(told.map(|name| moved["Attributes"][name].clone()), ["g", id, &arn("q.fifo")]);
}

// Amazon SQS Developer Guide, "Learn how to configure a dead-letter queue redrive"
#[tokio::test]
async fn messages_with_one_deduplication_id_are_both_kept_in_an_ordered_dead_letter_queue() {
    let mut sqs = Sqs::fifo(json!({ "DeduplicationScope": "messageGroup" })).await;
    let dead = sqs.create("dead.fifo", json!({ "FifoQueue": "true" })).await;
    let set = json!({ "Attributes": { "RedrivePolicy": policy("dead.fifo", 1) } });
    sqs.done("SetQueueAttributes", set).await;
    for group in ["g", "h"] {
        sqs.send_in(group, "1").await;
    }
    assert_eq!(sqs.bodies(json!({ "VisibilityTimeout": 0 })).await, ["1", "1"]);
    assert!(sqs.bodies(json!({})).await.is_empty());
    let moved = sqs.receive(json!({ "QueueUrl": dead, "AttributeNames": ["All"] })).await;
    let told = |message: &Value| message["Attributes"]["MessageDeduplicationId"].clone();
    assert_eq!(moved.len(), 2);
    assert!(moved.iter().all(|message| told(message) == message["MessageId"]), "{moved:?}");
}
