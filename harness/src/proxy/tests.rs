//! A proxy in front of a server that repeats what it hears.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, timeout};

use super::*;

/// A server that repeats what it hears, and a proxy in front of it.
async fn echo() -> (Proxy, TaskTracker) {
    let (tasks, listener) = (TaskTracker::new(), TcpListener::bind("127.0.0.1:0").await.unwrap());
    let address = listener.local_addr().unwrap();
    let clients = tasks.clone();
    tasks.spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            clients.spawn(async move {
                let (mut from, mut to) = client.split();
                tokio::io::copy(&mut from, &mut to).await.ok();
            });
        }
    });
    (Proxy::start(address).await.unwrap(), tasks)
}

async fn connect(proxy: &Proxy) -> TcpStream {
    TcpStream::connect(proxy.address()).await.unwrap()
}

/// Says something and hears the answer; nothing where the connection ends, is silent, or the answer is cut off.
async fn say(client: &mut TcpStream, what: &str) -> Option<String> {
    client.write_all(what.as_bytes()).await.ok()?;
    hear(client, what.len()).await
}

async fn hear(client: &mut TcpStream, count: usize) -> Option<String> {
    let mut heard = vec![0; count];
    timeout(Duration::from_millis(200), client.read_exact(&mut heard)).await.ok()?.ok()?;
    String::from_utf8(heard).ok()
}

#[tokio::test]
async fn what_passes_is_counted() {
    let (proxy, _server) = echo().await;
    let mut client = connect(&proxy).await;
    assert_eq!(say(&mut client, "hello").await.as_deref(), Some("hello"));
    assert_eq!(proxy.traffic(), Traffic { connections: 1, to_server: 5, to_client: 5 });
}

#[tokio::test]
async fn a_cut_ends_what_is_there_and_not_what_comes() {
    let (proxy, _server) = echo().await;
    let mut client = connect(&proxy).await;
    assert!(say(&mut client, "hello").await.is_some());
    proxy.cut();
    assert_eq!(client.read(&mut [0; 8]).await.unwrap_or_default(), 0);
    assert!(say(&mut connect(&proxy).await, "hello").await.is_some());
}

#[tokio::test]
async fn new_connections_are_refused_and_old_ones_go_on() {
    let (proxy, _server) = echo().await;
    let mut client = connect(&proxy).await;
    assert!(say(&mut client, "hello").await.is_some());
    proxy.refuse();
    assert!(say(&mut connect(&proxy).await, "hello").await.is_none());
    assert!(say(&mut client, "hello").await.is_some());
    proxy.pass();
    assert!(say(&mut connect(&proxy).await, "hello").await.is_some());
}

#[tokio::test]
async fn what_is_stalled_is_delivered_once_it_may_pass() {
    let (proxy, _server) = echo().await;
    proxy.stall();
    let mut client = connect(&proxy).await;
    assert_eq!(say(&mut client, "hello").await, None);
    assert_eq!(proxy.traffic().to_server, 0);
    proxy.pass();
    assert_eq!(hear(&mut client, 5).await.as_deref(), Some("hello"));
}

#[tokio::test]
async fn a_delay_counts_for_either_direction() {
    let (proxy, _server) = echo().await;
    proxy.delay(Duration::from_millis(30));
    let start = Instant::now();
    assert!(say(&mut connect(&proxy).await, "hello").await.is_some());
    assert!(start.elapsed() >= Duration::from_millis(60));
}

#[tokio::test]
async fn an_answer_is_cut_off_in_the_middle_and_the_next_connection_too_until_answers_are_let_be() {
    let (proxy, _server) = echo().await;
    let mut client = connect(&proxy).await;
    assert!(say(&mut client, "hello").await.is_some());
    proxy.cut_answers_after(3);
    for mut client in [client, connect(&proxy).await] {
        client.write_all(b"hello").await.unwrap();
        let mut heard = Vec::new();
        client.read_to_end(&mut heard).await.ok();
        assert_eq!(heard, b"hel");
    }
    proxy.let_answers_be();
    assert!(say(&mut connect(&proxy).await, "hello").await.is_some());
}

#[tokio::test]
async fn a_url_leads_through_it() {
    let (proxy, _server) = echo().await;
    let address = proxy.address();
    let through = |url: &str| proxy.url(url);
    assert_eq!(through("postgres://me:p@db:1/x?y=z"), format!("postgres://me:p@{address}/x?y=z"));
    assert_eq!(through("mysql://db"), format!("mysql://{address}"));
}
