//! Which calls the rules of a script strike.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::server::{Fault, FaultScript, Rule};
use tokio::time::Instant;

use crate::client::Client;
use crate::faults::{send, stored};

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
