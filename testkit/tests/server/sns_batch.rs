//! Publishing batches: what fails alone, and what lets the whole call fail.

use serde_json::json;

use crate::client::{Answer, Client};
use crate::sns_client::{attributes, invalid, refused};

/// The parameters of entries: ids and texts.
fn entries<'a>(entries: &[[&'a str; 2]]) -> Vec<(String, &'a str)> {
    let entry = |(number, [id, text]): (usize, &[&'a str; 2])| {
        let prefix = format!("PublishBatchRequestEntries.member.{}", number + 1);
        [(format!("{prefix}.Id"), *id), (format!("{prefix}.Message"), *text)]
    };
    entries.iter().enumerate().flat_map(entry).collect()
}

/// Parameters of the first entry.
fn of_first(parameters: Vec<(String, &str)>) -> impl Iterator<Item = (String, &str)> {
    let name = |(name, value)| (format!("PublishBatchRequestEntries.member.1.{name}"), value);
    parameters.into_iter().map(name)
}

async fn publish(client: &mut Client, topic: &str, parameters: &[(String, &str)]) -> Answer {
    client.sns_with("PublishBatch", &[("TopicArn", topic)], parameters).await
}

/// The ids in one of the two lists of an answer.
fn ids<'a>(answer: &'a Answer, list: &str) -> Vec<&'a str> {
    let (_, inside) = answer.body.split_once(&format!("<{list}>")).unwrap();
    let (inside, _) = inside.split_once(&format!("</{list}>")).unwrap();
    inside.split("<Id>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect()
}

#[tokio::test]
async fn entries_are_published_in_their_order_with_their_attributes() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let url = client.subscribed(&topic, "q", &[("RawMessageDelivery", "true")]).await;
    let names: Vec<_> = (1..=10).map(|number| format!("e-{number}_")).collect();
    let pairs: Vec<_> = names.iter().map(|name| [name.as_str(), name.as_str()]).collect();
    let mut parameters = entries(&pairs);
    parameters.extend(of_first(attributes(&[["a", "String", "v"]])));
    let answer = publish(&mut client, &topic, &parameters).await;
    assert_eq!(
        (ids(&answer, "Successful"), ids(&answer, "Failed")),
        (names.iter().map(String::as_str).collect(), vec![])
    );
    assert!(!answer.body.contains("SequenceNumber") && answer.xml("MessageId").len() == 36, "{answer:?}");
    let messages = client.received(&url).await;
    let first = messages.iter().find(|message| message["Body"] == "e-1_").unwrap();
    assert_eq!((messages.len(), &first["MessageAttributes"]["a"]["StringValue"]), (10, &json!("v")));
    assert_eq!(client.server.calls().of("PublishBatch"), 1);
}

#[tokio::test]
async fn what_breaks_the_rules_of_batches_fails_whole() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let url = client.subscribed(&topic, "q", &[]).await;
    let (long, half) = ("i".repeat(81), "x".repeat(128 * 1024));
    let eleven: Vec<_> = (0..11).map(|number| number.to_string()).collect();
    let eleven: Vec<_> = eleven.iter().map(|id| [id.as_str(), "m"]).collect();
    for (sent, code) in [
        (&[][..], "EmptyBatchRequest"),
        (&eleven, "TooManyEntriesInBatchRequest"),
        (&[["a", "m"], ["a", "n"]], "BatchEntryIdsNotDistinct"),
        (&[["a b", "m"]], "InvalidBatchEntryId"),
        (&[["", "m"]], "InvalidBatchEntryId"),
        (&[[long.as_str(), "m"]], "InvalidBatchEntryId"),
        (&[["a", half.as_str()], ["b", half.as_str()], ["c", "m"]], "BatchRequestTooLong"),
    ] {
        let answer = publish(&mut client, &topic, &entries(sent)).await;
        assert_eq!((answer.status, answer.xml("Code"), answer.xml("Type")), (400, code, "Sender"));
    }
    assert_eq!(
        publish(&mut client, &topic, &entries(&[["a", &half], ["b", &half]])).await.status,
        200,
        "256 KiB"
    );
    assert_eq!(client.received(&url).await.len(), 2);
    let missing = (404, "NotFound", "Topic does not exist".to_owned());
    assert_eq!(refused(&publish(&mut client, &format!("{topic}x"), &entries(&[["a", "m"]])).await), missing);
}

#[tokio::test]
async fn wrong_parameters_of_an_entry_fail_whole() {
    let mut client = Client::new().await;
    let standard = client.topic("a", &[]).await;
    let ordered = client.topic("a.fifo", &[("FifoTopic", "true")]).await;
    let group = ("MessageGroupId".to_owned(), "g");
    let required = "The MessageGroupId parameter is required for FIFO topics";
    let either = "The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided \
        explicitly";
    let structure = "Message Structure - JSON message body failed to parse";
    for (topic, parameters, reason) in [
        (&ordered, vec![], required),
        (&ordered, vec![group], either),
        (&standard, vec![("MessageStructure".to_owned(), "json")], structure),
    ] {
        let mut sent = entries(&[["1", "m"]]);
        sent.extend(of_first(parameters));
        assert_eq!(refused(&publish(&mut client, topic, &sent).await), invalid(reason));
    }
    let mut sent = entries(&[["1", "m"]]);
    sent.extend(of_first(attributes(&[["a", "Strange", "v"]])));
    assert_eq!(publish(&mut client, &standard, &sent).await.xml("Code"), "ParameterValueInvalid");
}

#[tokio::test]
async fn a_text_that_cannot_be_sent_fails_alone() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let url = client.subscribed(&topic, "q", &[("RawMessageDelivery", "true")]).await;
    let answer = publish(&mut client, &topic, &entries(&[["1", ""], ["2", "m"], ["3", "\0"]])).await;
    assert_eq!(
        (answer.status, ids(&answer, "Successful"), ids(&answer, "Failed")),
        (200, vec!["2"], vec!["1", "3"])
    );
    assert_eq!((answer.xml("Code"), answer.xml("SenderFault")), ("InvalidParameter", "true"));
    assert_eq!(client.bodies(&url).await, ["m"]);
}

#[tokio::test]
async fn entries_that_the_fault_script_fails_have_no_effect() {
    let mut client = Client::new().await;
    let topic = client.topic("a", &[]).await;
    let url = client.subscribed(&topic, "q", &[("RawMessageDelivery", "true")]).await;
    let script = json!([{
        "operation": "PublishBatch", "times": 1, "fault": { "partial": [null, "InternalError", "InvalidParameter"] },
    }]);
    assert_eq!(client.control("POST /_faults", &script.to_string()).await.status, 200);
    let sent = entries(&[["1", "a"], ["2", "b"], ["3", "c"], ["4", "d"]]);
    let answer = publish(&mut client, &topic, &sent).await;
    assert_eq!((ids(&answer, "Successful"), ids(&answer, "Failed")), (vec!["1", "4"], vec!["2", "3"]));
    let faults: Vec<_> =
        answer.body.split("<SenderFault>").skip(1).map(|rest| rest.starts_with("true")).collect();
    assert_eq!(faults, [false, true]);
    let mut bodies = client.bodies(&url).await;
    bodies.sort();
    assert_eq!(bodies, ["a", "d"]);
}
