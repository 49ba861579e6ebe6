//! Publishing: what a message may be, and what its subscribers get.

use queue_core::{Consumer, MemoryQueue, Outgoing, PublisherExt, ReceiveOptions, Unwrapped};
use serde_json::{Value, json};

use crate::client::Client;
use crate::sns_client::{attributes, invalid, refused};

/// An attribute that is whole, by name.
fn attribute(message: &Value, name: &str) -> [String; 2] {
    let attribute = &message["MessageAttributes"][name];
    let value = attribute.get("StringValue").or_else(|| attribute.get("BinaryValue"));
    [&attribute["DataType"], value.unwrap()].map(|text| text.as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_raw_copy_is_the_body_with_the_attributes_byte_for_byte() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let url = client.subscribed(&topic, "q", &[("RawMessageDelivery", "true")]).await;
    let text = "<&>\"'\t\r\n \u{10ffff} \u{e000}+%";
    let sent = [
        ["t", "String", "\u{1f600} x"],
        ["n", "Number.int", "1e2"],
        ["b", "Binary", "AgME"],
        ["l", "String.Array", "[1]"],
    ];
    client.publish(&topic, text, &attributes(&sent)).await;
    let messages = client.received(&url).await;
    assert_eq!((messages.len(), messages[0]["Body"].as_str()), (1, Some(text)));
    for [name, data_type, value] in sent {
        assert_eq!(attribute(&messages[0], name), [data_type, value]);
    }
    assert_eq!(client.server.deliveries().delivered, 1);
}

#[tokio::test]
async fn an_enveloped_copy_is_a_notification_with_the_fields_of_the_service() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[("SignatureVersion", "2")]).await;
    let url = client.subscribed(&topic, "q", &[]).await;
    let arn = client.subscribe(&topic, "q", &[]).await.xml("SubscriptionArn").to_owned();
    let mut more = attributes(&[["b", "Binary", "AgME"], ["n", "Number", "99.12"]]);
    more.push(("Subject".to_owned(), "News"));
    let id = client.publish(&topic, "text", &more).await.xml("MessageId").to_owned();
    let message = client.received(&url).await.remove(0);
    let body: Value = serde_json::from_str(message["Body"].as_str().unwrap()).unwrap();
    let time = body["Timestamp"].as_str().unwrap();
    assert!(time.len() == 24 && time.ends_with('Z'), "{time}");
    let host = "https://sns.us-east-1.amazonaws.com/";
    assert_eq!(
        body,
        json!({
            "Type": "Notification",
            "MessageId": id,
            "TopicArn": topic,
            "Subject": "News",
            "Message": "text",
            "Timestamp": time,
            "SignatureVersion": "2",
            "Signature": "RVhBTVBMRQ==",
            "SigningCertURL": format!("{host}SimpleNotificationService-{}.pem", "0".repeat(32)),
            "UnsubscribeURL": format!("{host}?Action=Unsubscribe&SubscriptionArn={arn}"),
            "MessageAttributes": { "b": { "Type": "Binary", "Value": "AgME" }, "n": { "Type": "Number", "Value": "99.12" } },
        })
    );
    assert!(message.get("MessageAttributes").is_none(), "they travel inside");
}

// The client's reader of envelopes reads the service's.
#[tokio::test]
async fn an_enveloped_copy_is_unwrapped_into_what_was_published() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let url = client.subscribed(&topic, "q", &[]).await;
    let text = "<&>\"'\t\r\n \u{10ffff}";
    let sent = attributes(&[["t", "String.x", "v"], ["n", "Number", "1e2"], ["b", "Binary", "AgME"]]);
    let id = client.publish(&topic, text, &sent).await.xml("MessageId").to_owned();
    let queue = MemoryQueue::new();
    queue.publish_one(Outgoing::new(client.bodies(&url).await.remove(0))).await.unwrap();
    let delivery = Unwrapped::new(queue).receive(ReceiveOptions::default()).await.unwrap().remove(0);
    let message = delivery.message();
    assert_eq!((message.body(), message.attributes().len()), (text, 3));
    assert_eq!(message.attributes().get("b").unwrap().as_bytes(), [2, 3, 4]);
    assert_eq!(message.attributes().get("t").unwrap().data_type(), "String.x");
    assert_eq!(message.id().as_str(), id);
}

#[tokio::test]
async fn each_subscription_gets_a_copy_and_the_one_that_ended_none() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let raw = [("RawMessageDelivery", "true")];
    let (one, other) =
        (client.subscribed(&topic, "one", &raw).await, client.subscribed(&topic, "other", &raw).await);
    client.publish(&topic, "first", &[]).await;
    let target = [("TargetArn", topic.as_str()), ("Message", "second")];
    assert_eq!(client.sns("Publish", &target).await.status, 200);
    for url in [&one, &other] {
        let mut bodies = client.bodies(url).await;
        bodies.sort();
        assert_eq!(bodies, ["first", "second"]);
    }
}

// P48, P49
#[tokio::test]
async fn a_message_has_256_kib_with_its_attributes_unless_the_topic_says_otherwise() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let large = client.topic("large", &[("MaximumMessageSize", "1048576")]).await;
    for (topic, most) in [(&topic, 256 * 1024), (&large, 1024 * 1024)] {
        let text = "x".repeat(most - "name".len() - "String".len() - "v".len());
        let full = attributes(&[["name", "String", "v"]]);
        client.publish(topic, &text, &full).await;
        let longer = attributes(&[["name", "String", "vv"]]);
        let parameters = [("TopicArn", topic.as_str()), ("Message", text.as_str())];
        let answer = client.sns_with("Publish", &parameters, &longer).await;
        assert_eq!(refused(&answer), invalid("Message too long"), "{most}");
    }
}

// P46
#[tokio::test]
async fn texts_that_the_service_does_not_take_are_refused() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let arn = ("TopicArn", topic.as_str());
    assert_eq!(refused(&client.sns("Publish", &[arn, ("Message", "")]).await), invalid("Empty message"));
    for text in ["\0", "\u{b}", "a\u{fffe}", "\u{ffff}"] {
        let answer = client.sns("Publish", &[arn, ("Message", text)]).await;
        assert_eq!((answer.status, answer.xml("Code")), (400, "InvalidParameter"), "{text:?}");
    }
    let longer = "s".repeat(101);
    for subject in ["", "two\nlines", longer.as_str()] {
        let answer = client.sns("Publish", &[arn, ("Message", "a"), ("Subject", subject)]).await;
        assert_eq!(refused(&answer), invalid("Subject"));
    }
    let answer = client.sns("Publish", &[("Message", "a")]).await;
    assert_eq!(refused(&answer), invalid("TopicArn or TargetArn Reason: no value for required parameter"));
    assert_eq!(client.sns("Publish", &[arn]).await.xml("Code"), "ValidationError");
}

#[tokio::test]
async fn a_message_can_have_a_text_for_queues_and_then_sends_no_attributes() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let url = client.subscribed(&topic, "q", &[("RawMessageDelivery", "true")]).await;
    let json = |message: &'static str| [("Message", message), ("MessageStructure", "json")];
    for (message, text) in [
        (r#"{"default": "all", "sqs": "queues", "email": "people"}"#, "queues"),
        (r#"{"default": "all", "sqs": 1}"#, "all"),
    ] {
        let parameters = [&[("TopicArn", topic.as_str())][..], &json(message)].concat();
        let answer = client.sns_with("Publish", &parameters, &attributes(&[["n", "Number", "1"]])).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let messages = client.received(&url).await;
        assert_eq!((messages.len(), messages[0]["Body"].as_str()), (1, Some(text)));
        assert!(messages[0].get("MessageAttributes").is_none());
    }
    for (message, reason) in [
        (r#"{"sqs": "queues"}"#, "No default entry in JSON message body"),
        (r#"{"default": 1}"#, "No default entry in JSON message body"),
        ("{\"default\"}", "JSON message body failed to parse"),
        ("text", "JSON message body failed to parse"),
    ] {
        let parameters = [&[("TopicArn", topic.as_str())][..], &json(message)].concat();
        let answer = client.sns("Publish", &parameters).await;
        assert_eq!(refused(&answer), invalid(&format!("Message Structure - {reason}")));
    }
}

#[tokio::test]
async fn a_standard_topic_takes_a_group_for_fair_queues_and_no_deduplication_id() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let url = client.subscribed(&topic, "q", &[]).await;
    client.publish(&topic, "m", &[("MessageGroupId".to_owned(), "tenant")]).await;
    let messages = client.received(&url).await;
    assert_eq!(messages[0]["Attributes"]["MessageGroupId"], "tenant");
    let arn = [("TopicArn", topic.as_str()), ("Message", "m")];
    let answer = client.sns("Publish", &[&arn[..], &[("MessageDeduplicationId", "d")]].concat()).await;
    let reason = "MessageDeduplicationId Reason: The request includes MessageDeduplicationId parameter that is not \
        valid for this topic type";
    assert_eq!(refused(&answer), invalid(reason));
    let long = "g".repeat(129);
    for group in ["", "a b", "é", long.as_str()] {
        let answer = client.sns("Publish", &[&arn[..], &[("MessageGroupId", group)]].concat()).await;
        assert_eq!(answer.xml("Code"), "InvalidParameter", "{group:?}");
    }
}

#[tokio::test]
async fn the_header_of_a_trace_travels_with_the_copy() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let url = client.subscribed(&topic, "q", &[]).await;
    let trace = "Root=1-3152b799-8954dae64eda91bc9a23a7e8;Parent=7fa8c0f79203be72;Sampled=1";
    let head = format!("{}{}X-Amzn-Trace-Id: {trace}\r\n", crate::client::FORM, crate::client::AUTHORIZED);
    let body = format!("Action=Publish&Version=2010-03-31&Message=m&TopicArn={topic}");
    client.send("POST / ", &head, &body).await;
    assert_eq!(client.answer().await.unwrap().status, 200);
    assert_eq!(client.received(&url).await[0]["Attributes"]["AWSTraceHeader"], trace);
}
