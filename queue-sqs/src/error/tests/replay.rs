//! A client of the SDK that is given recorded answers.

use aws_credential_types::Credentials;
use aws_sdk_sqs::Client;
use aws_sdk_sqs::config::retry::RetryConfig;
use aws_sdk_sqs::config::{BehaviorVersion, Builder, Config, Region};
use aws_sdk_sqs::types::{
    ChangeMessageVisibilityBatchRequestEntry as Change, DeleteMessageBatchRequestEntry as Delete,
    SendMessageBatchRequestEntry as Send,
};
use aws_smithy_http_client::test_util::{ReplayEvent, StaticReplayClient};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use queue_core::QueueError;

use crate::error::of_call;

/// What is called.
#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    Receive,
    Send,
    Delete,
    DeleteBatch,
    Change,
    ChangeBatch,
    Attributes,
    Create,
    Purge,
    Move,
    CancelMove,
}

/// Settings that fit every client of these tests.
pub(super) fn config() -> Builder {
    Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::from_keys("test", "test", None))
        .retry_config(RetryConfig::disabled())
}

/// An answer as it comes over the wire.
pub(super) fn answer(status: u16, headers: &[(&'static str, &str)], body: &str) -> HttpResponse {
    let mut answer = HttpResponse::new(status.try_into().unwrap(), SdkBody::from(body));
    for (name, value) in headers {
        answer.headers_mut().insert(*name, (*value).to_owned());
    }
    answer
}

/// An HTTP client that gives this answer, once.
pub(super) fn replay(answer: HttpResponse) -> StaticReplayClient {
    StaticReplayClient::new(vec![ReplayEvent::new(HttpRequest::empty(), answer)])
}

/// What comes of calling `action` at a service that answers so; `None` if it succeeds.
pub(super) async fn outcome(action: Action, answer: HttpResponse) -> Option<QueueError> {
    call(&Client::from_conf(config().http_client(replay(answer)).build()), action).await
}

/// Calls `action`.
pub(super) async fn call(client: &Client, action: Action) -> Option<QueueError> {
    const URL: &str = "https://sqs.us-east-1.amazonaws.com/123456789012/visits";
    macro_rules! send {
        ($what:literal, $call:ident $(.$set:ident($value:expr))*) => {
            client.$call() $(.$set($value))* .send().await.err().map(|error| of_call($what, error))
        };
    }
    match action {
        Action::Receive => send!("receive", receive_message.queue_url(URL)),
        Action::Send => {
            let entry = Send::builder().id("0").message_body("x").build().unwrap();
            send!("send", send_message_batch.queue_url(URL).entries(entry))
        }
        Action::Delete => send!("delete", delete_message.queue_url(URL).receipt_handle("r")),
        Action::DeleteBatch => {
            let entry = Delete::builder().id("0").receipt_handle("r").build().unwrap();
            send!("delete", delete_message_batch.queue_url(URL).entries(entry))
        }
        Action::Change => {
            send!(
                "change",
                change_message_visibility.queue_url(URL).receipt_handle("r").visibility_timeout(1)
            )
        }
        Action::ChangeBatch => {
            let entry = Change::builder().id("0").receipt_handle("r").visibility_timeout(1).build().unwrap();
            send!("change", change_message_visibility_batch.queue_url(URL).entries(entry))
        }
        Action::Attributes => send!("attributes", get_queue_attributes.queue_url(URL)),
        Action::Create => send!("create", create_queue.queue_name("visits")),
        Action::Purge => send!("purge", purge_queue.queue_url(URL)),
        Action::Move => send!("redrive", start_message_move_task.source_arn("arn:aws:sqs:us-east-1:1:dead")),
        Action::CancelMove => send!("cancel", cancel_message_move_task.task_handle("t")),
    }
}
