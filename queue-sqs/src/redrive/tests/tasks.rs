//! Redrives by the service, from recorded answers ("Amazon SQS API Reference", `StartMessageMoveTask`,
//! `ListMessageMoveTasks` and `CancelMessageMoveTask`).

use std::num::NonZeroU16;

use aws_credential_types::Credentials;
use aws_sdk_sqs::Client;
use aws_sdk_sqs::config::{BehaviorVersion, Config, Region};
use aws_smithy_http_client::test_util::{ReplayEvent, StaticReplayClient};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use queue_core::QueueErrorKind::{Permanent, Transient};
use serde_json::{Value, json};

use crate::{MoveState, RedriveOptions, SqsQueue, SqsQueueSettings};

const ARN: &str = "arn:aws:sqs:us-east-1:1:dead";

fn answer(status: u16, body: &Value) -> ReplayEvent {
    let answer = HttpResponse::new(status.try_into().unwrap(), SdkBody::from(body.to_string()));
    ReplayEvent::new(HttpRequest::empty(), answer)
}

/// A queue whose ARN is known, at a service that gives these answers then.
async fn dead(answers: Vec<(u16, Value)>) -> (SqsQueue, StaticReplayClient) {
    dead_at("https://sqs.us-east-1.amazonaws.com/1/dead", answers).await
}

async fn dead_at(url: &str, answers: Vec<(u16, Value)>) -> (SqsQueue, StaticReplayClient) {
    let found = (200, json!({ "Attributes": { "QueueArn": ARN, "VisibilityTimeout": "30" } }));
    let events = std::iter::once(found).chain(answers).map(|(status, body)| answer(status, &body)).collect();
    let replay = StaticReplayClient::new(events);
    (SqsQueue::builder(client(&replay)).url(url).build().await.unwrap(), replay)
}

fn client(replay: &StaticReplayClient) -> Client {
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::from_keys("test", "test", None))
        .http_client(replay.clone());
    Client::from_conf(config.build())
}

/// The requests after the first, each as its operation and its JSON.
fn requests(replay: &StaticReplayClient) -> Vec<(String, Value)> {
    let requests = replay.actual_requests().skip(1).map(|request| {
        let target = request.headers().get("x-amz-target").unwrap().replace("AmazonSQS.", "");
        (target, serde_json::from_slice(request.body().bytes().unwrap()).unwrap())
    });
    requests.collect()
}

fn entry(started: u64, status: &str, handle: Option<&str>) -> Value {
    json!({
        "TaskHandle": handle, "Status": status, "SourceArn": ARN, "StartedTimestamp": started,
        "ApproximateNumberOfMessagesMoved": 5, "ApproximateNumberOfMessagesToMove": 9,
        "FailureReason": (status == "FAILED").then_some("AccessDenied"),
    })
}

fn list(entries: &[Value]) -> (u16, Value) {
    (200, json!({ "Results": entries }))
}

#[tokio::test]
async fn a_redrive_is_started_followed_and_ended() {
    let (queue, replay) = dead(vec![
        list(&[entry(900, "COMPLETED", None)]),
        (200, json!({ "TaskHandle": "h1" })),
        list(&[entry(1_000, "RUNNING", Some("h1")), entry(900, "COMPLETED", None)]),
        (200, json!({ "ApproximateNumberOfMessagesMoved": 7 })),
        list(&[entry(2_000, "RUNNING", Some("h2")), entry(1_000, "CANCELLED", None)]),
    ])
    .await;
    let options = RedriveOptions::new().with_most_per_second(NonZeroU16::new(50).unwrap());
    let task = queue.start_redrive(options).await.unwrap();
    let progress = task.progress().await.unwrap();
    assert_eq!((progress.state, progress.moved, progress.to_move), (MoveState::Running, 5, Some(9)));
    assert_eq!(task.cancel().await.unwrap(), 7);
    let progress = task.progress().await.unwrap();
    assert_eq!(progress.state, MoveState::Cancelled, "not that of the next redrive");
    let requests = requests(&replay);
    assert_eq!(requests[1].0, "StartMessageMoveTask");
    assert_eq!(requests[1].1, json!({ "SourceArn": ARN, "MaxNumberOfMessagesPerSecond": 50 }));
    assert_eq!(requests[3], ("CancelMessageMoveTask".to_owned(), json!({ "TaskHandle": "h1" })));
}

#[tokio::test]
async fn a_redrive_of_another_process_is_found_again() {
    let (queue, _) = dead(vec![
        list(&[]),
        list(&[entry(1_000, "COMPLETED", None)]),
        list(&[entry(2_000, "RUNNING", Some("h2")), entry(1_000, "COMPLETED", None)]),
        list(&[entry(2_000, "FAILED", None), entry(1_000, "COMPLETED", None)]),
        list(&[entry(3_000, "COMPLETED", None)]),
    ])
    .await;
    assert!(queue.running_redrive().await.unwrap().is_none());
    assert!(queue.running_redrive().await.unwrap().is_none());
    let task = queue.running_redrive().await.unwrap().expect("one runs");
    assert_eq!(task.handle(), "h2");
    let state = task.progress().await.unwrap().state;
    assert_eq!((state.is_over(), state.to_string()), (true, "failed: AccessDenied".to_owned()));
    assert_eq!(task.progress().await.unwrap_err().kind(), Permanent, "it is forgotten");
}

#[tokio::test]
async fn a_redrive_that_was_not_seen_running_is_not_taken_for_another() {
    let earlier = || entry(900, "CANCELLED", None);
    let many: Vec<_> = (0..10).map(|number| entry(1_010 - number, "COMPLETED", None)).collect();
    let (queue, _) = dead(vec![
        list(&[earlier()]),
        (200, json!({ "TaskHandle": "h1" })),
        list(&[earlier()]), // the list lags
        list(&[entry(2_000, "RUNNING", Some("h2")), entry(1_000, "COMPLETED", None), earlier()]),
        list(&many),
    ])
    .await;
    let task = queue.start_redrive(RedriveOptions::new()).await.unwrap();
    assert_eq!(task.progress().await.unwrap_err().kind(), Transient, "ask again");
    assert_eq!(task.progress().await.unwrap().state, MoveState::Completed);
    assert_eq!(task.progress().await.unwrap_err().kind(), Permanent, "any of them could be it, or none");
}

#[tokio::test(start_paused = true)]
async fn a_redrive_is_awaited_through_failed_looks_and_one_that_was_ended_says_so() {
    for (ends, wanted) in
        [("COMPLETED", Ok(5)), ("CANCELLED", Err("cancelled; 5")), ("FAILED", Err("AccessDenied; 5"))]
    {
        let (target, _) = dead(Vec::new()).await;
        let (queue, _) = dead_at(
            "https://sqs.us-east-1.amazonaws.com/1/other",
            vec![
                list(&[]),
                (200, json!({ "TaskHandle": "h1" })),
                list(&[]),
                list(&[entry(1_000, "RUNNING", Some("h1"))]),
                (400, json!({ "__type": "RequestThrottled" })),
                list(&[entry(1_000, ends, None)]),
            ],
        )
        .await;
        let ended = queue.redrive(&target).await;
        match wanted {
            Ok(moved) => assert_eq!(ended.unwrap(), moved),
            Err(why) => {
                let error = ended.unwrap_err();
                assert!(error.kind() == Transient && error.message().contains(why), "{error}");
            }
        }
    }
}

#[tokio::test]
async fn a_service_without_redrives_is_told_from_one_that_is_busy() {
    let absent = [
        (400, json!({ "__type": "com.amazonaws.sqs#UnsupportedOperation" })),
        (400, json!({ "__type": "InvalidAction" })),
        (400, json!({ "__type": "com.amazon.coral.service#UnknownOperationException" })),
        (404, Value::Null),
        (501, json!({})),
    ];
    for (status, body) in absent {
        let (queue, _) = dead(vec![(status, body.clone())]).await;
        let error = queue.start_redrive(RedriveOptions::new()).await.unwrap_err();
        assert_eq!(error.kind(), Permanent, "{status} {body}: {error}");
        assert!(error.message().contains("`redrive_to`"), "{error}");
    }
    let (queue, replay) = dead(vec![list(&[]), (400, json!({ "__type": "ThrottlingException" }))]).await;
    let error = queue.start_redrive(RedriveOptions::new()).await.unwrap_err();
    assert_eq!(error.kind(), Transient, "{error}");
    assert_eq!(requests(&replay).len(), 2, "a start is not repeated");
}

#[tokio::test]
async fn a_queue_without_a_known_arn_says_so_and_makes_no_call() {
    let replay = StaticReplayClient::new(Vec::new());
    let queue = SqsQueue::builder(client(&replay)).url("https://sqs.us-east-1.amazonaws.com/1/dead");
    let queue = queue.assume(SqsQueueSettings::default()).build().await.unwrap();
    let error = queue.start_redrive(RedriveOptions::new()).await.unwrap_err();
    assert_eq!(error.kind(), Permanent, "{error}");
    assert!(error.message().contains("`assume`"), "{error}");
    assert_eq!(replay.actual_requests().count(), 0);
}
