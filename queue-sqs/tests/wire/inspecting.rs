//! Looking into a queue, and emptying it.

use std::time::Duration;

use queue_core::QueueErrorKind::Transient;
use queue_core::{Depth, Inspect};
use serde_json::json;

use crate::recorded::{URL, error, queue};

#[tokio::test]
async fn a_depth_is_three_counts_of_one_call() {
    let answer = json!({ "Attributes": {
        "ApproximateNumberOfMessages": "7",
        "ApproximateNumberOfMessagesNotVisible": "8",
        "ApproximateNumberOfMessagesDelayed": "9",
    }});
    let (queue, service) = queue(URL, &[(200, &answer.to_string()), (200, "{}")]).await;
    assert_eq!(queue.depth().await.unwrap(), Depth::new(7, 8, 9));
    let names = [
        "ApproximateNumberOfMessages",
        "ApproximateNumberOfMessagesNotVisible",
        "ApproximateNumberOfMessagesDelayed",
    ];
    assert_eq!(service.only(), json!({ "QueueUrl": URL, "AttributeNames": names }));
    assert_eq!(queue.depth().await.unwrap(), Depth::empty(), "an answer without attributes");
}

#[tokio::test]
async fn a_second_purge_within_a_minute_is_to_wait() {
    let in_progress = error("PurgeQueueInProgress");
    let (queue, service) = queue(URL, &[(200, ""), (400, &in_progress)]).await;
    queue.purge().await.unwrap();
    let refused = queue.purge().await.unwrap_err();
    assert_eq!((refused.kind(), refused.retry_after()), (Transient, Some(Duration::from_mins(1))));
    assert_eq!(service.operations(), ["PurgeQueue", "PurgeQueue"]);
}
