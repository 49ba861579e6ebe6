//! A queue in memory that does one thing wrong.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use queue_core::{
    Consumer, Delivery, Depth, Inspect, Limits, MemoryQueue, MessageId, Outgoing, Publisher, QueueError,
    ReceiveLimits, ReceiveOptions, Rejected,
};
use testkit::{Fixture, Setup};

use super::book::Book;
use super::fault::Fault;
use super::settling::BrokenSettler;
use super::{content, inspecting, publishing, receiving, setting_up};

/// A queue in memory that does one thing wrong.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    pub(crate) inner: MemoryQueue,
    pub(crate) fault: Fault,
    pub(crate) book: Arc<Mutex<Book>>,
}

impl Broken {
    pub(crate) fn new(inner: MemoryQueue, fault: Fault) -> Self {
        Self { inner, fault, book: Arc::default() }
    }

    pub(crate) fn fixture(fault: Fault, setup: &Setup) -> Fixture {
        let queue = |inner| Self::new(inner, fault);
        let (main, dead) = setting_up::build(fault, setup);
        let fixture = Fixture::new(queue(main.clone())).with_inspect(queue(main));
        dead.into_iter().map(queue).fold(fixture, Fixture::with_dead_letter)
    }

    /// Hands a delivery on, with this queue's settler and what it makes of the message.
    pub(crate) fn deliver(&self, delivery: Delivery) -> Delivery {
        self.book.lock().unwrap().note(&delivery);
        let message = content::change(self, delivery.message().clone());
        let receipt = BrokenSettler::receipt(self, &delivery);
        let settler = BrokenSettler::new(self.clone(), Arc::clone(delivery.settler()));
        let visibility = receiving::told(self.fault, delivery.visibility());
        delivery.forget();
        Delivery::new(message, receipt, Arc::new(settler)).with_visibility(visibility)
    }
}

#[async_trait]
impl Publisher for Broken {
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        match self.fault {
            Fault::Publish(fault) => publishing::publish(fault, &self.inner, batch).await,
            _ => self.inner.publish(batch).await,
        }
    }

    fn limits(&self) -> Limits {
        self.inner.limits()
    }
}

#[async_trait]
impl Consumer for Broken {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        let answer = match self.fault {
            Fault::Receive(fault) => receiving::receive(fault, &self.inner, options).await,
            _ => self.inner.receive(options).await,
        };
        Ok(answer?.into_iter().map(|delivery| self.deliver(delivery)).collect())
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.inner.receive_limits()
    }
}

#[async_trait]
impl Inspect for Broken {
    async fn depth(&self) -> Result<Depth, QueueError> {
        self.inner.depth().await.map(|depth| inspecting::depth(self.fault, depth))
    }

    async fn purge(&self) -> Result<(), QueueError> {
        inspecting::purge(self).await
    }
}
