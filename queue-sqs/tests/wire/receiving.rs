//! Receives: what is asked for, and what is made of the answer.

use std::time::{Duration, UNIX_EPOCH};

use queue_core::{AttributeValue, CancellationToken, Consumer, ReceiveOptions};
use serde_json::{Value, json};

use crate::recorded::{FIFO, URL, queue};

const EMPTY: (u16, &str) = (200, "{}");

async fn asked(url: &str, options: ReceiveOptions) -> Value {
    let (queue, service) = queue(url, &[EMPTY]).await;
    assert_eq!(queue.receive(options).await.unwrap().len(), 0, "Q5");
    service.only()
}

// P9
#[tokio::test]
async fn a_receive_names_a_visibility_timeout_only_if_one_was_asked_for() {
    let by_default = asked(URL, ReceiveOptions::default()).await;
    let names = ["ApproximateReceiveCount", "SentTimestamp", "MessageGroupId"];
    let expected = json!({
        "QueueUrl": URL, "MaxNumberOfMessages": 10, "WaitTimeSeconds": 20,
        "MessageSystemAttributeNames": names, "MessageAttributeNames": ["All"],
    });
    assert_eq!(by_default, expected);
    let with = asked(URL, ReceiveOptions::new(1).with_visibility(Duration::ZERO)).await;
    assert_eq!((&with["VisibilityTimeout"], &with["MaxNumberOfMessages"]), (&json!(0), &json!(1)));
}

#[tokio::test]
async fn waits_and_timeouts_are_whole_seconds_rounded_up() {
    for (ms, seconds) in [(0, 0), (1, 1), (250, 1), (1_001, 2), (20_000, 20)] {
        let time = Duration::from_millis(ms);
        let asked = asked(URL, ReceiveOptions::new(1).with_wait(time).with_visibility(time)).await;
        assert_eq!(asked["WaitTimeSeconds"], json!(seconds), "{ms}");
        assert_eq!(asked["VisibilityTimeout"], json!(seconds), "{ms}");
    }
}

#[tokio::test]
async fn a_receive_that_begins_after_the_stop_does_not_wait() {
    let stop = CancellationToken::new();
    stop.cancel();
    let asked = asked(URL, ReceiveOptions::default().with_stop(stop)).await;
    assert_eq!(asked["WaitTimeSeconds"], json!(0));
}

// Q8
#[tokio::test]
async fn only_a_fifo_queue_is_told_the_attempt() {
    let options = || ReceiveOptions::new(1).with_attempt_id("attempt-1");
    assert_eq!(asked(FIFO, options()).await["ReceiveRequestAttemptId"], json!("attempt-1"));
    assert_eq!(asked(URL, options()).await["ReceiveRequestAttemptId"], Value::Null);
}

// Q3, Q7
#[tokio::test]
async fn a_message_comes_with_all_that_the_service_knows_of_it() {
    let answer = json!({ "Messages": [{
        "MessageId": "id-1", "ReceiptHandle": "handle-1", "Body": "<&> \"ä\"", "MD5OfBody": "x",
        "Attributes": { "ApproximateReceiveCount": "7", "SentTimestamp": "1700000000123", "MessageGroupId": "g" },
        "MessageAttributes": {
            "text": { "DataType": "String", "StringValue": "a" },
            "number": { "DataType": "Number.int", "StringValue": "7" },
            "bytes": { "DataType": "Binary", "BinaryValue": "AP8=" },
        },
    }, { "MessageId": "no receipt" }]});
    let (queue, _service) = queue(URL, &[(200, &answer.to_string())]).await;
    let mut got =
        queue.receive(ReceiveOptions::new(2).with_visibility(Duration::from_secs(40))).await.unwrap();
    assert_eq!(got.len(), 1, "what can't be settled comes again");
    let delivery = got.remove(0);
    let message = delivery.message();
    assert_eq!((message.id().as_str(), message.body(), message.receive_count()), ("id-1", "<&> \"ä\"", 7));
    assert_eq!(message.sent_at(), Some(UNIX_EPOCH + Duration::from_millis(1_700_000_000_123)));
    assert_eq!((message.group_key(), delivery.receipt().as_str()), (Some("g"), "handle-1"));
    assert_eq!(message.attributes().get("number").unwrap(), &AttributeValue::number(7).with_label("int"));
    assert_eq!(message.attributes().get("bytes").unwrap(), &AttributeValue::binary([0, 255]));
    assert_eq!(message.attributes().len(), 3);
    assert_eq!(delivery.visibility(), Duration::from_secs(40));
    drop(delivery);
    assert_eq!(queue.unsettled_drops(), 1, "Q12");
}

#[tokio::test]
async fn a_message_of_which_little_is_known_comes_too() {
    let bare = r#"{"Messages":[{"MessageId":"1","ReceiptHandle":"r","Body":"x","Attributes":{"SentTimestamp":"?"}}]}"#;
    let (queue, _service) = queue(URL, &[(200, bare)]).await;
    let delivery = queue.receive(ReceiveOptions::new(1)).await.unwrap().remove(0);
    let message = delivery.message();
    assert_eq!((message.receive_count(), message.sent_at(), message.group_key()), (1, None, None));
    assert_eq!(delivery.visibility(), queue.receive_limits().visibility, "P8");
    delivery.forget();
}

#[tokio::test]
async fn what_can_not_be_asked_for_is_refused_without_a_call() {
    let (queue, service) = queue(URL, &[]).await;
    for options in
        [ReceiveOptions::new(0), ReceiveOptions::new(11), ReceiveOptions::new(1).with_wait(Duration::MAX)]
    {
        queue.receive(options).await.unwrap_err();
    }
    assert_eq!(service.operations(), [""; 0]);
}
