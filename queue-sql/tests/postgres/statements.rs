//! How many statements each call takes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Once};

use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, set_default, set_global_default};
use tracing::{Event, Metadata, Subscriber};

use crate::server::{Server, delete, fill, ordered, receive};

/// Counts what sqlx says it sent: each statement, `COMMIT` included, `BEGIN` not.
#[derive(Clone, Default)]
struct Counter(Arc<AtomicUsize>);

impl Counter {
    /// Counts what this thread sends, for as long as the guard lives.
    fn listen() -> (Self, DefaultGuard) {
        // Somebody always listens, so that no callsite is switched off for all by a test that listens to nothing.
        static LISTENER: Once = Once::new();
        LISTENER.call_once(|| set_global_default(Self::default()).unwrap());
        let counter = Self::default();
        (counter.clone(), set_default(counter))
    }

    fn take(&self) -> usize {
        self.0.swap(0, Ordering::Relaxed)
    }

    /// Waits for the upkeep that the first receive began.
    async fn quiet(&self) {
        loop {
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            if self.take() == 0 {
                return;
            }
        }
    }
}

impl Subscriber for Counter {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

// B9
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn receiving_ten_deleting_ten_hiding_ten_and_publishing_ten_are_one_statement_each() {
    let server = Server::new().await;
    let queue = server.database().await.queue("jobs").build().await.unwrap();
    assert!(receive(&queue, 1).await.is_empty());
    let (counter, counting) = Counter::listen();
    counter.quiet().await;
    fill(&queue, None, 10).await;
    assert_eq!(counter.take(), 1);
    let mut deliveries = receive(&queue, 10).await;
    assert_eq!((counter.take(), deliveries.len()), (1, 10));
    let later =
        |delivery: &queue_core::Delivery| (delivery.receipt().clone(), std::time::Duration::from_mins(1));
    let settler = Arc::clone(deliveries[0].settler());
    assert!(
        settler.change_visibility(deliveries.iter().map(later).collect()).await.iter().all(Result::is_ok)
    );
    assert_eq!(counter.take(), 1);
    delete(deliveries.split_off(0)).await;
    assert_eq!(counter.take(), 1);
    assert!(receive(&queue, 10).await.is_empty());
    assert_eq!(counter.take(), 1);
    drop(counting);
    server.clean().await;
}

// B9
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn an_ordered_queue_publishes_and_receives_by_one_statement_and_deletes_in_one_transaction() {
    let server = Server::new().await;
    let queue = ordered(&server.database().await).await;
    assert!(receive(&queue, 1).await.is_empty());
    let (counter, counting) = Counter::listen();
    counter.quiet().await;
    fill(&queue, Some("a"), 10).await;
    assert_eq!(counter.take(), 1);
    let options = crate::server::now(10).with_attempt_id("first");
    let deliveries = queue_core::Consumer::receive(&queue, options).await.unwrap();
    assert_eq!((counter.take(), deliveries.len()), (1, 10));
    delete(deliveries).await;
    assert_eq!(counter.take(), 4, "lock, delete, settle, commit");
    drop(counting);
    server.clean().await;
}
