//! A claim check over queues at the test server.

use std::time::Duration;

use queue_core::{Consumer, Depth, Inspect, Outgoing, Publisher, PublisherExt, ReceiveOptions};
use queue_sqs::{ClaimCheck, SqsQueue, SqsQueueSettings};
use testkit::server::SqsServer;
use tokio::time::timeout;

use crate::client::client;
use crate::store::FaultyStore;
use crate::support::{receive_one, shared};

/// Three times what the service takes.
const LARGE: usize = 3 << 20;

async fn made(server: &SqsServer, (name, settings): (&str, SqsQueueSettings)) -> SqsQueue {
    SqsQueue::builder(client(server.endpoint_url())).name(name).create(settings).build().await.unwrap()
}

// Q6, Q11
#[tokio::test]
async fn a_message_of_three_megabytes_goes_through_a_queue_that_takes_one() {
    let (server, store) = (SqsServer::start().await.unwrap(), FaultyStore::sound());
    let queue = made(&server, ("large", SqsQueueSettings::new())).await;
    let checked = ClaimCheck::new(queue.clone(), shared(&store), "bodies").with_folder("large");
    let message = Outgoing::new("é\n<&>".repeat(LARGE / 6)).with_attribute("type", "book");
    let small = Outgoing::new("small");
    assert!(checked.publish(vec![message.clone(), small.clone()]).await.iter().all(Result::is_ok));
    let mut came = Vec::new();
    while came.len() < 2 {
        let wait = ReceiveOptions::default().with_wait(Duration::from_secs(1));
        came.extend(timeout(Duration::from_secs(20), checked.receive(wait)).await.unwrap().unwrap());
    }
    for delivery in came {
        let copy = delivery.message().to_outgoing();
        assert!(copy == message || copy == small, "{copy:?}");
        delivery.ack().await.unwrap();
    }
    assert_eq!((queue.depth().await.unwrap(), store.keys().await.len()), (Depth::empty(), 0));
    server.stop().await;
}

// Q9: by content, as the service itself goes
#[tokio::test]
async fn a_large_message_that_is_sent_twice_to_a_fifo_queue_is_stored_once() {
    let (server, store) = (SqsServer::start().await.unwrap(), FaultyStore::sound());
    let settings = SqsQueueSettings::new().with_content_deduplication();
    let queue = made(&server, ("large.fifo", settings)).await;
    let checked = ClaimCheck::new(queue.clone(), shared(&store), "bodies").with_content_deduplication();
    let small = Outgoing::new("small").with_group_key("a");
    let large = Outgoing::new("x".repeat(LARGE)).with_group_key("a");
    let first = checked.publish_one(large.clone()).await.unwrap();
    assert_eq!(checked.publish_one(large.clone()).await.unwrap(), first);
    let first = queue.publish_one(small.clone()).await.unwrap();
    assert_eq!(checked.clone().with_every_body_stored().publish_one(small).await.unwrap(), first);
    assert_eq!(queue.depth().await.unwrap().total(), 2);
    let delivery = checked.receive(ReceiveOptions::new(1)).await.unwrap().remove(0);
    assert!(delivery.message().to_outgoing().body() == large.body());
    delivery.ack().await.unwrap();
    receive_one(&checked).await.ack().await.unwrap();
    server.stop().await;
}
