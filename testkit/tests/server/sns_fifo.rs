//! Ordered topics: groups, numbers, deduplication.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::sns_client::{invalid, refused};

const FIFO: (&str, &str) = ("FifoTopic", "true");
const RAW: (&str, &str) = ("RawMessageDelivery", "true");

/// Publishes with a group and a deduplication id.
async fn publish(client: &mut Client, topic: &str, [text, group, id]: [&str; 3]) -> Answer {
    let more = [("MessageGroupId".to_owned(), group), ("MessageDeduplicationId".to_owned(), id)];
    client.publish(topic, text, &more).await
}

fn sequence(answer: &Answer) -> u64 {
    answer.xml("SequenceNumber").parse().unwrap()
}

#[tokio::test]
async fn a_message_needs_a_group_and_a_deduplication_id_or_a_content_that_makes_one() {
    let mut client = Client::new().await;
    let topic = client.topic("a.fifo", &[FIFO]).await;
    let parameters = [("TopicArn", topic.as_str()), ("Message", "m"), ("MessageGroupId", "g")];
    let answer = client.sns("Publish", &parameters[..2]).await;
    assert_eq!(refused(&answer), invalid("The MessageGroupId parameter is required for FIFO topics"));
    let answer = client.sns("Publish", &parameters).await;
    let either = "The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided \
        explicitly";
    assert_eq!(refused(&answer), invalid(either));
    let by_content = client.topic("b.fifo", &[FIFO, ("ContentBasedDeduplication", "true")]).await;
    let url = client.subscribed(&by_content, "q.fifo", &[RAW]).await;
    for _ in 0..2 {
        client.publish(&by_content, "Test", &[("MessageGroupId".to_owned(), "g")]).await;
    }
    let messages = client.received(&url).await;
    // SHA-256 of "Test"
    let digest = "532eaabd9574880dbf76b9b8cc00832c20a6ec113d682299550d7a6e0f345e25";
    assert_eq!((messages.len(), &messages[0]["Attributes"]["MessageDeduplicationId"]), (1, &json!(digest)));
}

#[tokio::test]
async fn group_and_deduplication_id_are_carried_to_ordered_queues_in_order() {
    let mut client = Client::new().await;
    let topic = client.topic("a.fifo", &[FIFO]).await;
    let url = client.subscribed(&topic, "q.fifo", &[RAW]).await;
    let mut numbers = Vec::new();
    for text in ["1", "2", "3"] {
        numbers.push(sequence(&publish(&mut client, &topic, [text, "g", text]).await));
    }
    assert!(
        numbers.is_sorted_by(|one, next| one < next) && numbers[0].to_string().len() == 20,
        "{numbers:?}"
    );
    let messages = client.received(&url).await;
    let told = |message: &Value| {
        let attributes = &message["Attributes"];
        [&message["Body"], &attributes["MessageGroupId"], &attributes["MessageDeduplicationId"]]
            .map(Value::clone)
    };
    let told: Vec<_> = messages.iter().map(told).collect();
    assert_eq!(told, [["1", "g", "1"], ["2", "g", "2"], ["3", "g", "3"]].map(|all| all.map(Value::from)));
}

#[tokio::test]
async fn a_notification_of_an_ordered_topic_has_its_number_and_no_signature() {
    let mut client = Client::new().await;
    let topic = client.topic("a.fifo", &[FIFO]).await;
    let url = client.subscribed(&topic, "q.fifo", &[]).await;
    let answer = publish(&mut client, &topic, ["m", "g", "d"]).await;
    let body: Value = serde_json::from_str(&client.bodies(&url).await[0]).unwrap();
    assert_eq!(body["SequenceNumber"], answer.xml("SequenceNumber"));
    let mut names: Vec<_> = body.as_object().unwrap().keys().collect();
    names.sort();
    assert_eq!(
        names,
        ["Message", "MessageId", "SequenceNumber", "Timestamp", "TopicArn", "Type", "UnsubscribeURL"]
    );
}

#[tokio::test]
async fn a_repeat_within_five_minutes_is_answered_and_not_delivered() {
    let mut client = Client::new().await;
    let topic = client.topic("a.fifo", &[FIFO]).await;
    // A standard queue deduplicates nothing, so that what it has is what the topic delivered.
    let url = client.subscribed(&topic, "q", &[RAW]).await;
    let first = publish(&mut client, &topic, ["first", "g", "d"]).await;
    for group in ["g", "h"] {
        let again = publish(&mut client, &topic, ["again", group, "d"]).await;
        let told = |answer: &Answer| (answer.xml("MessageId").to_owned(), sequence(answer));
        assert_eq!(told(&again), told(&first));
    }
    client.server.advance(Duration::from_secs(299));
    publish(&mut client, &topic, ["before", "g", "d"]).await;
    client.server.advance(Duration::from_secs(1));
    publish(&mut client, &topic, ["after", "g", "d"]).await;
    let messages = client.received(&url).await;
    let mut bodies: Vec<_> = messages.iter().map(|message| message["Body"].as_str().unwrap()).collect();
    bodies.sort_unstable();
    assert_eq!(bodies, ["after", "first"]);
    assert!(messages[0]["Attributes"].get("MessageDeduplicationId").is_none());
}

#[tokio::test]
async fn deduplication_counts_within_the_group_where_the_topic_says_so() {
    let mut client = Client::new().await;
    let topic = client.topic("a.fifo", &[FIFO, ("FifoThroughputScope", "MessageGroup")]).await;
    let url = client.subscribed(&topic, "q", &[RAW]).await;
    for group in ["g", "h", "g"] {
        publish(&mut client, &topic, ["m", group, "d"]).await;
    }
    assert_eq!(client.received(&url).await.len(), 2);
}

#[tokio::test]
async fn a_batch_is_numbered_and_deduplicated_within_itself() {
    let mut client = Client::new().await;
    let topic = client.topic("a.fifo", &[FIFO]).await;
    let url = client.subscribed(&topic, "q.fifo", &[RAW]).await;
    let mut parameters = vec![("TopicArn".to_owned(), topic.clone())];
    for (number, id) in ["x", "y", "x"].iter().enumerate() {
        let prefix = format!("PublishBatchRequestEntries.member.{}", number + 1);
        for (name, value) in [
            ("Id", number.to_string()),
            ("Message", number.to_string()),
            ("MessageGroupId", "g".to_owned()),
            ("MessageDeduplicationId", (*id).to_owned()),
        ] {
            parameters.push((format!("{prefix}.{name}"), value));
        }
    }
    let parameters: Vec<_> = parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let answer = client.sns("PublishBatch", &parameters).await;
    let numbers: Vec<u64> = answer
        .body
        .split("<SequenceNumber>")
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap().parse().unwrap())
        .collect();
    assert!(numbers[0] < numbers[1] && numbers[2] == numbers[0], "{answer:?}");
    assert_eq!(client.bodies(&url).await, ["0", "1"]);
}
