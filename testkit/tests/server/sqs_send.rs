//! What a send is checked for, and what it answers.

use serde_json::{Value, json};

use crate::sqs::Sqs;

const MIB: usize = 1_048_576;

fn text(value: &str) -> Value {
    json!({ "DataType": "String", "StringValue": value })
}

// Amazon SQS Developer Guide, "Calculating the MD5 message digest for message attributes"
#[tokio::test]
async fn the_digests_of_body_and_attributes_are_answered() {
    let mut sqs = Sqs::new(json!({})).await;
    let attributes = json!({
        "attribName1": text("attribValue 1"),
        "customNumberTypeAttrib":
            { "DataType": "Number.float", "StringValue": "4563442423554324324264524243.32543234" },
        "binaryAttribute": { "DataType": "Binary", "BinaryValue": "SGVsbG8gYmluYXJ5IHdvcmxkIQ==" },
    });
    let answer =
        sqs.done("SendMessage", json!({ "MessageBody": "msg", "MessageAttributes": attributes })).await;
    assert_eq!(answer["MD5OfMessageBody"], "6e2baaf3b97dbeef01c0043275f9a0e7");
    assert_eq!(answer["MD5OfMessageAttributes"], "c932db14a896c663f83c260297d594ff");
    assert_eq!(answer["MessageId"].as_str().unwrap().len(), 36);
    assert!(answer.get("SequenceNumber").is_none() && answer.get("MD5OfMessageSystemAttributes").is_none());
    let message = sqs.receive(json!({ "MessageAttributeNames": ["All"] })).await.remove(0);
    assert_eq!(message["MessageAttributes"], attributes);
    assert_eq!(message["MD5OfMessageAttributes"], answer["MD5OfMessageAttributes"]);
    assert_eq!(
        (&message["MD5OfBody"], &message["MessageId"]),
        (&answer["MD5OfMessageBody"], &answer["MessageId"])
    );
    let plain = sqs.send("msg").await;
    assert!(plain.get("MD5OfMessageAttributes").is_none());
}

// P48, P49
#[tokio::test]
async fn a_message_has_a_mebibyte_at_most_attributes_included() {
    let mut sqs = Sqs::new(json!({})).await;
    let attribute = json!({ "name": text("value") });
    let attribute_bytes = "name".len() + "String".len() + "value".len();
    for (bytes, attributes, fits) in [
        (262_145, json!({}), true),
        (MIB - 1, json!({}), true),
        (MIB, json!({}), true),
        (MIB + 1, json!({}), false),
        (MIB - attribute_bytes, attribute.clone(), true),
        (MIB - attribute_bytes + 1, attribute, false),
    ] {
        let input = json!({ "MessageBody": "x".repeat(bytes), "MessageAttributes": attributes });
        if fits {
            sqs.done("SendMessage", input).await;
        } else {
            let (name, message) = sqs.refused("SendMessage", input).await;
            assert_eq!(name, "InvalidParameterValueException");
            let says =
                "One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.";
            assert_eq!(message, says);
        }
    }
}

// P49
#[tokio::test]
async fn a_queue_may_take_less() {
    let mut sqs = Sqs::new(json!({ "MaximumMessageSize": "1024" })).await;
    sqs.send(&"x".repeat(1_024)).await;
    let entries = json!([
        { "Id": "a", "MessageBody": "x".repeat(1_025) },
        { "Id": "b", "MessageBody": "x" },
    ]);
    let answer = sqs.done("SendMessageBatch", json!({ "Entries": entries })).await;
    let failed = &answer["Failed"][0];
    assert_eq!((&failed["Id"], &failed["Code"]), (&json!("a"), &json!("InvalidParameterValue")));
    assert_eq!((&failed["SenderFault"], &answer["Successful"][0]["Id"]), (&json!(true), &json!("b")));
}

// P46
#[tokio::test]
async fn characters_that_xml_lacks_are_refused_and_others_come_back_byte_for_byte() {
    let mut sqs = Sqs::new(json!({})).await;
    for illegal in ["\u{0}", "\u{1f}", "a\u{fffe}", "\u{ffff}"] {
        let (name, message) = sqs.refused("SendMessage", json!({ "MessageBody": illegal })).await;
        assert_eq!(name, "InvalidMessageContents");
        assert!(message.starts_with("Invalid characters found."), "{message}");
        let attributes = json!({ "MessageBody": "a", "MessageAttributes": { "n": text(illegal) } });
        assert_eq!(sqs.refused("SendMessage", attributes).await.0, "InvalidMessageContents");
    }
    let odd = "\t\r\n <>&\"'\u{7f}\u{d7ff}\u{e000}\u{fffd}\u{10000}\u{10ffff}";
    sqs.send(odd).await;
    assert_eq!(sqs.bodies(json!({})).await, [odd]);
}

// P46
#[tokio::test]
async fn half_a_surrogate_is_no_json_that_the_service_reads() {
    let mut sqs = Sqs::new(json!({})).await;
    let body = format!(r#"{{"QueueUrl":"{}","MessageBody":"\ud800"}}"#, sqs.url);
    let head = format!(
        "{}{}X-Amz-Target: AmazonSQS.SendMessage\r\n",
        crate::client::JSON,
        crate::client::AUTHORIZED
    );
    sqs.client.send("POST / ", &head, &body).await;
    assert_eq!(sqs.client.answer().await.unwrap().status, 400);
}

#[tokio::test]
async fn a_body_is_needed_and_not_empty() {
    let mut sqs = Sqs::new(json!({})).await;
    for input in [json!({}), json!({ "MessageBody": "" })] {
        let (name, message) = sqs.refused("SendMessage", input).await;
        assert_eq!(name, "MissingRequiredParameterException");
        assert_eq!(message, "The request must contain the parameter MessageBody.");
    }
    assert_eq!(sqs.refused("SendMessage", json!({ "MessageBody": 7 })).await.0, "SerializationException");
}

// Amazon SQS Developer Guide, "Message attribute components"
#[tokio::test]
async fn attributes_have_names_types_and_values_that_the_service_allows() {
    let mut sqs = Sqs::new(json!({})).await;
    let many = |count: usize| (0..count).map(|n| (format!("n{n}"), text("v"))).collect::<Value>();
    let long = "n".repeat(257);
    for attributes in [
        many(11),
        json!({ "": text("v") }),
        json!({ long: text("v") }),
        json!({ "AWS.x": text("v") }),
        json!({ "amazon.x": text("v") }),
        json!({ ".x": text("v") }),
        json!({ "x.": text("v") }),
        json!({ "x..y": text("v") }),
        json!({ "x y": text("v") }),
        json!({ "x": text("") }),
        json!({ "x": { "DataType": "Binary", "BinaryValue": "" } }),
        json!({ "x": { "DataType": "Number", "StringValue": "seven" } }),
        json!({ "x": { "DataType": "Stringy", "StringValue": "v" } }),
        json!({ "x": { "DataType": "String" } }),
        json!({ "x": { "StringValue": "v" } }),
    ] {
        let input = json!({ "MessageBody": "a", "MessageAttributes": attributes });
        let (name, _) = sqs.refused("SendMessage", input).await;
        assert_eq!(name, "InvalidParameterValueException", "{attributes}");
    }
    let input = json!({ "MessageBody": "a", "MessageAttributes": { "ErrorDetails": text("") } });
    let says = "Message (user) attribute 'ErrorDetails' must contain a non-empty value of type 'String'.";
    assert_eq!(sqs.refused("SendMessage", input).await.1, says);
    sqs.done("SendMessage", json!({ "MessageBody": "a", "MessageAttributes": many(10) })).await;
}

#[tokio::test]
async fn a_trace_header_is_no_message_attribute_and_comes_back() {
    let mut sqs = Sqs::new(json!({})).await;
    let many: Value = (0..10).map(|n| (format!("n{n}"), text("v"))).collect();
    let header = json!({ "AWSTraceHeader": text("Root=1-5759e988") });
    let input = json!({ "MessageBody": "a", "MessageAttributes": many, "MessageSystemAttributes": header });
    let answer = sqs.done("SendMessage", input).await;
    assert_eq!(answer["MD5OfMessageSystemAttributes"].as_str().unwrap().len(), 32);
    let message = sqs.receive(json!({ "MessageSystemAttributeNames": ["AWSTraceHeader"] })).await.remove(0);
    assert_eq!(message["Attributes"], json!({ "AWSTraceHeader": "Root=1-5759e988" }));
    let other = json!({ "MessageBody": "a", "MessageSystemAttributes": { "Other": text("v") } });
    assert_eq!(sqs.refused("SendMessage", other).await.0, "InvalidParameterValueException");
}

#[tokio::test]
async fn a_delay_hides_a_message_for_a_quarter_of_an_hour_at_most() {
    let mut sqs = Sqs::new(json!({ "DelaySeconds": "5" })).await;
    for delay in [-1, 901] {
        let input = json!({ "MessageBody": "a", "DelaySeconds": delay });
        let (name, message) = sqs.refused("SendMessage", input).await;
        assert_eq!(name, "InvalidParameterValueException");
        assert_eq!(
            message,
            format!(
                "Value {delay} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900."
            )
        );
    }
    for (body, delay) in [("at once", json!(0)), ("the queue's", json!(null)), ("its own", json!(900))] {
        sqs.done("SendMessage", json!({ "MessageBody": body, "DelaySeconds": delay })).await;
    }
    assert_eq!(sqs.bodies(json!({})).await, ["at once"]);
    sqs.advance(5);
    assert_eq!(sqs.bodies(json!({})).await, ["the queue's"]);
    sqs.advance(895);
    assert!(sqs.bodies(json!({})).await.contains(&"its own".to_owned()));
}

// Amazon SQS Developer Guide, "Amazon SQS fair queues"
#[tokio::test]
async fn a_standard_queue_takes_a_group_and_no_deduplication_id() {
    let mut sqs = Sqs::new(json!({})).await;
    sqs.done("SendMessage", json!({ "MessageBody": "a", "MessageGroupId": "tenant" })).await;
    let message = sqs.receive(json!({ "AttributeNames": ["MessageGroupId"] })).await.remove(0);
    assert_eq!(message["Attributes"]["MessageGroupId"], "tenant");
    let input = json!({ "MessageBody": "a", "MessageDeduplicationId": "1" });
    assert_eq!(sqs.refused("SendMessage", input).await.0, "InvalidParameterValueException");
    for group in ["", "a b", &"g".repeat(129)] {
        let (name, message) =
            sqs.refused("SendMessage", json!({ "MessageBody": "a", "MessageGroupId": group })).await;
        assert_eq!(name, "InvalidParameterValueException");
        let says =
            "MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.";
        assert!(message.ends_with(says), "{message}");
    }
}
