//! Batches: what is refused as a whole, and what is told of each entry.

use serde_json::{Value, json};
use testkit::server::{Fault, FaultScript, Rule};

use crate::sqs::Sqs;

/// The operations, each with an entry that lacks its id.
fn operations() -> [(&'static str, Value); 3] {
    [
        ("SendMessageBatch", json!({ "MessageBody": "a" })),
        ("DeleteMessageBatch", json!({ "ReceiptHandle": "a" })),
        ("ChangeMessageVisibilityBatch", json!({ "ReceiptHandle": "a", "VisibilityTimeout": 1 })),
    ]
}

fn entries(entry: &Value, ids: &[&str]) -> Value {
    let with = |id: &&str| {
        let mut entry = entry.clone();
        entry["Id"] = json!(id);
        entry
    };
    json!({ "Entries": ids.iter().map(with).collect::<Vec<_>>() })
}

// Amazon SQS API Reference, `SendMessageBatch`
#[tokio::test]
async fn a_batch_that_breaks_a_rule_is_refused_as_a_whole() {
    let mut sqs = Sqs::new(json!({})).await;
    let (long, eleven) = ("i".repeat(81), ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]);
    for (operation, entry) in operations() {
        let cases: [(&[&str], &str); 6] = [
            (&[], "EmptyBatchRequest"),
            (&eleven, "TooManyEntriesInBatchRequest"),
            (&["a", "a"], "BatchEntryIdsNotDistinct"),
            (&["a.b"], "InvalidBatchEntryId"),
            (&[""], "InvalidBatchEntryId"),
            (&[&long], "InvalidBatchEntryId"),
        ];
        for (ids, name) in cases {
            let answer = sqs.call(operation, entries(&entry, ids)).await;
            let code = format!("AWS.SimpleQueueService.{name};Sender");
            assert_eq!(
                answer.error(),
                (400, format!("com.amazonaws.sqs#{name}"), Some(&*code)),
                "{operation}"
            );
        }
        sqs.done(operation, entries(&entry, &[&"i".repeat(80), "A-z_0"])).await;
    }
    let many = sqs.refused("SendMessageBatch", entries(&operations()[0].1, &eleven)).await.1;
    assert_eq!(many, "Maximum number of entries per request are 10. You have sent 11.");
}

// P48, P49
#[tokio::test]
async fn a_batch_has_a_mebibyte_at_most() {
    let mut sqs = Sqs::new(json!({})).await;
    for (last, fits) in [(576, true), (577, false)] {
        let bodies = [524_000, 524_000, last].map(|bytes| "x".repeat(bytes));
        let entries: Vec<_> = bodies
            .iter()
            .enumerate()
            .map(|(n, body)| json!({ "Id": n.to_string(), "MessageBody": body }))
            .collect();
        let input = json!({ "Entries": entries });
        if fits {
            sqs.done("SendMessageBatch", input).await;
        } else {
            let (name, message) = sqs.refused("SendMessageBatch", input).await;
            assert_eq!(name, "BatchRequestTooLong");
            let says = "Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes.";
            assert_eq!(message, says);
        }
    }
}

// Q6, P34
#[tokio::test]
async fn an_entry_that_fails_says_why_and_the_others_are_stored() {
    let mut sqs = Sqs::new(json!({})).await;
    let entries = json!([
        { "Id": "good", "MessageBody": "a" },
        { "Id": "characters", "MessageBody": "\u{1}" },
        { "Id": "delay", "MessageBody": "a", "DelaySeconds": 901 },
        { "Id": "too", "MessageBody": "b" },
    ]);
    let answer = sqs.done("SendMessageBatch", json!({ "Entries": entries })).await;
    let ids = |list: &str| -> Vec<_> {
        answer[list].as_array().unwrap().iter().map(|entry| entry["Id"].clone()).collect()
    };
    assert_eq!(
        (ids("Successful"), ids("Failed")),
        (vec![json!("good"), json!("too")], vec![json!("characters"), json!("delay")])
    );
    let codes: Vec<_> =
        answer["Failed"].as_array().unwrap().iter().map(|entry| entry["Code"].clone()).collect();
    assert_eq!(codes, ["InvalidMessageContents", "InvalidParameterValue"]);
    assert!(answer["Failed"].as_array().unwrap().iter().all(|entry| entry["SenderFault"] == true));
    assert_eq!(answer["Successful"][0]["MD5OfMessageBody"], "0cc175b9c0f1b6a831c399e269772661");
    assert_eq!(sqs.bodies(json!({})).await, ["a", "b"]);
}

// P33, P34
#[tokio::test]
async fn entries_that_the_fault_script_fails_have_no_effect() {
    let mut sqs = Sqs::new(json!({})).await;
    let codes = [Some("InternalError"), None, Some("InvalidMessageContents")];
    let script =
        |operation: &str| FaultScript::new([Rule::new(Fault::partial(codes)).with_operation(operation)]);
    sqs.client.server.faults(script("SendMessageBatch"));
    let bodies: Vec<_> =
        ["a", "b", "c", "d"].map(|body| json!({ "Id": body, "MessageBody": body })).into_iter().collect();
    let answer = sqs.done("SendMessageBatch", json!({ "Entries": bodies })).await;
    let failed = |answer: &Value| -> Vec<_> {
        let entries = answer["Failed"].as_array().unwrap().iter();
        entries
            .map(|entry| (entry["Id"].clone(), entry["Code"].clone(), entry["SenderFault"].clone()))
            .collect()
    };
    let expected = |first: &str, third: &str| {
        vec![
            (json!(first), json!("InternalError"), json!(false)),
            (json!(third), json!("InvalidMessageContents"), json!(true)),
        ]
    };
    assert_eq!(failed(&answer), expected("a", "c"));
    sqs.client.server.heal();
    sqs.send("e").await;
    let messages = sqs.receive(json!({})).await;
    assert_eq!(messages.iter().map(crate::sqs::body).collect::<Vec<_>>(), ["b", "d", "e"]);
    sqs.client.server.faults(script("DeleteMessageBatch"));
    let handles: Vec<_> = messages
        .iter()
        .map(|message| json!({ "Id": message["Body"], "ReceiptHandle": message["ReceiptHandle"] }))
        .collect();
    let answer = sqs.done("DeleteMessageBatch", json!({ "Entries": handles })).await;
    assert_eq!(failed(&answer), expected("b", "e"));
    sqs.advance(30);
    assert_eq!(sqs.bodies(json!({})).await, ["b", "e"]);
}

// P36
#[tokio::test]
async fn settling_in_a_batch_tells_of_each_handle() {
    let mut sqs = Sqs::new(json!({})).await;
    let handle = sqs.handle("a").await;
    let entries =
        json!([{ "Id": "1", "ReceiptHandle": handle }, { "Id": "2", "ReceiptHandle": "no handle" }]);
    let answer = sqs.done("DeleteMessageBatch", json!({ "Entries": entries })).await;
    assert_eq!(answer["Successful"], json!([{ "Id": "1" }]));
    let failed = &answer["Failed"][0];
    assert_eq!((&failed["Code"], &failed["SenderFault"]), (&json!("ReceiptHandleIsInvalid"), &json!(true)));
    let again = json!([{ "Id": "1", "ReceiptHandle": handle }, { "Id": "2", "ReceiptHandle": handle }]);
    let answer = sqs.done("DeleteMessageBatch", json!({ "Entries": again })).await;
    assert_eq!(answer, json!({ "Successful": [{ "Id": "1" }, { "Id": "2" }] }));
}
