//! Attempts that are made at once.

use futures::future::join_all;
use queue_core::Consumer;

use crate::server::{Server, bodies, fill, now, ordered, receive};

// Q8
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn an_attempt_that_is_made_many_times_at_once_brings_one_group() {
    let server = Server::new().await;
    let queue = ordered(&server.database().await).await;
    for group in ["a", "b", "c"] {
        fill(&queue, Some(group), 2).await;
    }
    let attempt = || queue.receive(now(2).with_attempt_id("same"));
    let received = join_all((0..16).map(|_| attempt())).await;
    for deliveries in received {
        let deliveries = deliveries.unwrap();
        assert!(deliveries.is_empty() || bodies(&deliveries) == ["a 0", "a 1"], "{:?}", bodies(&deliveries));
    }
    assert_eq!(bodies(&attempt().await.unwrap()), ["a 0", "a 1"]);
    assert_eq!(bodies(&receive(&queue, 10).await), ["b 0", "b 1", "c 0", "c 1"], "nothing else was taken");
    server.clean().await;
}
