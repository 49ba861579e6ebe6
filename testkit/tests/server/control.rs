//! The server's own paths, and the same in-process.

use serde_json::json;
use testkit::server::{Calls, Cut, Fault, FaultScript, Rule};

use crate::client::Client;

#[tokio::test]
async fn calls_are_counted_by_operation_apart_from_those_that_set_up_and_can_be_forgotten() {
    let mut client = Client::new().await;
    let url = client.queue("a").await;
    for _ in 0..3 {
        client.sqs("SendMessage", &json!({ "QueueUrl": url, "MessageBody": "a" })).await;
    }
    client.sqs("ReceiveMessage", &json!({ "QueueUrl": "refused" })).await;
    client.sns("CreateTopic", &[("Name", "a")]).await;
    let expected = json!({
        "calls": { "SendMessage": 3, "ReceiveMessage": 1 },
        "setup": { "CreateQueue": 1, "CreateTopic": 1 },
    });
    assert_eq!(client.control("GET /_calls", "").await.json(), expected);
    let calls = client.server.calls();
    assert_eq!((json!(calls), calls.total(), calls.of("SendMessage"), calls.of("Fly")), (expected, 4, 3, 0));
    assert_eq!(client.control("DELETE /_calls", "").await.json(), json!({ "calls": {}, "setup": {} }));
    client.sqs("ListQueues", &json!({})).await;
    client.server.reset_calls();
    assert_eq!(client.server.calls(), Calls::default());
}

#[tokio::test]
async fn a_script_is_played_shown_and_ended_by_either_way() {
    let mut client = Client::new().await;
    let rules = [
        Rule::new(Fault::error("OverLimit")).with_operation("ReceiveMessage").with_times(1),
        Rule::new(Fault::status(502, "<html>")).with_operation("ListQueues"),
    ];
    let script = FaultScript::new(rules);
    let answer = client.control("POST /_faults", &json!(script).to_string()).await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "script": script, "struck": [0, 0] })));
    assert_eq!(client.sqs("ListQueues", &json!({})).await.status, 502);
    let answer = client.control("GET /_faults", "").await;
    assert_eq!(answer.json(), json!({ "script": script, "struck": [0, 1] }));
    assert_eq!(client.server.struck(), [0, 1]);
    client.control("DELETE /_faults", "").await;
    assert_eq!(client.sqs("ListQueues", &json!({})).await.status, 200);
    client.server.faults(script);
    assert_eq!(client.sqs("ListQueues", &json!({})).await.status, 502);
    client.server.heal();
    assert_eq!(client.sqs("ListQueues", &json!({})).await.status, 200);
}

#[test]
fn a_script_in_json_is_the_script_of_the_builders() {
    let json = json!([
        { "queue": "a", "after": 2, "every": 3, "times": 4, "operation": "SendMessage", "fault": { "delay_ms": 50 } },
        { "share": 0.25, "seed": 7, "turns": [{ "cut": "before" }, { "cut": "after", "delay_ms": 5 }] },
        { "fault": { "hang": true } },
        { "fault": { "status": 500, "body": "b", "retry_after_s": 2 } },
        { "fault": { "error": "KmsThrottled", "message": "m", "status": 409 } },
        { "fault": { "partial": ["InternalError", null] } },
        { "fault": { "in_flight_cap": 0 } },
        { "fault": { "abandon": true } },
        { "fault": { "throttled": true } },
    ]);
    let ms = std::time::Duration::from_millis;
    let at_a = Rule::new(Fault::delay(ms(50))).with_queue("a").with_after(2).with_every(3).with_times(4);
    let cuts = [Fault::cut(Cut::Before), Fault::cut(Cut::After).with_delay(ms(5))];
    let alone = [
        Fault::hang(),
        Fault::status(500, "b").with_retry_after(2),
        Fault::error("KmsThrottled").with_message("m").with_status(409),
        Fault::partial([Some("InternalError"), None]),
        Fault::in_flight_cap(0),
        Fault::abandon(),
        Fault::throttled(),
    ];
    let rules = [at_a.with_operation("SendMessage"), Rule::in_turn(cuts).with_share(0.25, 7)];
    let script = FaultScript::new(rules.into_iter().chain(alone.into_iter().map(Rule::new)));
    assert_eq!(FaultScript::parse(&json.to_string()).unwrap(), script);
    assert_eq!(serde_json::to_value(&script).unwrap(), json);
}

#[test]
fn the_script_of_the_acceptance_is_the_document_that_its_page_shows() {
    let document = r#"[{"every":5,"seed":1,"turns":[
        {"throttled":true},
        {"cut":"before"},
        {"error":"InternalError"},
        {"cut":"after"},
        {"partial":["InternalError",null,"ServiceUnavailable"]}
    ]}]"#;
    assert_eq!(FaultScript::parse(document).unwrap(), FaultScript::in_turn(5));
}

#[tokio::test]
async fn a_script_that_makes_no_sense_is_refused_with_the_reason_and_leaves_the_one_that_is_played() {
    let mut client = Client::new().await;
    client.server.faults(FaultScript::new([Rule::new(Fault::status(503, ""))]));
    for (script, why) in [
        ("[{}]", "rule 0, counted from 0: a rule has either a `fault` or some `turns`"),
        (r#"[{"fault":{"hang":true},"turns":[{"hang":true}]}]"#, "either a `fault` or some `turns`"),
        (r#"[{"fault":{"hang":true}},{"fault":{}}]"#, "rule 1, counted from 0: a fault says nothing"),
        (r#"[{"fault":{"hang":true,"cut":"after"}}]"#, "a fault is one thing, beside its delay"),
        (r#"[{"fault":{"error":"a","throttled":true}}]"#, "a fault is one thing"),
        (r#"[{"fault":{"status":99}}]"#, "the status is 99; 200 to 599 are allowed"),
        (r#"[{"fault":{"hang":true,"body":"b"}}]"#, "`body` belongs to another fault"),
        (r#"[{"fault":{"status":500,"message":"b"}}]"#, "`message` belongs to another fault"),
        (r#"[{"fault":{"hang":true,"retry_after_s":1}}]"#, "`retry_after_s` belongs to another fault"),
        (r#"[{"every":0,"fault":{"hang":true}}]"#, "`every` is 0; 1 is every call"),
        (r#"[{"times":0,"fault":{"hang":true}}]"#, "`times` is 0"),
        (r#"[{"operation":"sendMessage","fault":{"hang":true}}]"#, "spelled as in `SendMessage`"),
        (r#"[{"operation":"SendMessage","fault":{"partial":["InternalError"]}}]"#, "never done to calls of"),
        (r#"[{"operation":"SendMessage","fault":{"in_flight_cap":1}}]"#, "never done to calls of"),
        (r#"[{"every":1,"share":1,"fault":{"hang":true}}]"#, "`every` or `share`, not both"),
        (r#"[{"share":1.5,"fault":{"hang":true}}]"#, "the share is 1.5; 0 to 1 are allowed"),
        (r#"[{"seed":1,"fault":{"hang":true}}]"#, "a `seed` is for a `share` or for `every`"),
        (r#"[{"fault":{"hangs":true}}]"#, "unknown field `hangs`"),
        (r#"[{"cut":"middle"}]"#, "unknown field `cut`"),
        ("[", "EOF"),
    ] {
        let answer = client.control("POST /_faults", script).await;
        let error = answer.json()["error"].to_string();
        assert!(answer.status == 400 && error.contains(why), "{script}: {error}");
    }
    let script = client.control("GET /_faults", "").await.json()["script"].clone();
    assert_eq!(script, json!([{ "fault": { "status": 503, "body": "" } }]));
}

#[tokio::test]
async fn what_the_server_does_not_know_it_says_and_what_it_knows() {
    let mut client = Client::new().await;
    for line in ["GET /_fly", "PUT /_calls", "DELETE /_clock"] {
        let answer = client.control(line, "").await;
        let error = answer.json()["error"].to_string();
        assert!(answer.status == 404 && error.contains(line) && error.contains("/_faults"), "{error}");
    }
}
