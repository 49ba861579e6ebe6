//! What a script of faults does to calls.

use std::io::{self, ErrorKind};
use std::time::Duration;

use serde_json::{Value, json};
use testkit::server::{Cut, Fault, FaultScript, Rule};
use tokio::time::{Instant, timeout};

use crate::client::{Answer, Client};

/// A server with a queue `a`, and a rule that is played once.
async fn struck_once(fault: Fault) -> (Client, String) {
    let mut client = Client::new().await;
    let url = client.queue("a").await;
    client.server.faults(FaultScript::new([Rule::new(fault).with_times(1)]));
    (client, url)
}

pub(crate) async fn send(client: &mut Client, url: &str) -> io::Result<Answer> {
    client.try_sqs("SendMessage", &json!({ "QueueUrl": url, "MessageBody": "a" })).await
}

/// How many messages are there.
pub(crate) async fn stored(client: &mut Client, url: &str) -> Value {
    let input = json!({ "QueueUrl": url, "AttributeNames": ["ApproximateNumberOfMessages"] });
    client.sqs("GetQueueAttributes", &input).await.json()["Attributes"]["ApproximateNumberOfMessages"].clone()
}

#[tokio::test]
async fn a_cut_resets_the_connection_before_or_after_the_call_is_done() {
    for (cut, done) in [(Cut::Before, "0"), (Cut::After, "1")] {
        let (mut client, url) = struck_once(Fault::cut(cut)).await;
        assert_eq!(send(&mut client, &url).await.unwrap_err().kind(), ErrorKind::ConnectionReset);
        client.reconnect().await;
        assert_eq!(stored(&mut client, &url).await, done);
        assert_eq!((client.server.calls().of("SendMessage"), client.server.struck()), (1, vec![1]));
    }
}

#[tokio::test]
async fn a_call_that_hangs_does_nothing_and_is_not_answered() {
    let (mut client, url) = struck_once(Fault::hang()).await;
    assert!(timeout(Duration::from_millis(200), send(&mut client, &url)).await.is_err());
    client.reconnect().await;
    assert_eq!(stored(&mut client, &url).await, "0");
    assert_eq!(send(&mut client, &url).await.unwrap().status, 200);
}

#[tokio::test]
async fn a_delay_comes_before_the_call_and_before_other_faults() {
    let delay = Duration::from_millis(100);
    for (fault, status) in [(Fault::delay(delay), 200), (Fault::status(502, "").with_delay(delay), 502)] {
        let (mut client, url) = struck_once(fault).await;
        let since = Instant::now();
        assert_eq!(send(&mut client, &url).await.unwrap().status, status);
        assert!(since.elapsed() >= delay);
    }
}

#[tokio::test]
async fn a_status_is_a_proxys_answer() {
    let (mut client, url) = struck_once(Fault::status(502, "<html>").with_retry_after(3)).await;
    let answer = send(&mut client, &url).await.unwrap();
    assert_eq!((answer.status, answer.body.as_str()), (502, "<html>"));
    assert_eq!((&*answer.headers["content-type"], &*answer.headers["retry-after"]), ("text/html", "3"));
    assert!(!answer.headers.contains_key("x-amzn-requestid"));
    assert_eq!(stored(&mut client, &url).await, "0");
}

#[tokio::test]
async fn an_error_by_name_is_the_services_own() {
    for (fault, status, name, code) in [
        (Fault::throttled(), 400, "RequestThrottled", "RequestThrottled;Sender"),
        (Fault::error("OverLimit"), 400, "OverLimit", "OverLimit;Sender"),
        (Fault::error("KmsThrottled"), 400, "KmsThrottled", "KMS.ThrottlingException;Sender"),
        (Fault::error("KmsNotFound"), 400, "KmsNotFound", "KMS.NotFoundException;Sender"),
        (
            Fault::error("QueueDoesNotExist"),
            400,
            "QueueDoesNotExist",
            "AWS.SimpleQueueService.NonExistentQueue;Sender",
        ),
        (Fault::error("InvalidClientTokenId"), 403, "InvalidClientTokenId", "InvalidClientTokenId;Sender"),
        (Fault::error("InternalError"), 500, "InternalError", "InternalError;Receiver"),
        (Fault::error("ServiceUnavailable"), 503, "ServiceUnavailable", "ServiceUnavailable;Receiver"),
        (Fault::error("Odd").with_status(418).with_message("m"), 418, "Odd", "Odd;Sender"),
    ] {
        let (mut client, url) = struck_once(fault.with_retry_after(2)).await;
        let answer = send(&mut client, &url).await.unwrap();
        assert_eq!(answer.error(), (status, format!("com.amazonaws.sqs#{name}"), Some(code)));
        assert_eq!(answer.headers["retry-after"], "2");
        assert_eq!(stored(&mut client, &url).await, "0");
    }
}

#[tokio::test]
async fn an_error_of_sns_has_its_own_status_and_fault() {
    for (fault, told) in [
        (Fault::throttled(), (429, "Throttled", "Sender")),
        (Fault::error("InternalError"), (500, "InternalError", "Receiver")),
        (Fault::error("AuthorizationError"), (403, "AuthorizationError", "Sender")),
        (Fault::error("NotFound"), (404, "NotFound", "Sender")),
    ] {
        let (mut client, _url) = struck_once(fault).await;
        let answer = client.sns("Publish", &[("TopicArn", "none"), ("Message", "a")]).await;
        assert_eq!((answer.status, answer.xml("Code"), answer.xml("Type")), told);
    }
}

// P33
#[tokio::test]
async fn a_partial_failure_fails_these_entries_and_does_the_others() {
    let codes = [Some("InternalError"), None, Some("InvalidMessageContents")];
    let (mut client, url) = struck_once(Fault::partial(codes)).await;
    let entries: Vec<_> = (0..4).map(|id| json!({ "Id": id.to_string(), "MessageBody": "a" })).collect();
    let answer = client.sqs("SendMessageBatch", &json!({ "QueueUrl": url, "Entries": entries })).await;
    let ids = |list: &str| -> Vec<_> {
        answer.json()[list]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["Id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        (answer.status, ids("Successful"), ids("Failed")),
        (200, vec!["1".into(), "3".into()], vec!["0".into(), "2".into()])
    );
    let failed = answer.json()["Failed"].clone();
    assert_eq!((&failed[0]["Code"], &failed[0]["SenderFault"]), (&json!("InternalError"), &json!(false)));
    assert_eq!(
        (&failed[1]["Code"], &failed[1]["SenderFault"]),
        (&json!("InvalidMessageContents"), &json!(true))
    );
    assert_eq!(stored(&mut client, &url).await, "2");
}

// a cap that is reached shows on short polls only
#[tokio::test]
async fn a_cap_in_flight_is_over_the_limit_for_a_short_poll_and_silence_for_a_long_one() {
    let (mut client, url) = struck_once(Fault::delay(Duration::ZERO)).await;
    client.server.faults(FaultScript::new([Rule::new(Fault::in_flight_cap(1))]));
    for _ in 0..2 {
        send(&mut client, &url).await.unwrap();
    }
    let receive = |wait| json!({ "QueueUrl": url, "WaitTimeSeconds": wait });
    let first = client.sqs("ReceiveMessage", &receive(0)).await;
    assert_eq!(first.json()["Messages"].as_array().map_or(0, Vec::len), 1, "{first:?}");
    assert_eq!(client.sqs("ReceiveMessage", &receive(0)).await.error().1, "com.amazonaws.sqs#OverLimit");
    let silent = client.sqs("ReceiveMessage", &receive(1)).await;
    assert_eq!((silent.status, silent.json()["Messages"].as_array().map_or(0, Vec::len)), (200, 0));
}
