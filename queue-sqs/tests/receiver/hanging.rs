//! W8: calls that are never answered end by their deadline.

use aws_sdk_sqs::Client;
use aws_sdk_sqs::config::timeout::TimeoutConfig;
use queue_core::{Consumer, Depth, ReceiveOptions};
use queue_sqs::{SqsQueue, SqsQueueSettings};
use testkit::server::Fault;
use tokio::time::Instant;
use worker::{Receiver, handler};

use crate::world::{Seen, depth, first, hasty, ms, note, publish, queue, server, until};

// W8, P24
#[tokio::test]
async fn a_receive_that_hangs_is_ended_and_polling_goes_on() {
    let (server, seen) = (server().await, Seen::default());
    publish(&queue(&server, "main", 30).await, 1).await;
    let main = hasty(&server, "main", 30).await;
    server.faults(first("ReceiveMessage", 1, Fault::hang()));
    let start = Instant::now();
    let running =
        Receiver::builder(main.clone()).wait(ms(1_000)).handler(handler(note).with(seen.clone())).start();
    until("it was handled", || running.account().handled == 1).await;
    assert!(start.elapsed() >= ms(1_500), "its wait and the margin: {:?}", start.elapsed());
    let account = running.stop(ms(1_000)).await;
    assert!(account.failed_receives >= 1 && seen.count() == 1, "{account:?}");
    assert_eq!(depth(&main).await, Depth::empty());
}

// W8, Q6
#[tokio::test]
async fn a_delete_that_hangs_is_ended_and_made_again() {
    let (server, seen) = (server().await, Seen::default());
    publish(&queue(&server, "main", 30).await, 5).await;
    let main = hasty(&server, "main", 30).await;
    server.faults(first("DeleteMessageBatch", 1, Fault::hang()));
    let builder = Receiver::builder(main.clone()).slots(5).wait(ms(1_000));
    let running = builder.handler(handler(note).with(seen.clone())).start();
    until("all were handled", || running.account().handled == 5).await;
    running.stop(ms(1_000)).await;
    assert_eq!((seen.count(), depth(&main).await), (5, Depth::empty()));
}

// Q5, W8: what the client's owner set for other calls
#[tokio::test]
async fn a_client_that_is_impatient_by_itself_does_not_cut_a_long_poll() {
    let server = server().await;
    let impatient = TimeoutConfig::builder()
        .read_timeout(ms(200))
        .operation_attempt_timeout(ms(300))
        .operation_timeout(ms(400));
    let config = crate::client::config(server.endpoint_url()).timeout_config(impatient.build());
    let builder = SqsQueue::builder(Client::from_conf(config.build())).name("main");
    let main = builder.create(SqsQueueSettings::new()).build().await.unwrap();
    let start = Instant::now();
    let got = main.receive(ReceiveOptions::new(1).with_wait(ms(1_000))).await.unwrap();
    assert!(got.is_empty() && start.elapsed() >= ms(900), "{:?}", start.elapsed());
}
