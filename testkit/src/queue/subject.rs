//! The queue under test, with the moves that clauses are made of.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{
    Delivery, Inspect, MessageId, Outgoing, PublisherExt, Queue, QueueError, QueueErrorKind, ReceiveOptions,
    Rejected, Settler,
};
use tokio::time::{Instant, sleep, sleep_until};

use super::Fixture;
use crate::pace::{Pace, Window};

/// The queue under test.
pub(super) struct Subject {
    fixture: Fixture,
    pub(super) pace: Pace,
}

/// A delivery, and when its message has to come back.
pub(super) struct Leased {
    pub(super) delivery: Delivery,
    pub(super) back: Window,
}

impl Subject {
    pub(super) fn new(fixture: Fixture, pace: Pace) -> Self {
        Self { fixture, pace }
    }

    /// The queue itself.
    pub(super) fn queue(&self) -> &Arc<dyn Queue> {
        &self.fixture.queue
    }

    /// What looks into it.
    pub(super) fn inspect(&self) -> &dyn Inspect {
        let inspect = self.fixture.inspect.as_deref();
        inspect.expect("its promises need an Inspect: the factory has to answer a Fixture::with_inspect")
    }

    /// Its dead-letter queue.
    pub(super) fn dead_letter(&self) -> Self {
        let dead = self.fixture.dead_letter.as_ref().map(Arc::clone);
        let dead =
            dead.expect("it promises a DeadLetter: the factory has to answer a Fixture::with_dead_letter");
        Self::new(Fixture::new(dead), self.pace)
    }

    /// How many messages a receive, a publish and a settle call may have: ten, or fewer where the limits say so.
    pub(super) fn batch(&self) -> usize {
        self.queue().receive_limits().batch.min(self.queue().limits().batch).min(10)
    }

    /// Publishes one message, which has to be taken.
    pub(super) async fn send(&self, message: Outgoing) -> MessageId {
        self.queue()
            .publish_one(message)
            .await
            .map_err(Rejected::into_error)
            .expect("a sound message is taken")
    }

    /// Publishes messages with these bodies, all of which have to be taken.
    pub(super) async fn send_all(&self, bodies: &[String]) -> Vec<MessageId> {
        let messages = bodies.iter().map(|body| Outgoing::new(body.as_str())).collect();
        let answers = self.queue().publish_all(messages).await;
        assert_eq!(answers.len(), bodies.len(), "as many answers as messages");
        let ids = answers.into_iter().map(|answer| answer.map_err(Rejected::into_error));
        ids.collect::<Result<_, _>>().expect("sound messages are taken")
    }

    /// Asks for one message, waiting as long as can be: longer than all that should end the wait.
    pub(super) fn long_wait(&self) -> ReceiveOptions {
        let longest = self.queue().receive_limits().max_wait;
        ReceiveOptions::new(1).with_wait(longest).with_visibility(Pace::HOLD)
    }

    /// Receives; an error fails the clause.
    pub(super) async fn receive(&self, options: ReceiveOptions) -> Vec<Delivery> {
        self.queue().receive(options).await.expect("a receive is answered, if only with an empty list")
    }

    /// Receives `count` messages and holds them, in as many receives as it takes.
    pub(super) async fn take(&self, count: usize) -> Vec<Delivery> {
        let last = Instant::now() + self.pace.patience();
        let mut taken = Vec::new();
        while taken.len() < count {
            assert!(Instant::now() < last, "of {count} messages only these came: {:?}", bodies(&taken));
            let wanted = (count - taken.len()).min(self.batch());
            let options = ReceiveOptions::new(wanted).with_wait(Pace::WAIT).with_visibility(Pace::HOLD);
            taken.extend(self.receive(options).await);
            sleep(self.pace.tick()).await;
        }
        taken
    }

    /// Receives one message and holds it.
    pub(super) async fn take_one(&self) -> Delivery {
        self.comes(Window::within(self.pace.patience()), Pace::HOLD).await.delivery
    }

    /// Receives one message for a short visibility timeout.
    pub(super) async fn lease_one(&self) -> Leased {
        self.comes(Window::within(self.pace.patience()), self.pace.lease()).await
    }

    /// Receives the one message that has to come in `window`, neither before nor after, and holds it.
    pub(super) async fn comes_in(&self, window: Window) -> Delivery {
        self.comes(window, Pace::HOLD).await.delivery
    }

    /// Receives the one message that has to come in `window`, for `visibility`.
    pub(super) async fn comes(&self, window: Window, visibility: Duration) -> Leased {
        let options = ReceiveOptions::new(1).with_wait(Duration::ZERO).with_visibility(visibility);
        loop {
            let asked = Instant::now();
            if let Some(delivery) = self.receive(options.clone()).await.pop() {
                self.assert_not_before(window);
                return Leased { delivery, back: Window::after(asked, visibility) };
            }
            assert!(asked <= window.closes + self.pace.slack, "no message came, though it was time");
            sleep(self.pace.tick()).await;
        }
    }

    /// Checks that it is neither too early nor too late.
    pub(super) fn assert_in(&self, window: Window) {
        self.assert_not_before(window);
        let late = Instant::now().saturating_duration_since(window.closes);
        assert!(late <= self.pace.slack, "too late by {late:?}");
    }

    fn assert_not_before(&self, window: Window) {
        let early = window.opens.saturating_duration_since(Instant::now());
        assert!(early <= self.pace.early(), "too early by {early:?}");
    }

    /// Waits until what had to happen in `window` has happened.
    pub(super) async fn pass(&self, window: Window) {
        sleep_until(window.closes + self.pace.slack).await;
    }

    /// Checks that there is nothing to receive.
    pub(super) async fn is_quiet(&self) {
        let got = self.receive(ReceiveOptions::new(self.batch()).with_wait(Pace::WAIT)).await;
        assert!(got.is_empty(), "nothing should come, but these came: {:?}", bodies(&got));
    }

    /// Checks that nothing comes now, nor after `window`.
    pub(super) async fn is_quiet_after(&self, window: Window) {
        self.is_quiet().await;
        self.pass(window).await;
        self.is_quiet().await;
    }
}

/// The bodies, sorted.
pub(super) fn bodies(deliveries: &[Delivery]) -> Vec<String> {
    let mut bodies: Vec<_> = deliveries.iter().map(|delivery| delivery.message().body().to_owned()).collect();
    bodies.sort_unstable();
    bodies
}

/// `count` bodies, sorted.
pub(super) fn numbered(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("message {number:04}")).collect()
}

/// What settles these deliveries, all of them from one queue.
pub(super) fn settler(deliveries: &[Delivery]) -> Arc<dyn Settler> {
    let first = deliveries.first().expect("there is a delivery");
    Arc::clone(first.settler())
}

/// What the errors of a batch's answer mean; `None` for success.
pub(super) fn kinds(answers: &[Result<(), QueueError>]) -> Vec<Option<QueueErrorKind>> {
    answers.iter().map(|answer| answer.as_ref().err().map(QueueError::kind)).collect()
}
