//! An ordered queue in memory that does one thing wrong.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use queue_core::{
    Consumer, Delivery, Limits, MemoryQueue, MemoryQueueBuilder, Message, MessageId, Outgoing, Publisher,
    QueueError, Receipt, ReceiveLimits, ReceiveOptions, Rejected, Settler,
};
use testkit::{Fixture, Setup};
use tokio::time::Instant;

use super::fault::{Fault, Publishing, Receiving};
use super::settling::BrokenSettler;
use super::{publishing, receiving};

/// An ordered queue in memory that does one thing wrong.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    pub(crate) inner: MemoryQueue,
    pub(crate) fault: Fault,
    pub(crate) by_content: bool,
    book: Arc<Mutex<Book>>,
}

/// What was brought: a message, its receipt, and what settles it.
pub(crate) type Brought = (Message, Receipt, Arc<dyn Settler>);

/// What it remembers.
#[derive(Debug, Default)]
pub(crate) struct Book {
    /// Numbers given out.
    pub(crate) numbers: u64,
    /// How many messages were deleted.
    pub(crate) deletes: u64,
    /// What was answered for an id.
    pub(crate) answered: HashMap<String, MessageId>,
    /// Ids of messages that were refused.
    pub(crate) refused: HashSet<String>,
    /// What attempts brought.
    pub(crate) attempts: HashMap<Arc<str>, Vec<Brought>>,
    /// Until when what the first attempt brought was hidden to begin with.
    pub(crate) hidden_until: Option<Instant>,
    /// The deliveries, by receipt.
    pub(crate) deliveries: HashMap<Receipt, Message>,
    /// The receipt of each message's newest delivery.
    pub(crate) newest: HashMap<MessageId, Receipt>,
}

impl Book {
    /// A number that was not given out before.
    pub(crate) fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// The receipt of the newest delivery of the same message.
    pub(crate) fn newest(&self, receipt: &Receipt) -> Receipt {
        let newest = self.deliveries.get(receipt).and_then(|message| self.newest.get(message.id()));
        newest.unwrap_or(receipt).clone()
    }
}

impl Broken {
    fn new(inner: MemoryQueue, fault: Fault, by_content: bool) -> Self {
        Self { inner, fault, by_content, book: Arc::default() }
    }

    pub(crate) fn fixture(fault: Fault, setup: &Setup) -> Fixture {
        let mut queue = builder(setup).visibility(setup.visibility);
        let dead = MemoryQueue::builder().ordered().build().unwrap();
        if let Some(max) = setup.max_receive_count.filter(|_| fault != Fault::NoDeadLetter) {
            queue = queue.dead_letter(dead.clone(), max);
        }
        let (ours, theirs) = match fault {
            Fault::DeadLastFirst => (Fault::None, fault),
            _ => (fault, Fault::None),
        };
        let queue = Self::new(queue.build().unwrap(), ours, setup.content_deduplication);
        Fixture::new(queue).with_dead_letter(Self::new(dead, theirs, false))
    }

    pub(crate) fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap()
    }

    /// Hands a delivery on, with this queue's settler, under `receipt`.
    pub(crate) fn hand(&self, (message, receipt, settler): Brought, options: &ReceiveOptions) -> Delivery {
        let mut book = self.book();
        book.newest.insert(message.id().clone(), receipt.clone());
        book.deliveries.insert(receipt.clone(), message.clone());
        drop(book);
        let visibility = options.visibility.unwrap_or(self.inner.receive_limits().visibility);
        let settler = BrokenSettler { queue: self.clone(), inner: settler };
        Delivery::new(self.shown(message), receipt, Arc::new(settler)).with_visibility(visibility)
    }

    /// The message with the group that its sender knows, or none.
    fn shown(&self, message: Message) -> Message {
        if self.fault == Fault::Receive(Receiving::NoGroup) {
            return Message::new(message.id().clone(), message.body());
        }
        let group = message.group_key().and_then(|group| group.split('#').next()).map(str::to_owned);
        group.into_iter().fold(message, Message::with_group_key)
    }
}

fn builder(setup: &Setup) -> MemoryQueueBuilder {
    let builder = MemoryQueue::builder().ordered();
    if setup.content_deduplication { builder.content_deduplication() } else { builder }
}

#[async_trait]
impl Publisher for Broken {
    async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>> {
        match self.fault {
            Fault::Publish(fault) => publishing::publish(fault, self, batch).await,
            _ => self.inner.publish(batch).await,
        }
    }

    fn limits(&self) -> Limits {
        let ordered = self.fault != Fault::Publish(Publishing::SaysItIsStandard);
        self.inner.limits().with_ordered(ordered)
    }
}

#[async_trait]
impl Consumer for Broken {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        receiving::receive(self, options).await
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.inner.receive_limits()
    }
}
