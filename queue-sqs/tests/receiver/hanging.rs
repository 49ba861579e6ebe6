//! W8: calls that are never answered end by their deadline.

use queue_core::Depth;
use testkit::server::Fault;
use tokio::time::Instant;
use worker::{Receiver, handler};

use crate::world::{Seen, depth, first, ms, note, publish, queue, server, until};

// W8, P24
#[tokio::test]
async fn a_receive_that_hangs_is_ended_and_polling_goes_on() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main", 30).await;
    publish(&main, 1).await;
    server.faults(first("ReceiveMessage", 1, Fault::hang()));
    let start = Instant::now();
    let running =
        Receiver::builder(main.clone()).wait(ms(1_000)).handler(handler(note).with(seen.clone())).start();
    until("it was handled", || running.account().handled == 1).await;
    assert!(start.elapsed() >= ms(1_300), "its wait and the margin: {:?}", start.elapsed());
    let account = running.stop(ms(1_000)).await;
    assert_eq!((account.failed_receives, seen.count()), (1, 1));
    assert_eq!(depth(&main).await, Depth::empty());
}

// W8, Q6
#[tokio::test]
async fn a_delete_that_hangs_is_ended_and_made_again() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main", 30).await;
    publish(&main, 5).await;
    server.faults(first("DeleteMessageBatch", 1, Fault::hang()));
    let builder = Receiver::builder(main.clone()).slots(5).wait(ms(1_000));
    let running = builder.handler(handler(note).with(seen.clone())).start();
    until("all were handled", || running.account().handled == 5).await;
    running.stop(ms(1_000)).await;
    assert_eq!((seen.count(), depth(&main).await), (5, Depth::empty()));
}
