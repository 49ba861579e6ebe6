//! Connections: kept, hung up on, and the server's own end.

use std::time::Duration;

use serde_json::json;
use testkit::server::{Fault, FaultScript, Rule, SqsServer, SqsServerOptions};
use tokio::net::TcpStream;

use crate::client::Client;

async fn received(client: &mut Client, url: &str) -> usize {
    let answer = client.sqs("ReceiveMessage", &json!({ "QueueUrl": url, "WaitTimeSeconds": 0 })).await;
    answer.json()["Messages"].as_array().map_or(0, Vec::len)
}

/// Begins a long poll and hangs up once the server has it; then sends a message.
async fn abandon(client: &mut Client, url: &str) {
    client.send_sqs("ReceiveMessage", &json!({ "QueueUrl": url, "WaitTimeSeconds": 20 })).await;
    while client.server.calls().of("ReceiveMessage") == 0 {
        tokio::task::yield_now().await;
    }
    client.reconnect().await;
    // By when this is answered, the server has read the end of the other connection.
    for _ in 0..3 {
        client.control("GET /_clock", "").await;
    }
    client.sqs("SendMessage", &json!({ "QueueUrl": url, "MessageBody": "a" })).await;
}

#[tokio::test]
async fn a_client_that_hangs_up_in_a_long_poll_swallows_no_message() {
    for _ in 0..50 {
        let mut client = Client::new().await;
        let url = client.queue("a").await;
        abandon(&mut client, &url).await;
        assert_eq!(received(&mut client, &url).await, 1);
    }
}

#[tokio::test]
async fn a_poll_that_the_script_abandons_hides_what_it_takes_for_its_visibility_timeout() {
    let mut client = Client::new().await;
    let url = client.queue("a").await;
    client.server.faults(FaultScript::new([Rule::new(Fault::abandon()).with_times(1)]));
    abandon(&mut client, &url).await;
    client.sqs("SendMessage", &json!({ "QueueUrl": url, "MessageBody": "b" })).await;
    assert_eq!(received(&mut client, &url).await, 1, "only what came second is there");
    client.server.advance(Duration::from_secs(30));
    assert_eq!(received(&mut client, &url).await, 1);
}

#[tokio::test]
async fn one_connection_carries_many_calls_of_both_services() {
    let mut client = Client::new().await;
    for number in 0..20 {
        client.queue(&format!("queue-{number}")).await;
        assert_eq!(client.sns("CreateTopic", &[("Name", "topic")]).await.status, 200);
    }
}

#[tokio::test]
async fn a_stopped_server_ends_its_calls_and_frees_its_port() {
    let mut client = Client::new().await;
    let url = client.queue("a").await;
    client.send_sqs("ReceiveMessage", &json!({ "QueueUrl": url, "WaitTimeSeconds": 20 })).await;
    while client.server.calls().of("ReceiveMessage") == 0 {
        tokio::task::yield_now().await;
    }
    let listen = client.server.endpoint_url().trim_start_matches("http://").parse().unwrap();
    let Client { server, mut stream } = client;
    server.stop().await;
    assert!(crate::client::read(&mut stream).await.is_err());
    let again = SqsServer::start_with(SqsServerOptions::default().with_listen(listen)).await.unwrap();
    drop(again);
    while TcpStream::connect(listen).await.is_ok() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_server_listens_on_loopback_only() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let options = SqsServerOptions::default().with_listen(address.parse().unwrap());
        let error = SqsServer::start_with(options).await.unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
        assert!(error.to_string().contains("no loopback address"), "{error}");
    }
}

#[tokio::test]
async fn a_body_that_is_too_long_is_refused_and_one_of_the_largest_size_is_not() {
    let mut client = Client::new().await;
    let url = client.queue("a").await;
    // A character that takes six bytes in JSON as it can be written.
    let send = |letters: usize| {
        format!("{{\"QueueUrl\":\"{url}\",\"MessageBody\":\"{}\"}}", "\\u0061".repeat(letters))
    };
    let head = format!(
        "{}X-Amz-Target: AmazonSQS.SendMessage\r\n{}",
        crate::client::JSON,
        crate::client::AUTHORIZED
    );
    client.send("POST / ", &head, &send(1_048_576)).await;
    assert_eq!(client.answer().await.unwrap().status, 200);
    client.send_head("POST / ", &head, 8 * 1024 * 1024 + 1).await;
    let answer = client.answer().await.unwrap();
    assert_eq!(answer.status, 413, "{answer:?}");
    assert!(answer.json().is_object(), "{answer:?}");
}
