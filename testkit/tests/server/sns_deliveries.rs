//! Deliveries that fail: policies, missing queues, dead-letter queues, attributes that are too many.

use serde_json::{Value, json};

use crate::client::Client;
use crate::sns_client::{attributes, policy, queue_arn, topic_arn};

const RAW: (&str, &str) = ("RawMessageDelivery", "true");

#[tokio::test]
async fn a_queue_gets_nothing_unless_its_policy_lets_the_topic_send() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let url = client.queue("q").await;
    client.subscribe(&topic, "q", &[RAW]).await;
    client.publish(&topic, "no policy", &[]).await;
    for (of, text) in [("another", "another's"), ("a", "its own")] {
        let policy = policy("q", &topic_arn(of));
        let input = json!({ "QueueUrl": url, "Attributes": { "Policy": policy } });
        assert_eq!(client.sqs("SetQueueAttributes", &input).await.status, 200);
        client.publish(&topic, text, &[]).await;
    }
    assert_eq!(client.bodies(&url).await, ["its own"]);
    let counts = client.server.deliveries();
    assert_eq!((counts.delivered, counts.failed, counts.redriven), (1, 2, 0));
}

#[tokio::test]
async fn what_cannot_be_delivered_goes_to_the_subscriptions_own_dead_letter_queue() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let dead = client.queue_of(&topic, "dead").await;
    let redrive = json!({ "deadLetterTargetArn": queue_arn("dead") }).to_string();
    for (queue, raw) in [("raw", "true"), ("wrapped", "false")] {
        let terms = [("RedrivePolicy", redrive.as_str()), ("RawMessageDelivery", raw)];
        assert_eq!(client.subscribe(&topic, queue, &terms).await.status, 200);
    }
    client.publish(&topic, "m", &attributes(&[["n", "Number", "111"]])).await;
    let (mut raw, mut wrapped) = (client.received(&dead).await, Vec::new());
    wrapped.extend(raw.extract_if(.., |message| message["Body"] != "m"));
    assert_eq!((raw.len(), wrapped.len()), (1, 1), "there are no such queues");
    assert_eq!(raw[0]["MessageAttributes"]["n"]["StringValue"], "111");
    let body: Value = serde_json::from_str(wrapped[0]["Body"].as_str().unwrap()).unwrap();
    assert_eq!((&body["Message"], &body["MessageAttributes"]["n"]["Value"]), (&json!("m"), &json!("111")));
    let counts = client.server.deliveries();
    assert_eq!((counts.failed, counts.redriven, counts.failed_to_redrive), (2, 2, 0));
}

#[tokio::test]
async fn a_dead_letter_queue_that_does_not_let_the_topic_send_gets_nothing() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let dead = client.queue("dead").await;
    let redrive = json!({ "deadLetterTargetArn": queue_arn("dead") }).to_string();
    client.subscribe(&topic, "none", &[("RedrivePolicy", &redrive)]).await;
    client.publish(&topic, "m", &[]).await;
    assert!(client.bodies(&dead).await.is_empty());
    let answer = client.control("GET /_deliveries", "").await.json();
    assert_eq!(answer["NumberOfNotificationsFailedToRedriveToDlq"], 1, "{answer}");
    assert_eq!(answer["NumberOfNotificationsFailed"], 1, "{answer}");
}

// P52
#[tokio::test]
async fn a_raw_copy_with_more_than_ten_attributes_is_discarded_and_an_enveloped_one_is_not() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let dead = client.queue_of(&topic, "dead").await;
    let redrive = json!({ "deadLetterTargetArn": queue_arn("dead") }).to_string();
    let raw = client.subscribed(&topic, "raw", &[RAW, ("RedrivePolicy", &redrive)]).await;
    let wrapped = client.subscribed(&topic, "wrapped", &[]).await;
    let names: Vec<_> = (0..11).map(|number| format!("a{number}")).collect();
    let all: Vec<_> = names.iter().map(|name| [name.as_str(), "String", "v"]).collect();
    for count in [10, 11] {
        client.publish(&topic, &count.to_string(), &attributes(&all[..count])).await;
    }
    assert_eq!(client.bodies(&raw).await, ["10"]);
    assert_eq!(client.bodies(&wrapped).await.len(), 2);
    assert!(client.bodies(&dead).await.is_empty());
    let counts = client.server.deliveries();
    assert_eq!((counts.delivered, counts.failed, counts.redriven), (3, 1, 0));
}
