//! Publishes: what is sent, and what comes back.

use std::time::Duration;

use queue_core::QueueErrorKind::{Indeterminate, Permanent, Transient};
use queue_core::{AttributeValue, Outgoing, Publisher, Rejected};
use serde_json::json;

use crate::recorded::{FIFO, URL, queue};

fn sent(ids: &[&str]) -> String {
    let entry = |id: &&str| json!({ "Id": id, "MessageId": format!("m{id}"), "MD5OfMessageBody": "x" });
    json!({ "Successful": ids.iter().map(entry).collect::<Vec<_>>(), "Failed": [] }).to_string()
}

#[tokio::test]
async fn a_message_goes_out_with_what_it_has_and_nothing_else() {
    let (queue, service) = queue(URL, &[(200, &sent(&["0", "1"]))]).await;
    let full = Outgoing::new("a")
        .with_attribute("text", "b")
        .with_attribute("bytes", AttributeValue::binary([0, 255]).with_label("png"))
        .with_group_key("tenant-1") // fair queues
        .with_delay(Duration::from_millis(500));
    let answers = queue.publish(vec![full, Outgoing::new("a")]).await;
    let ids: Vec<_> = answers.into_iter().map(|answer| answer.unwrap().to_string()).collect();
    assert_eq!(ids, ["m0", "m1"]);
    let attributes = json!({
        "text": { "DataType": "String", "StringValue": "b" },
        "bytes": { "DataType": "Binary.png", "BinaryValue": "AP8=" },
    });
    let expected = json!({ "QueueUrl": URL, "Entries": [
        { "Id": "0", "MessageBody": "a", "MessageAttributes": attributes, "MessageGroupId": "tenant-1", "DelaySeconds": 1 },
        { "Id": "1", "MessageBody": "a" },
    ]});
    assert_eq!(service.only(), expected);
}

// Q8, Q9
#[tokio::test]
async fn a_fifo_queue_gets_groups_and_deduplication_ids() {
    let (queue, service) = queue(FIFO, &[(200, &sent(&["0"]))]).await;
    let whole = Outgoing::new("a").with_group_key("g").with_deduplication_id("d");
    let messages =
        vec![whole, Outgoing::new("a").with_group_key("g"), Outgoing::new("a").with_deduplication_id("d")];
    let kinds: Vec<_> =
        queue.publish(messages).await.iter().map(|a| a.as_ref().err().map(Rejected::kind)).collect();
    assert_eq!(kinds, [None, Some(Permanent), Some(Permanent)]);
    let entries =
        json!([{ "Id": "0", "MessageBody": "a", "MessageGroupId": "g", "MessageDeduplicationId": "d" }]);
    assert_eq!(service.only()["Entries"], entries);
}

// Q6, Q11, P34
#[tokio::test]
async fn each_entry_has_its_own_answer_and_what_breaks_a_limit_is_not_sent() {
    let answer = json!({
        "Successful": [{ "Id": "4", "MessageId": "m4", "MD5OfMessageBody": "x" }],
        "Failed": [
            { "Id": "3", "SenderFault": true, "Code": "InvalidMessageContents", "Message": "a reason" },
            { "Id": "0", "SenderFault": false, "Code": "InternalError", "Message": "a reason" },
        ],
    });
    let (queue, service) = queue(URL, &[(200, &answer.to_string())]).await;
    let bodies = ["zero", "", "two", "three", "four"];
    let answers = queue.publish(bodies.map(Outgoing::new).into()).await;
    let kinds: Vec<_> =
        answers.iter().map(|a| a.as_ref().err().map(|r| (r.message().body(), r.kind()))).collect();
    let expected = [
        Some(("zero", Transient)),
        Some(("", Permanent)),
        Some(("two", Indeterminate)),
        Some(("three", Permanent)),
        None,
    ];
    assert_eq!(kinds, expected);
    let sent: Vec<_> =
        service.only()["Entries"].as_array().unwrap().iter().map(|e| e["Id"].clone()).collect();
    assert_eq!(sent, ["0", "2", "3", "4"]);
}

// Q6, Q11
#[tokio::test]
async fn a_batch_of_which_nothing_can_be_sent_makes_no_call() {
    let (queue, service) = queue(URL, &[]).await;
    assert!(queue.publish(vec![]).await.is_empty());
    assert!(queue.publish(vec![Outgoing::new(""); 2]).await.iter().all(Result::is_err));
    let too_many = queue.publish(vec![Outgoing::new("a"); 11]).await;
    assert!(too_many.iter().all(|answer| answer.as_ref().unwrap_err().kind() == Permanent));
    assert_eq!(service.operations(), [""; 0]);
}

// Q6
#[tokio::test]
async fn an_answer_that_is_no_answer_is_indeterminate_for_each_entry_it_covered() {
    let (queue, _service) = queue(URL, &[(200, "<html>proxy</html>")]).await;
    let answers = queue.publish(vec![Outgoing::new("a"), Outgoing::new(""), Outgoing::new("c")]).await;
    let kinds: Vec<_> = answers.iter().map(|answer| answer.as_ref().unwrap_err().kind()).collect();
    assert_eq!(kinds, [Indeterminate, Permanent, Indeterminate]);
}
