//! The server's clock.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::pin::pin;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::server::SqsServer;
use tokio::time::{Instant, timeout};

use crate::client::{Answer, Client, read};

/// Far less than what these tests would wait if the clock did not move.
const PROMPT: Duration = Duration::from_secs(5);

async fn received(client: &mut Client, url: &str, wait: u32) -> Vec<Value> {
    let input = json!({ "QueueUrl": url, "WaitTimeSeconds": wait });
    let answer = client.sqs("ReceiveMessage", &input).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["Messages"].as_array().cloned().unwrap_or_default()
}

// Q3
#[tokio::test]
async fn moved_forward_the_clock_ends_visibility_timeouts_and_delays() {
    let mut client = Client::new().await;
    let url = client.queue("a").await;
    let send = json!({ "QueueUrl": url, "MessageBody": "a", "DelaySeconds": 900 });
    client.sqs("SendMessage", &send).await;
    let answer = client.control("POST /_clock", r#"{"advance_ms":899000}"#).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(received(&mut client, &url, 0).await.is_empty());
    client.control("POST /_clock", r#"{"advance_ms":1000}"#).await;
    assert_eq!(received(&mut client, &url, 0).await.len(), 1);
    assert!(received(&mut client, &url, 0).await.is_empty());
    client.server.advance(Duration::from_secs(30));
    assert_eq!(received(&mut client, &url, 0).await.len(), 1);
}

/// Moves the clock forward, again and again, as nothing tells when a call has begun to wait.
async fn answer_in_ten_minutes(client: &mut Client) -> Answer {
    let mut answer = pin!(read(&mut client.stream));
    loop {
        client.server.advance(Duration::from_mins(10));
        if let Ok(answer) = timeout(Duration::from_millis(50), answer.as_mut()).await {
            return answer.unwrap();
        }
    }
}

// Q5
#[tokio::test]
async fn moved_forward_the_clock_ends_long_polls() {
    let mut client = Client::new().await;
    let url = client.queue("a").await;
    let send = json!({ "QueueUrl": url, "MessageBody": "a", "DelaySeconds": 600 });
    client.sqs("SendMessage", &send).await;
    for found in [1, 0] {
        let since = Instant::now();
        client.send_sqs("ReceiveMessage", &json!({ "QueueUrl": url, "WaitTimeSeconds": 20 })).await;
        let answer = answer_in_ten_minutes(&mut client).await;
        let messages = answer.json()["Messages"].as_array().map_or(0, Vec::len);
        assert_eq!(messages, found, "{answer:?}");
        assert!(since.elapsed() < PROMPT);
        client.sqs("PurgeQueue", &json!({ "QueueUrl": url })).await;
    }
}

#[tokio::test]
async fn the_clock_is_told_and_moves_by_milliseconds_forward_only() {
    let mut client = Client::new().await;
    let now = |answer: Value| answer["now_ms"].as_u64().unwrap();
    let before = now(client.control("GET /_clock", "").await.json());
    let after = now(client.control("POST /_clock", r#"{"advance_ms":3600000}"#).await.json());
    let moved = Duration::from_millis(after - before);
    assert!(moved >= Duration::from_hours(1) && moved < Duration::from_hours(1) + PROMPT, "{moved:?}");
    for body in ["{\"advance_ms\":-1}", "{}", "", "{\"advance\":1}"] {
        assert_eq!(client.control("POST /_clock", body).await.status, 400, "{body}");
    }
}

/// Asks for the time and blocks the thread meanwhile.
fn time(server: &SqsServer) -> u64 {
    let mut stream = TcpStream::connect(server.endpoint_url().trim_start_matches("http://")).unwrap();
    stream.write_all(b"GET /_clock HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    serde_json::from_str::<Value>(body).unwrap()["now_ms"].as_u64().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_test_may_pause_its_clock_and_block_its_only_thread() {
    tokio::time::advance(Duration::from_hours(1)).await;
    let server = SqsServer::start().await.unwrap();
    let before = time(&server);
    tokio::time::advance(Duration::from_hours(1)).await;
    assert!(Duration::from_millis(time(&server) - before) < PROMPT);
    server.stop().await;
}
