//! Subscriptions: endpoints, attributes, lists.

use serde_json::json;

use crate::client::Client;
use crate::sns_client::{invalid, queue_arn, refused, topic_arn};

const NESTED: &str = "Filter policy scope MessageAttributes does not support nested filter policy";
const STANDARD: &str = "RedrivePolicy: must use a FIFO queue as DLQ for a FIFO Subscription to a FIFO Topic.";

/// The value of an attribute in the answer's map.
fn attribute(body: &str, name: &str) -> Option<String> {
    let (_, after) = body.split_once(&format!("<key>{name}</key><value>"))?;
    Some(after.split_once("</value>")?.0.replace("&quot;", "\""))
}

#[tokio::test]
async fn only_queues_are_subscribed_by_their_arns() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let queue = queue_arn("q");
    for (protocol, endpoint, reason) in [
        ("smoke", queue.as_str(), "Amazon SNS does not support this protocol string: smoke"),
        ("email", "a@b.c", "Protocol Reason: this test server delivers to sqs only, not to email"),
        ("sqs", "http://127.0.0.1/000000000000/q", "SQS endpoint ARN"),
        ("sqs", topic.as_str(), "SQS endpoint ARN"),
        ("sqs", "", "SQS endpoint ARN"),
    ] {
        let parameters = [("TopicArn", topic.as_str()), ("Protocol", protocol), ("Endpoint", endpoint)];
        assert_eq!(refused(&client.sns("Subscribe", &parameters).await), invalid(reason));
    }
    let fifo =
        "Invalid parameter: Endpoint Reason: FIFO SQS Queues can not be subscribed to standard SNS topics";
    assert_eq!(refused(&client.subscribe(&topic, "q.fifo", &[]).await), invalid(fifo));
    let ordered = client.topic("a.fifo", &[("FifoTopic", "true")]).await;
    assert_eq!(client.subscribe(&ordered, "q", &[]).await.status, 200, "a standard queue may");
    assert_eq!(client.subscribe(&ordered, "q.fifo", &[]).await.status, 200);
}

#[tokio::test]
async fn subscribing_again_answers_the_subscription_unless_it_is_to_be_another() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let raw = [("RawMessageDelivery", "true")];
    let arn = client.subscribe(&topic, "q", &raw).await.xml("SubscriptionArn").to_owned();
    assert!(arn.starts_with(&format!("{topic}:")) && arn.len() == topic.len() + 37, "{arn}");
    assert_eq!(client.subscribe(&topic, "q", &raw).await.xml("SubscriptionArn"), arn);
    assert_eq!(client.subscribe(&topic, "q", &[]).await.xml("SubscriptionArn"), arn);
    let answer = client.subscribe(&topic, "q", &[("RawMessageDelivery", "false")]).await;
    let reason = "Attributes Reason: Subscription already exists with different attributes";
    assert_eq!(refused(&answer), invalid(reason));
    assert_ne!(client.subscribe(&topic, "r", &raw).await.xml("SubscriptionArn"), arn);
}

#[tokio::test]
async fn a_subscription_shows_its_attributes_and_the_scope_only_with_a_policy() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let scope = [("FilterPolicyScope", "MessageBody")];
    let arn = client.subscribe(&topic, "q", &scope).await.xml("SubscriptionArn").to_owned();
    let body = client.sns("GetSubscriptionAttributes", &[("SubscriptionArn", &arn)]).await.body;
    for (name, value) in [
        ("SubscriptionArn", Some(arn.as_str())),
        ("TopicArn", Some(topic.as_str())),
        ("Endpoint", Some(queue_arn("q").as_str())),
        ("Protocol", Some("sqs")),
        ("Owner", Some("000000000000")),
        ("RawMessageDelivery", Some("false")),
        ("PendingConfirmation", Some("false")),
        ("ConfirmationWasAuthenticated", Some("true")),
        ("FilterPolicyScope", None),
        ("FilterPolicy", None),
        ("RedrivePolicy", None),
    ] {
        assert_eq!(attribute(&body, name).as_deref(), value, "{name}");
    }
    let policy = r#"{"a":{"b":["c"]}}"#;
    let set =
        [("SubscriptionArn", arn.as_str()), ("AttributeName", "FilterPolicy"), ("AttributeValue", policy)];
    assert_eq!(client.sns("SetSubscriptionAttributes", &set).await.status, 200);
    let body = client.sns("GetSubscriptionAttributes", &[("SubscriptionArn", &arn)]).await.body;
    assert_eq!(attribute(&body, "FilterPolicyScope").as_deref(), Some("MessageBody"));
    assert_eq!(attribute(&body, "FilterPolicy").as_deref(), Some(policy));
    let unset =
        [("SubscriptionArn", arn.as_str()), ("AttributeName", "FilterPolicy"), ("AttributeValue", "")];
    client.sns("SetSubscriptionAttributes", &unset).await;
    let body = client.sns("GetSubscriptionAttributes", &[("SubscriptionArn", &arn)]).await.body;
    assert_eq!(attribute(&body, "FilterPolicy"), None);
}

#[tokio::test]
async fn attributes_that_are_none_or_take_other_values_are_refused() {
    let mut client = Client::new().await;
    let topic = client.topic("a.fifo", &[("FifoTopic", "true")]).await;
    let arn = client.subscribe(&topic, "q.fifo", &[]).await.xml("SubscriptionArn").to_owned();
    let standard = json!({ "deadLetterTargetArn": queue_arn("dead") }).to_string();
    for (name, value, reason) in [
        ("Colour", "red", "AttributeName"),
        (
            "RawMessageDelivery",
            "perhaps",
            "RawMessageDelivery: Invalid value [perhaps]. Must be true or false.",
        ),
        ("RawMessageDelivery", "", "RawMessageDelivery: Invalid value []. Must be true or false."),
        (
            "FilterPolicyScope",
            "Moon",
            "FilterPolicyScope: Invalid value [Moon]. Please use either MessageBody or MessageAttributes",
        ),
        ("FilterPolicy", r#"{"a": "b"}"#, r#"FilterPolicy: "a" must be an object or an array"#),
        ("FilterPolicy", r#"{"a": {"b": ["c"]}}"#, NESTED),
        (
            "RedrivePolicy",
            r#"{"deadLetterTargetArn": "fake"}"#,
            "RedrivePolicy: deadLetterTargetArn is an invalid arn",
        ),
        ("RedrivePolicy", standard.as_str(), STANDARD),
    ] {
        let set = [("SubscriptionArn", arn.as_str()), ("AttributeName", name), ("AttributeValue", value)];
        assert_eq!(refused(&client.sns("SetSubscriptionAttributes", &set).await), invalid(reason));
        if name != "Colour" {
            let answer = client.subscribe(&topic, "r.fifo", &[(name, value)]).await;
            assert_eq!(refused(&answer), invalid(&format!("Attributes Reason: {reason}")));
        }
    }
}

#[tokio::test]
async fn a_subscription_ends_by_itself_or_with_its_topic() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let url = client.subscribed(&topic, "q", &[]).await;
    let arn = client.subscribe(&topic, "q", &[]).await.xml("SubscriptionArn").to_owned();
    for _ in 0..2 {
        assert_eq!(client.sns("Unsubscribe", &[("SubscriptionArn", &arn)]).await.status, 200);
    }
    client.publish(&topic, "a", &[]).await;
    assert!(client.bodies(&url).await.is_empty());
    let missing = (404, "NotFound", "Subscription does not exist".to_owned());
    let one = [("SubscriptionArn", arn.as_str())];
    assert_eq!(refused(&client.sns("GetSubscriptionAttributes", &one).await), missing);
    let set = [one[0], ("AttributeName", "RawMessageDelivery"), ("AttributeValue", "true")];
    assert_eq!(refused(&client.sns("SetSubscriptionAttributes", &set).await), missing);
    let answer = client.sns("Unsubscribe", &[("SubscriptionArn", "x")]).await;
    let reason = "SubscriptionArn Reason: An ARN must have at least 6 elements, not 1";
    assert_eq!(refused(&answer), invalid(reason));
    client.subscribe(&topic, "q", &[]).await;
    client.sns("DeleteTopic", &[("TopicArn", &topic)]).await;
    assert!(!client.sns("ListSubscriptions", &[]).await.body.contains("<member>"));
}

#[tokio::test]
async fn subscriptions_are_listed_in_all_and_by_topic_in_pages() {
    let mut client = Client::new().await;
    let (large, small) = (client.topic("large", &[]).await, client.topic("small", &[]).await);
    for number in 0..101 {
        client.subscribe(&large, &format!("q{number}"), &[]).await;
    }
    client.subscribe(&small, "q", &[]).await;
    let body = client.sns("ListSubscriptionsByTopic", &[("TopicArn", &small)]).await.body;
    for text in
        ["<Protocol>sqs</Protocol>", "<Owner>000000000000</Owner>", &queue_arn("q"), &topic_arn("small")]
    {
        assert!(body.contains(text), "{text} in {body}");
    }
    let first = client.sns("ListSubscriptionsByTopic", &[("TopicArn", &large)]).await;
    let next = [("TopicArn", large.as_str()), ("NextToken", first.xml("NextToken"))];
    let second = client.sns("ListSubscriptionsByTopic", &next).await;
    let counts = [&first, &second].map(|answer| answer.body.matches("<member>").count());
    assert_eq!((counts, second.xml("NextToken")), ([100, 1], ""));
    assert_eq!(client.sns("ListSubscriptions", &[]).await.body.matches("<member>").count(), 100);
}

#[tokio::test]
async fn a_topic_for_large_messages_has_at_most_a_hundred_subscriptions() {
    let mut client = Client::new().await;
    let large = client.topic("large", &[("MaximumMessageSize", "262145")]).await;
    for number in 0..100 {
        assert_eq!(client.subscribe(&large, &format!("q{number}"), &[]).await.status, 200);
    }
    assert_eq!(client.subscribe(&large, "q", &[]).await.xml("Code"), "InvalidParameter");
}
