//! What a receive is checked for, and what it brings.

use serde_json::{Value, json};
use testkit::server::{Fault, FaultScript, Rule};

use crate::sqs::{Sqs, body};

// Amazon SQS API Reference, `ReceiveMessage`
#[tokio::test]
async fn a_receive_asks_for_what_the_service_allows() {
    let mut sqs = Sqs::new(json!({})).await;
    for (name, value, reason) in [
        ("MaxNumberOfMessages", 0, "Must be between 1 and 10, if provided."),
        ("MaxNumberOfMessages", 11, "Must be between 1 and 10, if provided."),
        ("WaitTimeSeconds", -1, "Must be >= 0 and <= 20, if provided."),
        ("WaitTimeSeconds", 21, "Must be >= 0 and <= 20, if provided."),
        ("VisibilityTimeout", -1, "VisibilityTimeout must be an integer between 0 and 43200"),
        ("VisibilityTimeout", 43_201, "VisibilityTimeout must be an integer between 0 and 43200"),
    ] {
        let (error, message) = sqs.refused("ReceiveMessage", json!({ name: value })).await;
        assert_eq!(error, "InvalidParameterValueException");
        assert_eq!(message, format!("Value {value} for parameter {name} is invalid. Reason: {reason}"));
    }
    let answer = sqs.call("ReceiveMessage", json!({ "MaxNumberOfMessages": 11 })).await;
    assert_eq!(answer.headers["x-amzn-query-error"], "InvalidParameterValue;Sender");
    let unknown = json!({ "AttributeNames": ["Colour"] });
    assert_eq!(sqs.refused("ReceiveMessage", unknown).await.0, "InvalidAttributeName");
    let none = json!({ "QueueUrl": "http://localhost/000000000000/none" });
    assert_eq!(sqs.refused("ReceiveMessage", none).await.0, "QueueDoesNotExist");
    assert_eq!(
        sqs.refused("ReceiveMessage", json!({ "QueueUrl": "" })).await.0,
        "MissingRequiredParameterException"
    );
    assert_eq!(sqs.done("ReceiveMessage", json!({})).await, json!({}));
}

#[tokio::test]
async fn a_receive_brings_one_unless_it_asks_for_more() {
    let mut sqs = Sqs::new(json!({})).await;
    for n in 0..12 {
        sqs.send(&n.to_string()).await;
    }
    let one = sqs.done("ReceiveMessage", json!({})).await;
    assert_eq!(one["Messages"].as_array().unwrap().len(), 1);
    assert_eq!((sqs.receive(json!({})).await.len(), sqs.receive(json!({})).await.len()), (10, 1));
}

// P9, Q3
#[tokio::test]
async fn a_receive_that_names_no_visibility_timeout_gets_the_queues() {
    let mut sqs = Sqs::new(json!({ "VisibilityTimeout": "900" })).await;
    sqs.send("a").await;
    assert_eq!(sqs.bodies(json!({})).await, ["a"]);
    sqs.advance(899);
    assert!(sqs.bodies(json!({})).await.is_empty());
    sqs.advance(1);
    assert_eq!(sqs.bodies(json!({ "VisibilityTimeout": 5 })).await, ["a"]);
    sqs.advance(5);
    sqs.done("SetQueueAttributes", json!({ "Attributes": { "VisibilityTimeout": "7" } })).await;
    assert_eq!(sqs.bodies(json!({})).await, ["a"]);
    sqs.advance(7);
    assert_eq!(sqs.bodies(json!({ "VisibilityTimeout": 0 })).await, ["a"]);
    assert_eq!(sqs.bodies(json!({})).await, ["a"]);
}

// Q5
#[tokio::test]
async fn a_receive_waits_as_long_as_the_queue_says_unless_it_says_so_itself() {
    let mut sqs = Sqs::new(json!({ "ReceiveMessageWaitTimeSeconds": "20" })).await;
    assert!(sqs.bodies(json!({ "WaitTimeSeconds": 0 })).await.is_empty());
    let url = sqs.url.clone();
    sqs.client.server.reset_calls();
    sqs.client.send_sqs("ReceiveMessage", &json!({ "QueueUrl": url })).await;
    while sqs.client.server.calls().of("ReceiveMessage") == 0 {
        tokio::task::yield_now().await;
    }
    let second = connection(&sqs).await;
    let first = std::mem::replace(&mut sqs.client.stream, second);
    sqs.send("a").await;
    sqs.client.stream = first;
    let answer = sqs.client.answer().await.unwrap().json();
    assert_eq!(body(&answer["Messages"][0]), "a");
}

async fn connection(sqs: &Sqs) -> tokio::net::TcpStream {
    let address = sqs.client.server.endpoint_url().trim_start_matches("http://").to_owned();
    tokio::net::TcpStream::connect(address).await.unwrap()
}

// Q7
#[tokio::test]
async fn a_message_carries_what_the_service_knows_of_it_if_that_is_asked_for() {
    let mut sqs = Sqs::new(json!({})).await;
    sqs.send("a").await;
    let plain = sqs.receive(json!({ "VisibilityTimeout": 0 })).await.remove(0);
    assert!(plain.get("Attributes").is_none() && plain.get("MessageAttributes").is_none(), "{plain}");
    sqs.advance(60);
    for names in ["AttributeNames", "MessageSystemAttributeNames"] {
        let all = sqs.receive(json!({ names: ["All"], "VisibilityTimeout": 0 })).await.remove(0);
        let mut told: Vec<_> = all["Attributes"].as_object().unwrap().keys().map(String::as_str).collect();
        told.sort_unstable();
        let known =
            ["ApproximateFirstReceiveTimestamp", "ApproximateReceiveCount", "SenderId", "SentTimestamp"];
        assert_eq!(told, known);
    }
    let some =
        json!({ "AttributeNames": ["SenderId"], "MessageSystemAttributeNames": ["ApproximateReceiveCount"] });
    let message = sqs.receive(some).await.remove(0);
    assert_eq!(message["Attributes"].as_object().unwrap().len(), 2);
    assert_eq!(message["Attributes"]["ApproximateReceiveCount"], "4");
}

#[tokio::test]
async fn the_first_receive_keeps_its_time() {
    let mut sqs = Sqs::new(json!({})).await;
    sqs.send("a").await;
    let mut times = Vec::new();
    for _ in 0..3 {
        sqs.advance(40);
        let message = sqs.receive(json!({ "AttributeNames": ["All"] })).await.remove(0);
        let time = |name: &str| message["Attributes"][name].as_str().unwrap().parse::<u64>().unwrap();
        times.push((time("SentTimestamp"), time("ApproximateFirstReceiveTimestamp")));
    }
    let (sent, first) = times[0];
    assert!((40_000..45_000).contains(&(first - sent)), "{times:?}");
    assert!(times.iter().all(|&both| both == (sent, first)), "{times:?}");
}

// Amazon SQS API Reference, `ReceiveMessage`: `MessageAttributeNames`
#[tokio::test]
async fn message_attributes_come_by_name_by_prefix_or_all() {
    let mut sqs = Sqs::new(json!({ "VisibilityTimeout": "0" })).await;
    let text = |value: &str| json!({ "DataType": "String", "StringValue": value });
    let attributes = json!({ "Help.Me": text("Me"), "Hello": text("There"), "General": text("Kenobi") });
    sqs.done("SendMessage", json!({ "MessageBody": "msg", "MessageAttributes": attributes })).await;
    for (names, digest, expected) in [
        (json!([]), None, ""),
        (json!(["All"]), Some("4c360f3fdafd970e05fae2f149d997f5"), "General Hello Help.Me"),
        (json!([".*"]), Some("4c360f3fdafd970e05fae2f149d997f5"), "General Hello Help.Me"),
        (json!(["Foo"]), None, ""),
        (json!(["Hello", "General"]), Some("fca026605781cb4126a1e9044df24232"), "General Hello"),
        (json!(["Hello", "Foo"]), Some("a311262e065454b75da111d535b8dacd"), "Hello"),
        (json!(["Hel.*"]), Some("83fee93c1bcd8b9a5a923ffacdc636c7"), "Hello Help.Me"),
        (json!(["AWS."]), None, ""),
    ] {
        let message = sqs.receive(json!({ "MessageAttributeNames": names })).await.remove(0);
        let told = message["MessageAttributes"].as_object();
        let told = told.map(|told| told.keys().cloned().collect::<Vec<_>>().join(" "));
        assert_eq!(told.unwrap_or_default(), expected, "{names}");
        assert_eq!(message["MD5OfMessageAttributes"].as_str(), digest, "{names}");
    }
}

// Amazon SQS Developer Guide, "Amazon SQS standard queue quotas"
#[tokio::test]
async fn a_full_queue_refuses_short_polls_and_answers_long_ones_with_nothing() {
    let mut sqs = Sqs::new(json!({})).await;
    for body in ["a", "b", "c"] {
        sqs.send(body).await;
    }
    sqs.client.server.faults(FaultScript::new([Rule::new(Fault::in_flight_cap(2))]));
    let messages = sqs.receive(json!({})).await;
    assert_eq!(messages.len(), 2);
    assert_eq!(sqs.refused("ReceiveMessage", json!({})).await.0, "OverLimit");
    assert!(sqs.receive(json!({ "WaitTimeSeconds": 1 })).await.is_empty());
    let handle = messages[0]["ReceiptHandle"].clone();
    sqs.done("DeleteMessage", json!({ "ReceiptHandle": handle })).await;
    assert_eq!(sqs.bodies(json!({})).await, ["c"]);
}

// Q10
#[tokio::test]
async fn a_message_is_gone_after_the_retention_also_if_that_is_shortened() {
    let mut sqs = Sqs::new(json!({ "MessageRetentionPeriod": "120" })).await;
    sqs.send("a").await;
    sqs.advance(119);
    assert_eq!(sqs.bodies(json!({ "VisibilityTimeout": 0 })).await, ["a"]);
    sqs.done("SetQueueAttributes", json!({ "Attributes": { "MessageRetentionPeriod": "60" } })).await;
    assert_eq!(sqs.attribute("ApproximateNumberOfMessages").await, Value::from("0"));
    assert!(sqs.bodies(json!({})).await.is_empty());
}
