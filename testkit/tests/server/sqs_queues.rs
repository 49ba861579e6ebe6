//! Queues: creating, finding, listing, setting, emptying, deleting.

use serde_json::{Value, json};

use crate::sqs::{Sqs, arn};

// Amazon SQS API Reference, `CreateQueue`
#[tokio::test]
async fn a_name_has_letters_digits_hyphens_and_underscores() {
    let mut sqs = Sqs::new(json!({})).await;
    let long = "n".repeat(81);
    for name in ["a.b", "a b", "ä", &long, "a.fifo"] {
        let (error, _) = sqs.refused("CreateQueue", json!({ "QueueName": name })).await;
        assert_eq!(error, "InvalidParameterValueException", "{name}");
    }
    for name in ["a", ".fifo", &format!("{}.fifo", "n".repeat(76))] {
        let input = json!({ "QueueName": name, "Attributes": { "FifoQueue": "true" } });
        let (error, message) = sqs.refused("CreateQueue", input).await;
        assert_eq!(error, "InvalidParameterValueException", "{name}");
        assert!(message.contains("must end with .fifo suffix"), "{message}");
    }
    assert_eq!(sqs.refused("CreateQueue", json!({})).await.0, "MissingRequiredParameterException");
    let name = "n".repeat(80);
    let url = sqs.create(&name, json!({})).await;
    assert!(url.ends_with(&format!("/000000000000/{name}")), "{url}");
}

#[tokio::test]
async fn creating_again_is_fine_unless_an_attribute_differs() {
    let mut sqs = Sqs::new(json!({ "DelaySeconds": "5" })).await;
    for attributes in [json!({}), json!({ "DelaySeconds": "5" }), json!({ "VisibilityTimeout": "30" })] {
        assert_eq!(sqs.create("q", attributes).await, sqs.url);
    }
    let other = json!({ "QueueName": "q", "Attributes": { "DelaySeconds": "6" } });
    let answer = sqs.call("CreateQueue", other).await;
    let code = Some("QueueAlreadyExists;Sender");
    assert_eq!(answer.error(), (400, "com.amazonaws.sqs#QueueNameExists".to_owned(), code));
    let says = "A queue already exists with the same name and a different value for attribute DelaySeconds";
    assert_eq!(answer.json()["message"], says);
}

#[tokio::test]
async fn attributes_are_what_was_set_or_the_services_defaults() {
    let mut sqs = Sqs::new(json!({ "VisibilityTimeout": "20" })).await;
    let all =
        sqs.done("GetQueueAttributes", json!({ "AttributeNames": ["All"] })).await["Attributes"].clone();
    for (name, value) in [
        ("QueueArn", arn("q").as_str()),
        ("VisibilityTimeout", "20"),
        ("MaximumMessageSize", "1048576"),
        ("MessageRetentionPeriod", "345600"),
        ("DelaySeconds", "0"),
        ("ReceiveMessageWaitTimeSeconds", "0"),
        ("SqsManagedSseEnabled", "true"),
        ("ApproximateNumberOfMessages", "0"),
        ("ApproximateNumberOfMessagesNotVisible", "0"),
        ("ApproximateNumberOfMessagesDelayed", "0"),
    ] {
        assert_eq!(all[name], value, "{name}");
    }
    assert_eq!(all.as_object().unwrap().len(), 12, "{all}");
    let some = sqs.done("GetQueueAttributes", json!({ "AttributeNames": ["DelaySeconds", "Policy"] })).await;
    assert_eq!(some, json!({ "Attributes": { "DelaySeconds": "0" } }));
    assert_eq!(sqs.done("GetQueueAttributes", json!({})).await, json!({}));
    let unknown = sqs.refused("GetQueueAttributes", json!({ "AttributeNames": ["Colour"] })).await;
    assert_eq!(unknown, ("InvalidAttributeName".to_owned(), "Unknown Attribute Colour.".to_owned()));
    let ordered = sqs.create("o.fifo", json!({ "FifoQueue": "true" })).await;
    let all = sqs.done("GetQueueAttributes", json!({ "QueueUrl": ordered, "AttributeNames": ["All"] })).await;
    let told = ["FifoQueue", "ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit"];
    let told = told.map(|name| all["Attributes"][name].clone());
    assert_eq!(told, ["true", "false", "queue", "perQueue"]);
}

#[tokio::test]
async fn an_attribute_is_set_within_its_range_or_not_at_all() {
    let mut sqs = Sqs::new(json!({})).await;
    for (name, value) in [
        ("DelaySeconds", "901"),
        ("MaximumMessageSize", "1023"),
        ("MaximumMessageSize", "1048577"),
        ("MessageRetentionPeriod", "59"),
        ("MessageRetentionPeriod", "1209601"),
        ("ReceiveMessageWaitTimeSeconds", "21"),
        ("VisibilityTimeout", "43201"),
        ("VisibilityTimeout", "-1"),
        ("VisibilityTimeout", "a"),
        ("VisibilityTimeout", ""),
        ("Policy", "no JSON"),
        ("RedriveAllowPolicy", "[]"),
    ] {
        let error = sqs.refused("SetQueueAttributes", json!({ "Attributes": { name: value } })).await.0;
        assert_eq!(error, "InvalidAttributeValue", "{name} {value}");
        let create = json!({ "QueueName": "new", "Attributes": { name: value } });
        assert_eq!(sqs.refused("CreateQueue", create).await.0, "InvalidAttributeValue", "{name} {value}");
    }
    for (name, says) in [
        ("Colour", "Unknown Attribute Colour."),
        ("FifoQueue", "Unknown Attribute FifoQueue."),
        ("ContentBasedDeduplication", "Unknown Attribute ContentBasedDeduplication."),
        ("DeduplicationScope", "You can specify the DeduplicationScope only when FifoQueue is set to true."),
        ("QueueArn", "Unknown Attribute QueueArn."),
    ] {
        let refused = sqs.refused("SetQueueAttributes", json!({ "Attributes": { name: "true" } })).await;
        assert_eq!(refused, ("InvalidAttributeName".to_owned(), says.to_owned()));
    }
    let set = json!({ "DelaySeconds": "900", "Policy": "{\"Statement\":[]}" });
    sqs.done("SetQueueAttributes", json!({ "Attributes": set })).await;
    assert_eq!(
        [sqs.attribute("DelaySeconds").await, sqs.attribute("Policy").await],
        ["900", "{\"Statement\":[]}"]
    );
    sqs.done("SetQueueAttributes", json!({ "Attributes": { "Policy": "" } })).await;
    assert_eq!(sqs.attribute("Policy").await, Value::Null);
}

#[tokio::test]
async fn a_queue_stays_ordered() {
    let mut sqs = Sqs::fifo(json!({})).await;
    let refused = sqs.refused("SetQueueAttributes", json!({ "Attributes": { "FifoQueue": "false" } })).await;
    let says = "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.";
    assert_eq!(refused, ("InvalidAttributeValue".to_owned(), says.to_owned()));
    sqs.done("SetQueueAttributes", json!({ "Attributes": { "FifoQueue": "true" } })).await;
}

#[tokio::test]
async fn messages_are_counted_by_what_they_are() {
    let mut sqs = Sqs::new(json!({})).await;
    sqs.send("a").await;
    sqs.receive(json!({})).await;
    sqs.send("b").await;
    for body in ["c", "d"] {
        sqs.done("SendMessage", json!({ "MessageBody": body, "DelaySeconds": 60 })).await;
    }
    let mut counts = Vec::new();
    for name in ["", "NotVisible", "Delayed"] {
        counts.push(sqs.attribute(&format!("ApproximateNumberOfMessages{name}")).await);
    }
    assert_eq!(counts, ["1", "1", "2"]);
}

#[tokio::test]
async fn a_queue_is_found_by_name_and_by_the_end_of_its_url() {
    let mut sqs = Sqs::new(json!({})).await;
    let found = sqs.done("GetQueueUrl", json!({ "QueueName": "q" })).await;
    assert_eq!(found["QueueUrl"], sqs.url);
    for input in [
        json!({ "QueueName": "none" }),
        json!({ "QueueName": "q", "QueueOwnerAWSAccountId": "123456789012" }),
    ] {
        let answer = sqs.call("GetQueueUrl", input).await;
        let code = Some("AWS.SimpleQueueService.NonExistentQueue;Sender");
        assert_eq!(answer.error(), (400, "com.amazonaws.sqs#QueueDoesNotExist".to_owned(), code));
        assert_eq!(answer.json()["message"], "The specified queue does not exist.");
    }
    sqs.done("SendMessage", json!({ "QueueUrl": "https://sqs.example/000000000000/q", "MessageBody": "a" }))
        .await;
}

#[tokio::test]
async fn queues_are_listed_by_prefix_and_by_page() {
    let mut sqs = Sqs::new(json!({})).await;
    for name in ["a-1", "a-2", "a-3", "b"] {
        sqs.create(name, json!({})).await;
    }
    let all = sqs.done("ListQueues", json!({})).await;
    assert_eq!((all["QueueUrls"].as_array().unwrap().len(), all.get("NextToken")), (5, None));
    let (mut seen, mut token) = (Vec::new(), Value::Null);
    for _ in 0..2 {
        let input = json!({ "QueueNamePrefix": "a-", "MaxResults": 2, "NextToken": token });
        let page = sqs.done("ListQueues", input).await;
        seen.extend(page["QueueUrls"].as_array().unwrap().iter().map(|url| url.as_str().unwrap().to_owned()));
        token = page["NextToken"].clone();
    }
    assert!(token.is_null() && seen.len() == 3 && seen[2].ends_with("/a-3"), "{seen:?}");
    assert_eq!(sqs.done("ListQueues", json!({ "QueueNamePrefix": "z" })).await, json!({}));
    for most in [0, 1_001] {
        let refused = sqs.refused("ListQueues", json!({ "MaxResults": most })).await.0;
        assert_eq!(refused, "InvalidParameterValueException");
    }
}

#[tokio::test]
async fn a_deleted_queue_is_gone_and_its_name_is_taken_for_a_minute() {
    let mut sqs = Sqs::new(json!({})).await;
    sqs.send("a").await;
    sqs.done("DeleteQueue", json!({})).await;
    assert_eq!(sqs.refused("SendMessage", json!({ "MessageBody": "a" })).await.0, "QueueDoesNotExist");
    assert_eq!(sqs.refused("DeleteQueue", json!({})).await.0, "QueueDoesNotExist");
    sqs.advance(59);
    let answer = sqs.call("CreateQueue", json!({ "QueueName": "q" })).await;
    let code = Some("AWS.SimpleQueueService.QueueDeletedRecently;Sender");
    assert_eq!(answer.error(), (400, "com.amazonaws.sqs#QueueDeletedRecently".to_owned(), code));
    sqs.advance(1);
    sqs.create("q", json!({})).await;
    assert!(sqs.bodies(json!({})).await.is_empty());
}

#[tokio::test]
async fn a_queue_is_purged_once_a_minute() {
    let mut sqs = Sqs::new(json!({})).await;
    let handle = sqs.handle("a").await;
    sqs.send("b").await;
    sqs.done("PurgeQueue", json!({})).await;
    sqs.done("DeleteMessage", json!({ "ReceiptHandle": handle })).await;
    sqs.advance(59);
    assert!(sqs.bodies(json!({})).await.is_empty());
    let (name, message) = sqs.refused("PurgeQueue", json!({})).await;
    assert_eq!(name, "PurgeQueueInProgress");
    assert_eq!(message, "Only one PurgeQueue operation on q is allowed every 60 seconds.");
    sqs.advance(1);
    sqs.done("PurgeQueue", json!({})).await;
}

#[tokio::test]
async fn tags_are_set_listed_and_taken_away() {
    let mut sqs = Sqs::new(json!({})).await;
    assert_eq!(sqs.done("ListQueueTags", json!({})).await, json!({}));
    sqs.done("TagQueue", json!({ "Tags": { "a": "1", "b": "2" } })).await;
    sqs.done("UntagQueue", json!({ "TagKeys": ["a"] })).await;
    assert_eq!(sqs.done("ListQueueTags", json!({})).await, json!({ "Tags": { "b": "2" } }));
    let tagged = json!({ "QueueName": "t", "tags": { "c": "3" } });
    let url = sqs.done("CreateQueue", tagged).await["QueueUrl"].clone();
    assert_eq!(sqs.done("ListQueueTags", json!({ "QueueUrl": url })).await, json!({ "Tags": { "c": "3" } }));
    assert_eq!(sqs.refused("AddPermission", json!({})).await.0, "UnsupportedOperation");
}
