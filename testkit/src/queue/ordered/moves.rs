//! The moves that clauses about ordered queues are made of.

use std::time::Duration;

use queue_core::{Delivery, MessageId, Outgoing, ReceiveOptions};
use tokio::time::{Instant, sleep};

use crate::pace::{Pace, Window};
use crate::queue::subject::{Subject, kinds, settler};

/// A message of an ordered queue: the first letter of its body is its group, the body is its deduplication id.
pub(super) fn grouped(body: &str) -> Outgoing {
    Outgoing::new(body).with_group_key(&body[..1]).with_deduplication_id(body)
}

/// The bodies, in the order in which they came.
pub(super) fn words(deliveries: &[Delivery]) -> Vec<&str> {
    deliveries.iter().map(|delivery| delivery.message().body()).collect()
}

/// Makes a delivery's message visible again at once.
pub(super) async fn give_back(delivery: Delivery) {
    delivery.release(Duration::ZERO).await.expect("what is held can be released");
}

/// Deletes a delivery's message.
pub(super) async fn done(delivery: Delivery) {
    delivery.ack().await.expect("what is held can be deleted");
}

/// Deletes the messages of a batch in one call.
pub(super) async fn all_done(batch: Vec<Delivery>) {
    let receipts: Vec<_> = batch.iter().map(|delivery| delivery.receipt().clone()).collect();
    let answers = settler(&batch).delete(receipts).await;
    assert_eq!(kinds(&answers), vec![None; batch.len()], "what is held can be deleted");
    batch.into_iter().for_each(Delivery::forget);
}

impl Subject {
    /// Publishes the words of `bodies`, one by one.
    pub(super) async fn send_words(&self, bodies: &str) -> Vec<MessageId> {
        let mut ids = Vec::new();
        for body in bodies.split(' ') {
            ids.push(self.send(grouped(body)).await);
        }
        ids
    }

    /// Makes one receive of up to `count` messages, as soon as there are any.
    pub(super) async fn take_at_once(&self, count: usize, visibility: Duration) -> Vec<Delivery> {
        self.take_as(ReceiveOptions::new(count).with_visibility(visibility)).await
    }

    /// Makes one receive as `options` say, as soon as there is anything.
    pub(super) async fn take_as(&self, options: ReceiveOptions) -> Vec<Delivery> {
        let last = Instant::now() + self.pace.patience();
        loop {
            let got = self.receive(options.clone().with_wait(Pace::WAIT)).await;
            if !got.is_empty() {
                return got;
            }
            assert!(Instant::now() < last, "no message came, though it was time");
            sleep(self.pace.tick()).await;
        }
    }

    /// Receives these words in one receive, in this order, and holds them.
    pub(super) async fn brings(&self, bodies: &str) -> Vec<Delivery> {
        self.lease_words(bodies, Pace::HOLD).await.0
    }

    /// Receives these words in one receive, in this order; and when they have to come back.
    pub(super) async fn lease_words(&self, bodies: &str, visibility: Duration) -> (Vec<Delivery>, Window) {
        let expected: Vec<_> = bodies.split(' ').collect();
        let asked = Instant::now();
        let got = self.take_at_once(expected.len(), visibility).await;
        let back = Window::after(asked, visibility);
        assert_eq!(words(&got), expected);
        (got, back)
    }

    /// Receives one message, which has to be this one and has to be there now, and holds it.
    pub(super) async fn next_is(&self, body: &str) -> Delivery {
        let next = self.comes_in(Window::now()).await;
        assert_eq!(next.message().body(), body);
        next
    }
}
