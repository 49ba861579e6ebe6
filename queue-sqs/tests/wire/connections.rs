//! What queues share that are called through one client; and an answer that comes late.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use queue_core::{Consumer, ReceiveOptions};
use queue_sqs::{SqsQueue, SqsQueueSettings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::client::client;

const MESSAGE: &str = r#"{"Messages":[{"MessageId":"1","ReceiptHandle":"r","Body":"x"}]}"#;

/// A service that gives everybody one message after a while.
struct Slow {
    endpoint: String,
    connections: Arc<AtomicUsize>,
    _serving: JoinSet<()>,
}

impl Slow {
    async fn new(after: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let (connections, mut serving) = (Arc::new(AtomicUsize::new(0)), JoinSet::new());
        let counted = Arc::clone(&connections);
        serving.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::Relaxed);
                open.spawn(answer(stream, after));
            }
        });
        Self { endpoint, connections, _serving: serving }
    }
}

async fn answer(mut stream: TcpStream, after: Duration) {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: ";
    let answer = format!("{head}{}\r\n\r\n{MESSAGE}", MESSAGE.len());
    while read(&mut stream).await {
        sleep(after).await;
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Reads a request; the body of a receive is JSON with one pair of braces.
async fn read(stream: &mut TcpStream) -> bool {
    let (mut request, mut piece) = (Vec::new(), [0; 4096]);
    while !(request.windows(4).any(|four| four == b"\r\n\r\n") && request.ends_with(b"}")) {
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return false,
            Ok(read) => request.extend_from_slice(&piece[..read]),
        }
    }
    true
}

async fn queue(client: aws_sdk_sqs::Client, url: String) -> SqsQueue {
    SqsQueue::builder(client).url(url).assume(SqsQueueSettings::new()).build().await.unwrap()
}

// Q3
#[tokio::test]
async fn an_answer_that_comes_late_has_used_up_some_of_the_visibility_timeout() {
    let (late, second) = (Duration::from_millis(300), Duration::from_secs(1));
    let service = Slow::new(late).await;
    let queue = queue(client(&service.endpoint), format!("{}/1/visits", service.endpoint)).await;
    let start = Instant::now();
    let taken = queue.receive(ReceiveOptions::new(1).with_wait(Duration::ZERO)).await.unwrap();
    let believed = taken[0].hidden_until() - start;
    assert!(believed < Duration::from_secs(30) + late, "without a wait it was taken at once: {believed:?}");
    let start = Instant::now();
    let taken = queue.receive(ReceiveOptions::new(1).with_wait(second)).await.unwrap();
    let believed = taken[0].hidden_until() - start;
    assert!(believed >= Duration::from_secs(30) + late, "it may have come in the wait: {believed:?}");
    assert_eq!(taken[0].visibility(), Duration::from_secs(30));
    assert_eq!(service.connections.load(Ordering::Relaxed), 1, "of both receives");
}

/// The SDK's own HTTP client, which it makes where none is given, is made with the client.
#[cfg(feature = "default-https-client")]
#[tokio::test]
async fn queues_of_one_client_share_its_connections_and_its_credentials() {
    use aws_credential_types::Credentials;
    use aws_credential_types::provider::{ProvideCredentials, future};
    use aws_sdk_sqs::config::{BehaviorVersion, Config, Region};

    #[derive(Clone, Debug, Default)]
    struct Counting(Arc<AtomicUsize>);

    impl ProvideCredentials for Counting {
        fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
        where
            Self: 'a,
        {
            self.0.fetch_add(1, Ordering::Relaxed);
            future::ProvideCredentials::ready(Ok(Credentials::from_keys("test", "test", None)))
        }
    }

    let (service, loads) = (Slow::new(Duration::ZERO).await, Counting::default());
    let config =
        Config::builder().behavior_version(BehaviorVersion::latest()).region(Region::new("us-east-1"));
    let config = config.credentials_provider(loads.clone()).endpoint_url(&service.endpoint).build();
    let client = aws_sdk_sqs::Client::from_conf(config);
    for number in 0..20 {
        let queue = queue(client.clone(), format!("{}/1/{number}", service.endpoint)).await;
        for wait in [Duration::ZERO, Duration::from_secs(1)] {
            assert_eq!(queue.receive(ReceiveOptions::new(1).with_wait(wait)).await.unwrap().len(), 1);
        }
    }
    let counts = [&service.connections, &loads.0].map(|count| count.load(Ordering::Relaxed));
    assert_eq!(counts, [1, 1], "connections, loads of credentials");
}
