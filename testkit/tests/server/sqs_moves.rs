//! Message move tasks.

use serde_json::{Value, json};

use crate::sqs::{Sqs, arn};

/// A queue `q` with a dead-letter queue `dead` that holds these, each given up by `q`.
async fn dead(bodies: &[&str]) -> (Sqs, String) {
    let mut sqs = Sqs::new(json!({})).await;
    let dead = sqs.create("dead", json!({})).await;
    let policy = json!({ "deadLetterTargetArn": arn("dead"), "maxReceiveCount": 1 }).to_string();
    sqs.done("SetQueueAttributes", json!({ "Attributes": { "RedrivePolicy": policy } })).await;
    for body in bodies {
        sqs.send(body).await;
    }
    for _ in 0..2 {
        sqs.receive(json!({ "VisibilityTimeout": 0 })).await;
    }
    (sqs, dead)
}

fn of_dead() -> Value {
    json!({ "SourceArn": arn("dead") })
}

async fn newest(sqs: &mut Sqs) -> Value {
    sqs.done("ListMessageMoveTasks", of_dead()).await["Results"][0].clone()
}

/// Waits until the newest task is not what it is in `status`.
async fn until(sqs: &mut Sqs, status: &str) -> Value {
    for _ in 0..1_000 {
        let task = newest(sqs).await;
        if task["Status"] == status {
            return task;
        }
    }
    panic!("the task is never {status}: {}", newest(sqs).await);
}

// Amazon SQS API Reference, `StartMessageMoveTask`
#[tokio::test]
async fn messages_go_back_to_where_they_came_from_as_new_ones() {
    let (mut sqs, dead) = dead(&["a", "b"]).await;
    let before = sqs.receive(json!({ "QueueUrl": dead, "VisibilityTimeout": 0 })).await;
    let started = sqs.done("StartMessageMoveTask", of_dead()).await;
    assert!(started["TaskHandle"].is_string(), "{started}");
    let task = until(&mut sqs, "COMPLETED").await;
    let counts = ["ApproximateNumberOfMessagesMoved", "ApproximateNumberOfMessagesToMove"];
    assert_eq!(counts.map(|name| task[name].clone()), [2, 2]);
    assert!(task["StartedTimestamp"].is_u64() && task.get("TaskHandle").is_none(), "{task}");
    let after = sqs.receive(json!({ "AttributeNames": ["All"] })).await;
    assert_eq!(after.iter().map(crate::sqs::body).collect::<Vec<_>>(), ["a", "b"]);
    assert!(before.iter().all(|message| message["MessageId"] != after[0]["MessageId"]));
    assert_eq!(after[0]["Attributes"]["ApproximateReceiveCount"], "1");
    assert!(after[0]["Attributes"].get("DeadLetterQueueSourceArn").is_none());
    assert!(sqs.bodies(json!({ "QueueUrl": dead })).await.is_empty());
}

#[tokio::test]
async fn messages_go_where_the_task_says_at_its_rate_until_it_is_cancelled() {
    let (mut sqs, _) = dead(&["a", "b", "c"]).await;
    let other = sqs.create("other", json!({})).await;
    let start = json!({
        "SourceArn": arn("dead"), "DestinationArn": arn("other"), "MaxNumberOfMessagesPerSecond": 1,
    });
    let handle = sqs.done("StartMessageMoveTask", start.clone()).await["TaskHandle"].clone();
    let (name, message) = sqs.refused("StartMessageMoveTask", start).await;
    assert_eq!(name, "InvalidParameterValueException");
    assert!(message.starts_with("There is already a task running."), "{message}");
    sqs.advance(1);
    let task = newest(&mut sqs).await;
    let told = ["Status", "TaskHandle", "DestinationArn"].map(|name| task[name].clone());
    assert_eq!(told, [json!("RUNNING"), handle.clone(), json!(arn("other"))]);
    assert_eq!(task["MaxNumberOfMessagesPerSecond"], 1);
    let cancelled = sqs.done("CancelMessageMoveTask", json!({ "TaskHandle": handle })).await;
    assert!(cancelled["ApproximateNumberOfMessagesMoved"].as_u64().unwrap() < 3, "{cancelled}");
    let moved = until(&mut sqs, "CANCELLED").await["ApproximateNumberOfMessagesMoved"].as_u64().unwrap();
    assert_eq!(sqs.bodies(json!({ "QueueUrl": other })).await.len() as u64, moved);
    let again = sqs.refused("CancelMessageMoveTask", json!({ "TaskHandle": handle })).await.1;
    assert_eq!(again, "Only active tasks can be cancelled.");
}

#[tokio::test]
async fn a_message_that_came_from_nowhere_fails_the_task_and_stays() {
    let (mut sqs, dead) = dead(&[]).await;
    sqs.done("SendMessage", json!({ "QueueUrl": dead, "MessageBody": "a" })).await;
    sqs.done("StartMessageMoveTask", of_dead()).await;
    let task = until(&mut sqs, "FAILED").await;
    assert_eq!(task["FailureReason"], "CouldNotDetermineMessageSource");
    assert_eq!(sqs.bodies(json!({ "QueueUrl": dead })).await, ["a"]);
}

#[tokio::test]
async fn a_task_needs_queues_that_are_there() {
    let (mut sqs, _) = dead(&[]).await;
    for (input, name, says) in [
        (json!({}), "MissingRequiredParameterException", "The request must contain the parameter SourceArn."),
        (
            json!({ "SourceArn": arn("none") }),
            "ResourceNotFoundException",
            "The resource that you specified for the SourceArn parameter doesn't exist.",
        ),
        (
            json!({ "SourceArn": arn("q") }),
            "InvalidParameterValueException",
            "Source queue must be configured as a Dead Letter Queue.",
        ),
        (
            json!({ "SourceArn": arn("dead"), "DestinationArn": arn("none") }),
            "ResourceNotFoundException",
            "The resource that you specified for the DestinationArn parameter doesn't exist.",
        ),
    ] {
        let refused = sqs.refused("StartMessageMoveTask", input).await;
        assert_eq!(refused, (name.to_owned(), says.to_owned()));
    }
    for rate in [0, 501] {
        let input = json!({ "SourceArn": arn("dead"), "MaxNumberOfMessagesPerSecond": rate });
        assert_eq!(sqs.refused("StartMessageMoveTask", input).await.0, "InvalidParameterValueException");
    }
    let cancel = sqs.refused("CancelMessageMoveTask", json!({ "TaskHandle": "foo" })).await;
    let says = "Value for parameter TaskHandle is invalid.";
    assert_eq!(cancel, ("InvalidParameterValueException".to_owned(), says.to_owned()));
    let answer = sqs.call("ListMessageMoveTasks", json!({ "SourceArn": arn("none") })).await;
    assert_eq!(answer.status, 404);
}
