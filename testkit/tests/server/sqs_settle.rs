//! Deletes and changes of visibility timeouts, and what receipt handles are good for.

use serde_json::{Value, json};

use crate::sqs::Sqs;

/// Changes a visibility timeout.
fn change(handle: &Value, seconds: i64) -> Value {
    json!({ "ReceiptHandle": handle, "VisibilityTimeout": seconds })
}

fn delete(handle: &Value) -> Value {
    json!({ "ReceiptHandle": handle })
}

// Q3, P36
#[tokio::test]
async fn what_is_deleted_never_comes_back_and_deleting_it_again_succeeds() {
    let mut sqs = Sqs::new(json!({})).await;
    let handle = sqs.handle("a").await;
    for _ in 0..2 {
        assert_eq!(sqs.done("DeleteMessage", delete(&handle)).await, json!({}));
    }
    sqs.advance(60);
    assert!(sqs.bodies(json!({})).await.is_empty());
}

#[tokio::test]
async fn a_handle_of_no_queue_or_of_another_queue_is_invalid() {
    let mut sqs = Sqs::new(json!({})).await;
    let other = sqs.create("other", json!({})).await;
    sqs.done("SendMessage", json!({ "QueueUrl": other, "MessageBody": "a" })).await;
    let foreign = sqs.receive(json!({ "QueueUrl": other })).await.remove(0)["ReceiptHandle"].clone();
    let ours = sqs.handle("b").await;
    let cut = json!(ours.as_str().unwrap()[4..]);
    for handle in [json!("garbage"), json!("Z2FyYmFnZQ=="), foreign, cut] {
        for (operation, input) in
            [("DeleteMessage", delete(&handle)), ("ChangeMessageVisibility", change(&handle, 1))]
        {
            let (name, message) = sqs.refused(operation, input).await;
            assert_eq!(name, "ReceiptHandleIsInvalid");
            let handle = handle.as_str().unwrap();
            assert_eq!(
                message,
                format!("The input receipt handle \"{handle}\" is not a valid receipt handle.")
            );
        }
    }
    assert_eq!(sqs.refused("DeleteMessage", json!({})).await.0, "MissingRequiredParameterException");
    let no_timeout = sqs.refused("ChangeMessageVisibility", delete(&ours)).await.0;
    assert_eq!(no_timeout, "MissingRequiredParameterException");
}

// Q4
#[tokio::test]
async fn a_handle_changes_with_each_receive_and_an_old_one_deletes_nothing() {
    let mut sqs = Sqs::new(json!({})).await;
    let old = sqs.handle("a").await;
    sqs.advance(30);
    let new = sqs.receive(json!({})).await.remove(0)["ReceiptHandle"].clone();
    assert_ne!(old, new);
    sqs.done("DeleteMessage", delete(&old)).await;
    assert_eq!(sqs.attribute("ApproximateNumberOfMessagesNotVisible").await, "1");
    assert_eq!(sqs.refused("ChangeMessageVisibility", change(&old, 0)).await.0, "MessageNotInflight");
    sqs.done("DeleteMessage", delete(&new)).await;
    assert_eq!(sqs.attribute("ApproximateNumberOfMessagesNotVisible").await, "0");
}

// Q3
#[tokio::test]
async fn after_its_time_a_message_can_be_deleted_but_not_hidden() {
    let mut sqs = Sqs::new(json!({})).await;
    let handle = sqs.handle("a").await;
    sqs.advance(30);
    let answer = sqs.call("ChangeMessageVisibility", change(&handle, 30)).await;
    let code = "AWS.SimpleQueueService.MessageNotInflight;Sender";
    assert_eq!(answer.error(), (400, "com.amazonaws.sqs#MessageNotInflight".to_owned(), Some(code)));
    sqs.done("DeleteMessage", delete(&handle)).await;
    assert!(sqs.bodies(json!({})).await.is_empty());
    let (name, message) = sqs.refused("ChangeMessageVisibility", change(&handle, 30)).await;
    assert_eq!(name, "InvalidParameterValueException");
    assert!(message.ends_with("Message does not exist or is not available for visibility timeout change."));
}

// Q3
#[tokio::test]
async fn a_change_counts_from_now_and_zero_shows_the_message() {
    let mut sqs = Sqs::new(json!({})).await;
    let handle = sqs.handle("a").await;
    sqs.advance(20);
    sqs.done("ChangeMessageVisibility", change(&handle, 100)).await;
    sqs.advance(99);
    assert!(sqs.bodies(json!({})).await.is_empty());
    sqs.done("ChangeMessageVisibility", change(&handle, 0)).await;
    assert_eq!(sqs.bodies(json!({})).await, ["a"]);
}

// P2
#[tokio::test]
async fn a_message_is_hidden_for_twelve_hours_in_all() {
    let mut sqs = Sqs::new(json!({ "VisibilityTimeout": "43200" })).await;
    let handle = sqs.handle("a").await;
    for seconds in [-1, 43_201] {
        let (name, message) = sqs.refused("ChangeMessageVisibility", change(&handle, seconds)).await;
        assert_eq!(name, "InvalidParameterValueException");
        assert!(message.ends_with("VisibilityTimeout must be an integer between 0 and 43200"), "{message}");
    }
    sqs.done("ChangeMessageVisibility", change(&handle, 43_190)).await;
    sqs.advance(3_600);
    sqs.done("ChangeMessageVisibility", change(&handle, 39_500)).await;
    let (name, message) = sqs.refused("ChangeMessageVisibility", change(&handle, 39_601)).await;
    assert_eq!(name, "InvalidParameterValueException");
    let says = "Total VisibilityTimeout for the message is beyond the limit [43200 seconds]";
    assert!(message.ends_with(says), "{message}");
    sqs.advance(39_499);
    assert!(sqs.bodies(json!({})).await.is_empty(), "the refused change took effect");
    sqs.advance(1);
    assert_eq!(sqs.bodies(json!({})).await, ["a"]);
}
