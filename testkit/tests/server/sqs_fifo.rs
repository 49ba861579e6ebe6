//! Ordered queues: groups, deduplication, expired handles, repeated receives.

use serde_json::{Value, json};

use crate::sqs::{Sqs, body};

// Q8, Q9
#[tokio::test]
async fn an_ordered_queue_needs_a_group_and_something_to_tell_messages_apart() {
    let mut sqs = Sqs::fifo(json!({})).await;
    let (name, message) = sqs.refused("SendMessage", json!({ "MessageBody": "a" })).await;
    assert_eq!(name, "MissingRequiredParameterException");
    assert_eq!(message, "The request must contain the parameter MessageGroupId.");
    let (name, message) =
        sqs.refused("SendMessage", json!({ "MessageBody": "a", "MessageGroupId": "g" })).await;
    assert_eq!(name, "InvalidParameterValueException");
    let either = "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly";
    assert_eq!(message, either);
    for (entry, says) in [
        (json!({ "Id": "1", "MessageBody": "a" }), "The request must contain the parameter MessageGroupId."),
        (json!({ "Id": "1", "MessageBody": "a", "MessageGroupId": "g" }), either),
    ] {
        let refused = sqs.refused("SendMessageBatch", json!({ "Entries": [entry] })).await;
        assert_eq!(refused, ("InvalidParameterValueException".to_owned(), says.to_owned()));
    }
    let delayed = json!({ "MessageBody": "a", "MessageGroupId": "g", "MessageDeduplicationId": "1", "DelaySeconds": 2 });
    let says = "Value 2 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type.";
    assert_eq!(sqs.refused("SendMessage", delayed).await.1, says);
    let id = json!({ "MessageBody": "a", "MessageGroupId": "g", "MessageDeduplicationId": "a b" });
    assert_eq!(sqs.refused("SendMessage", id).await.0, "InvalidParameterValueException");
}

// Q8
#[tokio::test]
async fn a_group_comes_in_order_and_is_blocked_while_one_of_it_is_in_flight() {
    let mut sqs = Sqs::fifo(json!({})).await;
    for (group, name) in [("a", "a1"), ("a", "a2"), ("b", "b1"), ("a", "a3")] {
        sqs.send_in(group, name).await;
    }
    let first = sqs.receive(json!({ "MaxNumberOfMessages": 2 })).await;
    assert_eq!(first.iter().map(body).collect::<Vec<_>>(), ["a1", "a2"]);
    assert_eq!(sqs.bodies(json!({})).await, ["b1"]);
    for message in &first {
        sqs.done("DeleteMessage", json!({ "ReceiptHandle": message["ReceiptHandle"] })).await;
    }
    assert_eq!(sqs.bodies(json!({})).await, ["a3"]);
}

// Q9
#[tokio::test]
async fn a_duplicate_within_five_minutes_is_stored_once_and_answered_with_the_first_ones_id() {
    let mut sqs = Sqs::fifo(json!({})).await;
    let first = sqs.send_in("g", "a").await;
    let handle = sqs.receive(json!({})).await.remove(0)["ReceiptHandle"].clone();
    sqs.done("DeleteMessage", json!({ "ReceiptHandle": handle })).await;
    sqs.advance(299);
    let second = sqs.send_in("h", "a").await;
    assert_eq!(
        (&first["MessageId"], &first["SequenceNumber"]),
        (&second["MessageId"], &second["SequenceNumber"])
    );
    assert!(sqs.bodies(json!({})).await.is_empty());
    sqs.advance(1);
    assert_ne!(first["MessageId"], sqs.send_in("g", "a").await["MessageId"]);
    assert_eq!(sqs.bodies(json!({})).await, ["a"]);
}

// Q9
#[tokio::test]
async fn a_queue_can_go_by_content_and_an_id_goes_before_it() {
    let mut sqs = Sqs::fifo(json!({ "ContentBasedDeduplication": "true" })).await;
    let sha = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
    for (body, id) in
        [("a", json!(null)), ("a", json!(null)), ("a", json!("1")), ("b", json!("1")), ("c", json!(sha))]
    {
        let input = json!({ "MessageBody": body, "MessageGroupId": "g", "MessageDeduplicationId": id });
        sqs.done("SendMessage", input).await;
    }
    let messages = sqs.receive(json!({ "AttributeNames": ["MessageDeduplicationId"] })).await;
    let ids: Vec<_> =
        messages.iter().map(|message| message["Attributes"]["MessageDeduplicationId"].clone()).collect();
    assert_eq!(ids, [json!(sha), json!("1")], "the digest of a body is what its id would be");
}

// Amazon SQS Developer Guide, "High throughput for FIFO queues"
#[tokio::test]
async fn ids_may_count_for_each_group_on_its_own() {
    let attributes =
        json!({ "DeduplicationScope": "messageGroup", "FifoThroughputLimit": "perMessageGroupId" });
    let mut sqs = Sqs::fifo(attributes).await;
    for group in ["g", "h", "g"] {
        sqs.send_in(group, "a").await;
    }
    assert_eq!(sqs.bodies(json!({})).await, ["a", "a"]);
}

#[tokio::test]
async fn sequence_numbers_have_twenty_digits_and_rise() {
    let mut sqs = Sqs::fifo(json!({})).await;
    let mut numbers = Vec::new();
    for name in ["a", "b", "c"] {
        numbers.push(sqs.send_in("g", name).await["SequenceNumber"].as_str().unwrap().to_owned());
    }
    assert!(numbers.iter().all(|number| number.len() == 20) && numbers.is_sorted(), "{numbers:?}");
    let told = sqs.receive(json!({ "AttributeNames": ["All"] })).await;
    let attribute = |message: &Value, name: &str| message["Attributes"][name].as_str().unwrap().to_owned();
    assert_eq!(told.iter().map(|message| attribute(message, "SequenceNumber")).collect::<Vec<_>>(), numbers);
    let of_first = ["MessageGroupId", "MessageDeduplicationId"].map(|name| attribute(&told[0], name));
    assert_eq!(of_first, ["g", "a"]);
}

// P1
#[tokio::test]
async fn an_expired_handle_is_refused_and_the_message_comes_again() {
    let mut sqs = Sqs::fifo(json!({})).await;
    sqs.send_in("g", "a").await;
    let handle = sqs.receive(json!({})).await.remove(0)["ReceiptHandle"].clone();
    sqs.advance(30);
    let (name, message) = sqs.refused("DeleteMessage", json!({ "ReceiptHandle": handle })).await;
    assert_eq!(name, "InvalidParameterValueException");
    let handle = handle.as_str().unwrap();
    let says = format!(
        "Value {handle} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired."
    );
    assert_eq!(message, says);
    assert_eq!(sqs.bodies(json!({})).await, ["a"]);
}

// Q8
#[tokio::test]
async fn a_receive_under_the_same_attempt_id_is_repeated() {
    let mut sqs = Sqs::fifo(json!({})).await;
    sqs.send_in("g", "a").await;
    let attempt = json!({ "ReceiveRequestAttemptId": "1" });
    let [first, again] = [sqs.receive(attempt.clone()).await, sqs.receive(attempt).await];
    assert_eq!(first[0]["ReceiptHandle"], again[0]["ReceiptHandle"]);
    assert!(sqs.receive(json!({ "ReceiveRequestAttemptId": "2" })).await.is_empty());
    let bad = sqs.refused("ReceiveMessage", json!({ "ReceiveRequestAttemptId": "a b" })).await.0;
    assert_eq!(bad, "InvalidParameterValueException");
}

#[tokio::test]
async fn a_delay_of_the_queue_can_be_set_later() {
    let mut sqs = Sqs::fifo(json!({})).await;
    sqs.done("SetQueueAttributes", json!({ "Attributes": { "DelaySeconds": "9" } })).await;
    sqs.send_in("g", "a").await;
    assert_eq!(sqs.attribute("ApproximateNumberOfMessagesDelayed").await, "1");
    sqs.advance(9);
    assert_eq!(sqs.bodies(json!({})).await, ["a"]);
}
