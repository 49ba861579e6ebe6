//! The conformance suites on the test server, and on `LocalStack` as a second opinion.

#![expect(clippy::expect_used, reason = "a factory panics when it can't make a queue")]

#[path = "support/client.rs"]
mod client;

use std::time::Duration;

use aws_sdk_sqs::Client;
use queue_sqs::{SqsQueue, SqsQueueSettings};
use testkit::server::SqsServer;
use testkit::{Fixture, Promises, QueuePromise, Setup};
use tokio::sync::OnceCell;

testkit::conformance! {
    server: queue(standard(), on_the_server),
    fifo: ordered_queue(fifo(), on_the_server),
    localstack: queue(localstack(standard()), on_localstack),
    localstack_fifo: ordered_queue(localstack_fifo(), on_localstack),
}

/// What a standard queue of Amazon SQS promises.
fn standard() -> Promises<QueuePromise> {
    Promises::standard()
        .without(QueuePromise::StaleDeletes) // a delete by a stale receipt is answered with success
        .without(QueuePromise::Stop) // the service finishes its wait
        .with(QueuePromise::ExactDepth) // of these servers: the service's own counts are approximate
        .with(QueuePromise::Purge) // the same: the service takes up to a minute
}

/// What a FIFO queue of Amazon SQS promises.
fn fifo() -> Promises<QueuePromise> {
    Promises::ordered().without(QueuePromise::SeparateIds) // an id that spells a body's digest is that body
}

fn localstack(promises: Promises<QueuePromise>) -> Promises<QueuePromise> {
    promises
        .without(QueuePromise::StaleExtensions) // a stale receipt's visibility change is taken
        .without(QueuePromise::ExpiredExtensions) // so is that of a delivery whose time ran out
        .without(QueuePromise::DroppedReceives) // a long poll that was dropped swallows the next message
        .without(QueuePromise::LongNames) // an attribute's name has 255 characters at most
        .slack(Duration::from_millis(1_500)) // a message comes back up to a second late
        .needs("LocalStack: cargo xtask test")
}

fn localstack_fifo() -> Promises<QueuePromise> {
    localstack(fifo())
        .without(QueuePromise::ExpiredDeletes) // a late delete deletes
        .without(QueuePromise::StaleDeletes) // so does one by a stale receipt
        .without(QueuePromise::WholeGroups) // a group goes on though one of the last receive is in flight
        .without(QueuePromise::AttemptIds) // they are ignored
}

async fn on_the_server(setup: Setup) -> Fixture {
    static SERVER: OnceCell<SqsServer> = OnceCell::const_new();
    let server = SERVER.get_or_init(async || SqsServer::start().await.expect("a port is free")).await;
    fresh(&client::client(server.endpoint_url()), setup).await
}

async fn on_localstack(setup: Setup) -> Fixture {
    let url = std::env::var("SQS_ENDPOINT_URL").expect("SQS_ENDPOINT_URL names a server");
    fresh(&client::client(&url), setup).await
}

async fn fresh(client: &Client, setup: Setup) -> Fixture {
    let usual = SqsQueueSettings::new();
    let dead = make(client, &format!("dead_{}", setup.name), usual.clone()).await;
    let mut settings = usual.with_visibility(setup.visibility).with_retention(setup.retention);
    if setup.content_deduplication {
        settings = settings.with_content_deduplication();
    }
    if let Some(max) = setup.max_receive_count {
        settings = settings.with_dead_letter(&dead, max);
    }
    let queue = make(client, setup.name.as_str(), settings).await;
    Fixture::new(queue.clone()).with_inspect(queue).with_dead_letter(dead)
}

async fn make(client: &Client, name: &str, settings: SqsQueueSettings) -> SqsQueue {
    let builder = SqsQueue::builder(client.clone()).name(name).create(settings);
    builder.build().await.expect("the set-up is within the limits")
}
