//! Filter policies, over the wire.

use crate::client::Client;
use crate::sns_client::{attributes, invalid, map, refused};

#[tokio::test]
async fn filters_choose_by_attributes_or_by_the_body() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let raw = ("RawMessageDelivery", "true");
    let by_attribute =
        [raw, ("FilterPolicy", r#"{"type": ["order", {"prefix": "re"}], "price": [{"numeric": [">", 5]}]}"#)];
    let by_body = [
        raw,
        ("FilterPolicy", r#"{"order": {"state": [{"anything-but": "open"}]}}"#),
        ("FilterPolicyScope", "MessageBody"),
    ];
    let orders = client.subscribed(&topic, "orders", &by_attribute).await;
    let closed = client.subscribed(&topic, "closed", &by_body).await;
    for (text, kind, price) in [
        (r#"{"order": {"state": "open"}}"#, "order", "6"),
        (r#"{"order": {"state": "done"}}"#, "refund", "5.5"),
        (r#"{"order": {"state": "gone"}}"#, "order", "5"),
        ("text", "other", "7"),
    ] {
        client
            .publish(&topic, text, &attributes(&[["type", "String", kind], ["price", "Number", price]]))
            .await;
    }
    let states = |bodies: Vec<String>| {
        let mut bodies: Vec<_> = bodies.iter().map(|body| body[21..25].to_owned()).collect();
        bodies.sort();
        bodies
    };
    assert_eq!(states(client.bodies(&orders).await), ["done", "open"]);
    assert_eq!(states(client.bodies(&closed).await), ["done", "gone"]);
    let counts = client.server.deliveries();
    assert_eq!((counts.delivered, counts.filtered_out), (4, 4));
    let bad = map("Attributes", &[("FilterPolicy", r#"{"a": []}"#)]);
    let endpoint = [
        ("TopicArn", topic.as_str()),
        ("Protocol", "sqs"),
        ("Endpoint", "arn:aws:sqs:us-east-1:000000000000:q"),
    ];
    let answer = client.sns_with("Subscribe", &endpoint, &bad).await;
    assert_eq!(refused(&answer), invalid("Attributes Reason: FilterPolicy: Empty arrays are not allowed"));
}
