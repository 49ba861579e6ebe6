//! Settling: what is sent, and what comes back.

use std::sync::Arc;
use std::time::Duration;

use queue_core::QueueErrorKind::{Indeterminate, Lost, Permanent, Transient};
use queue_core::{Consumer, QueueError, QueueErrorKind, Receipt, ReceiveOptions, Settler};
use serde_json::json;

use crate::recorded::{Service, URL, queue};

const MESSAGE: &str = r#"{"Messages":[{"MessageId":"1","ReceiptHandle":"r","Body":"x"}]}"#;

/// What settles the deliveries of a queue whose next answer is this.
async fn settler(answers: &[&str]) -> (Arc<dyn Settler>, Service) {
    let answers: Vec<_> = std::iter::once(&MESSAGE).chain(answers).map(|body| (200, *body)).collect();
    let (queue, service) = queue(URL, &answers).await;
    let delivery = queue.receive(ReceiveOptions::new(1)).await.unwrap().remove(0);
    let settler = Arc::clone(delivery.settler());
    delivery.forget();
    (settler, service)
}

fn kinds(answers: &[Result<(), QueueError>]) -> Vec<Option<QueueErrorKind>> {
    answers.iter().map(|answer| answer.as_ref().err().map(QueueError::kind)).collect()
}

// Q6, P33
#[tokio::test]
async fn a_delete_that_failed_is_not_reported_as_done_though_the_call_succeeded() {
    let answer = json!({
        "Successful": [{ "Id": "3" }, { "Id": "1" }],
        "Failed": [
            { "Id": "0", "SenderFault": true, "Code": "ReceiptHandleIsInvalid", "Message": "a reason" },
            { "Id": "4", "SenderFault": false, "Code": "InternalError" },
        ],
    });
    let (settler, _service) = settler(&[&answer.to_string()]).await;
    let answers = settler.delete(["a", "b", "c", "d", "e"].map(Receipt::new).into()).await;
    let kinds = kinds(&answers);
    assert_eq!(kinds[1..], [None, Some(Indeterminate), None, Some(Transient)]);
    assert!(matches!(kinds[0], Some(Lost | Permanent)), "{kinds:?}");
}

// Q6: as when a standard queue delivered one message twice
#[tokio::test]
async fn the_same_receipt_twice_in_a_batch_is_two_entries() {
    let (settler, service) = settler(&[r#"{"Successful":[{"Id":"0"},{"Id":"1"}],"Failed":[]}"#]).await;
    let answers = settler.delete(vec![Receipt::new("r"), Receipt::new("r")]).await;
    assert_eq!(kinds(&answers), [None, None]);
    let entries = json!([{ "Id": "0", "ReceiptHandle": "r" }, { "Id": "1", "ReceiptHandle": "r" }]);
    assert_eq!(
        service.asked()[1],
        ("DeleteMessageBatch".to_owned(), json!({ "QueueUrl": URL, "Entries": entries }))
    );
}

// Q3, P2
#[tokio::test]
async fn visibility_changes_are_rounded_up_and_what_is_too_long_is_not_sent() {
    let (settler, service) = settler(&[r#"{"Successful":[{"Id":"0"},{"Id":"2"}],"Failed":[]}"#]).await;
    let times = [Duration::from_millis(1_500), Duration::from_hours(13), Duration::ZERO];
    let answers = settler.change_visibility(times.map(|time| (Receipt::new("r"), time)).into()).await;
    assert_eq!(kinds(&answers), [None, Some(Permanent), None]);
    let (operation, asked) = &service.asked()[1];
    assert_eq!(operation, "ChangeMessageVisibilityBatch");
    let entries = json!([
        { "Id": "0", "ReceiptHandle": "r", "VisibilityTimeout": 2 },
        { "Id": "2", "ReceiptHandle": "r", "VisibilityTimeout": 0 },
    ]);
    assert_eq!(asked["Entries"], entries);
}

// Q6
#[tokio::test]
async fn a_batch_of_which_nothing_can_be_sent_makes_no_call() {
    let (settler, service) = settler(&[]).await;
    let eleven = vec![Receipt::new("r"); 11];
    assert_eq!(kinds(&settler.delete(eleven.clone()).await), [Some(Permanent); 11]);
    let changes = eleven.into_iter().map(|receipt| (receipt, Duration::ZERO)).collect();
    assert_eq!(kinds(&settler.change_visibility(changes).await), [Some(Permanent); 11]);
    assert!(settler.delete(vec![]).await.is_empty());
    assert_eq!(service.operations(), ["ReceiveMessage"]);
}
