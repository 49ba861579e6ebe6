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

async fn send(client: &mut Client, url: &str) -> io::Result<Answer> {
    client.try_sqs("SendMessage", &json!({ "QueueUrl": url, "MessageBody": "a" })).await
}

/// How many messages are there.
async fn stored(client: &mut Client, url: &str) -> Value {
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

/// What became of a number of calls: their statuses, 0 for none.
async fn statuses(client: &mut Client, calls: usize, operation: &str, input: &Value) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..calls {
        if let Ok(answer) = client.try_sqs(operation, input).await {
            statuses.push(answer.status);
        } else {
            statuses.push(0);
            client.reconnect().await;
        }
    }
    statuses
}

#[tokio::test]
async fn a_rule_counts_its_own_calls_by_operation_and_queue_after_some_each_so_manieth_and_so_many_times() {
    let mut client = Client::new().await;
    let [a, b] = [client.queue("a").await, client.queue("b").await];
    let rule = Rule::new(Fault::status(599, "")).with_queue("a").with_operation("SendMessage");
    client.server.faults(FaultScript::new([rule.with_after(2).with_every(2).with_times(2)]));
    let sent = |url: &str| json!({ "QueueUrl": url, "MessageBody": "a" });
    assert_eq!(statuses(&mut client, 4, "SendMessage", &sent(&b)).await, [200; 4]);
    let receive = json!({ "QueueUrl": a, "WaitTimeSeconds": 0 });
    assert_eq!(statuses(&mut client, 4, "ReceiveMessage", &receive).await, [200; 4]);
    let expected = [200, 200, 200, 599, 200, 599, 200, 200, 200];
    assert_eq!(statuses(&mut client, 9, "SendMessage", &sent(&a)).await, expected);
}

#[tokio::test]
async fn a_rule_without_an_operation_leaves_alone_what_sets_up() {
    let mut client = Client::new().await;
    client.server.faults(FaultScript::new([Rule::new(Fault::status(599, ""))]));
    let url = client.queue("a").await;
    assert_eq!(send(&mut client, &url).await.unwrap().status, 599);
    client.server.faults(FaultScript::new([Rule::new(Fault::status(599, "")).with_operation("CreateQueue")]));
    assert_eq!(client.sqs("CreateQueue", &json!({ "QueueName": "b" })).await.status, 599);
}

#[tokio::test]
async fn a_share_is_the_same_calls_for_the_same_seed() {
    let mut client = Client::new().await;
    let input = json!({});
    let mut drawn = Vec::new();
    for seed in [7, 7, 8] {
        let rule = Rule::new(Fault::status(599, "")).with_operation("ListQueues").with_share(0.2, seed);
        client.server.faults(FaultScript::new([rule]));
        drawn.push(statuses(&mut client, 1_000, "ListQueues", &input).await);
    }
    let struck = drawn[0].iter().filter(|&&status| status == 599).count();
    assert!((150..250).contains(&struck), "{struck}");
    assert!(drawn[0] == drawn[1] && drawn[0] != drawn[2]);
}

#[tokio::test]
async fn in_turn_a_fifth_of_the_calls_fail_in_five_ways_and_single_calls_in_four() {
    let mut client = Client::new().await;
    let url = client.queue("a").await;
    client.server.faults(FaultScript::in_turn(5));
    let single = json!({ "QueueUrl": url, "MessageBody": "a" });
    let entries = [json!({ "Id": "0", "MessageBody": "a" }), json!({ "Id": "1", "MessageBody": "a" })];
    let batch = json!({ "QueueUrl": url, "Entries": entries });
    let fails =
        |statuses: &[u16]| statuses.iter().copied().filter(|&status| status != 200).collect::<Vec<_>>();
    let seen = statuses(&mut client, 25, "SendMessage", &single).await;
    assert_eq!(fails(&seen), [400, 0, 500, 0, 400]);
    assert!(seen.chunks(5).all(|five| fails(five).len() == 1), "{seen:?}");
    // The partial failure was passed over, and comes first now.
    let seen = statuses(&mut client, 25, "SendMessageBatch", &batch).await;
    assert_eq!(fails(&seen), [0, 500, 0, 400]);
    assert_eq!(client.server.struck(), [10]);
    // Of the single ones 20 and the one whose answer was lost; of the batches as many, and half of one.
    assert_eq!(stored(&mut client, &url).await, (21 + 2 * 21 + 1).to_string());
}

#[tokio::test]
async fn in_turn_nothing_falls_in_step_with_calls_at_regular_places() {
    let mut client = Client::new().await;
    let url = client.queue("a").await;
    client.server.faults(FaultScript::in_turn(5));
    let [sent, received] = [json!({ "QueueUrl": url, "MessageBody": "a" }), json!({ "QueueUrl": url })];
    let mut failed = [0, 0];
    for call in 0..200 {
        let of = usize::from(call % 5 == 4);
        let (operation, input) = [("SendMessage", &sent), ("ReceiveMessage", &received)][of];
        failed[of] += usize::from(statuses(&mut client, 1, operation, input).await != [200]);
    }
    assert_eq!(failed[0] + failed[1], 40);
    assert!(failed[0] > failed[1] && failed[1] > 0, "{failed:?}");
}

#[tokio::test]
async fn all_rules_that_strike_are_played_and_the_first_end_is_the_one() {
    let mut client = Client::new().await;
    let url = client.queue("a").await;
    let delay = Duration::from_millis(60);
    client.server.faults(FaultScript::new([
        Rule::new(Fault::delay(delay)),
        Rule::new(Fault::status(501, "")).with_times(1),
        Rule::new(Fault::status(502, "").with_delay(delay)),
    ]));
    for status in [501, 502] {
        let since = Instant::now();
        assert_eq!(send(&mut client, &url).await.unwrap().status, status);
        assert!(since.elapsed() >= delay * 2);
    }
}
