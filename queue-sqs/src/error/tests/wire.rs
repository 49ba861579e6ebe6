//! Calls that get no answer, over real sockets.

use std::net::SocketAddr;
use std::time::Duration;

use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, future};
use aws_sdk_sqs::Client;
use aws_sdk_sqs::config::timeout::TimeoutConfig;
use aws_sdk_sqs::config::{BehaviorVersion, Builder, Config};
use aws_smithy_http_client::Builder as HttpBuilder;
use queue_core::QueueError;
use queue_core::QueueErrorKind::{Indeterminate, Permanent, Transient};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinSet;

use super::replay::{Action, call, config};

/// Long enough for what does happen, and not too long to wait for what doesn't.
const SOON: Duration = Duration::from_millis(300);

fn at(address: SocketAddr, timeouts: TimeoutConfig) -> Client {
    let config = config().endpoint_url(format!("http://{address}")).timeout_config(timeouts);
    Client::from_conf(config.http_client(HttpBuilder::new().build_http()).build())
}

async fn receive(address: SocketAddr) -> QueueError {
    let timeouts = TimeoutConfig::builder().operation_timeout(SOON * 10).build();
    call(&at(address, timeouts), Action::Receive).await.expect("there is no service")
}

/// A server that does this with the one connection that it takes.
async fn server<F: Future<Output = ()> + Send + 'static>(
    serve: impl FnOnce(TcpStream) -> F + Send + 'static,
) -> (SocketAddr, JoinSet<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, mut tasks) = (listener.local_addr().unwrap(), JoinSet::new());
    tasks.spawn(async move { serve(listener.accept().await.unwrap().0).await });
    (address, tasks)
}

async fn read_some(connection: &mut TcpStream) {
    let mut some = [0; 64];
    assert!(connection.read(&mut some).await.unwrap() > 0);
}

// P25, W7
#[tokio::test]
async fn a_refused_connection_has_sent_nothing() {
    let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let error = receive(address).await;
    assert_eq!(error.kind(), Transient, "{error}");
    assert!(error.message().contains("nothing was sent"), "{error}");
}

// P25, W7
#[tokio::test]
async fn a_name_that_is_not_known_has_sent_nothing() {
    let client =
        config().endpoint_url("http://no-such-host.invalid").http_client(HttpBuilder::new().build_http());
    let error = call(&Client::from_conf(client.build()), Action::Receive).await.unwrap();
    assert_eq!(error.kind(), Transient, "{error}");
}

/// A listener whose queue of connections is full answers no more.
// P25, W7
#[tokio::test]
async fn a_connection_that_is_not_had_in_time_has_sent_nothing() {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(0).unwrap();
    let address = listener.local_addr().unwrap();
    let mut full = Vec::new();
    while let Ok(connection) = tokio::time::timeout(SOON, TcpStream::connect(address)).await {
        full.push(connection.unwrap());
    }
    let timeouts = TimeoutConfig::builder().connect_timeout(SOON).operation_timeout(SOON * 10).build();
    let error = call(&at(address, timeouts), Action::Send).await.unwrap();
    assert_eq!(error.kind(), Transient, "{error}");
    assert!(error.message().contains("nothing was sent"), "{error}");
}

// P25, Q6, Q8
#[tokio::test]
async fn an_end_before_the_answer_leaves_open_what_happened() {
    let (address, _server) = server(|mut connection| async move { read_some(&mut connection).await }).await;
    let error = receive(address).await;
    assert_eq!(error.kind(), Indeterminate, "{error}");
}

/// A socket that is closed with unread bytes resets its connection.
// P25, Q6, Q8
#[tokio::test]
async fn a_reset_leaves_open_what_happened() {
    let (address, _server) = server(|connection| async move { connection.readable().await.unwrap() }).await;
    let error = receive(address).await;
    assert_eq!(error.kind(), Indeterminate, "{error}");
}

// P25, Q6, Q8
#[tokio::test]
async fn half_an_answer_leaves_open_what_happened() {
    for half in
        ["HTTP/1.1 2", "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{\"Messages\":", "garbage\r\n\r\n"]
    {
        let (address, _server) = server(move |mut connection| async move {
            read_some(&mut connection).await;
            connection.write_all(half.as_bytes()).await.unwrap();
        })
        .await;
        let error = receive(address).await;
        assert_eq!(error.kind(), Indeterminate, "{half:?}: {error}");
    }
}

// P25, Q6, Q8, W8
#[tokio::test]
async fn no_answer_in_time_leaves_open_what_happened() {
    let timeouts = [
        TimeoutConfig::builder().operation_timeout(SOON),
        TimeoutConfig::builder().operation_attempt_timeout(SOON),
        TimeoutConfig::builder().read_timeout(SOON),
    ];
    for timeouts in timeouts {
        let timeouts = timeouts.build();
        let (address, _server) = server(|connection| async move {
            let _open = connection;
            std::future::pending::<()>().await;
        })
        .await;
        let error = call(&at(address, timeouts.clone()), Action::Receive).await.unwrap();
        assert_eq!(error.kind(), Indeterminate, "{timeouts:?}: {error}");
        assert!(error.message().contains("no answer in time"), "{error}");
    }
}

/// A provider whose source is away.
#[derive(Debug)]
struct Away;

impl ProvideCredentials for Away {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        future::ProvideCredentials::ready(Err(CredentialsError::provider_error(
            "the metadata service is away",
        )))
    }
}

// P25, W7
#[tokio::test]
async fn credentials_that_cannot_be_had_may_come_later() {
    let client = config().credentials_provider(Away).http_client(HttpBuilder::new().build_http()).build();
    let error = call(&Client::from_conf(client), Action::Receive).await.unwrap();
    assert_eq!(error.to_string(), "transient: receive: no credentials could be had; nothing was sent");
}

fn bare() -> Builder {
    Config::builder().behavior_version(BehaviorVersion::latest())
}

// P25
#[tokio::test]
async fn a_client_that_can_not_send_says_what_it_lacks() {
    let http = HttpBuilder::new().build_http();
    let region = || aws_sdk_sqs::config::Region::new("us-east-1");
    let key = || aws_credential_types::Credentials::from_keys("test", "test", None);
    let without = [
        #[cfg(not(feature = "default-https-client"))]
        ("HTTP client", bare().region(region()).credentials_provider(key())),
        ("region", bare().credentials_provider(key()).http_client(http.clone())),
        (
            "region",
            bare().credentials_provider(key()).http_client(http.clone()).endpoint_url("http://127.0.0.1:1"),
        ),
        ("credentials provider", bare().region(region()).http_client(http)),
    ];
    for (lack, config) in without {
        let error = call(&Client::from_conf(config.build()), Action::Attributes).await.unwrap();
        assert_eq!(error.kind(), Permanent, "{lack}: {error}");
        assert!(error.message().contains(lack), "{error}");
    }
}

// P25
#[tokio::test]
async fn a_request_that_can_not_be_made_is_refused() {
    let client = Client::from_conf(config().http_client(HttpBuilder::new().build_http()).build());
    let error = client.cancel_message_move_task().send().await.unwrap_err();
    let error = crate::error::of_call("cancel", error);
    assert_ne!(error.kind(), Indeterminate, "{error}");
}
