//! A queue whose deliveries can be taken away from their receiver, and that notes what it gives back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use queue_core::{
    Consumer, Delivery, MemoryQueue, QueueError, Receipt, ReceiveLimits, ReceiveOptions, Settler,
};

/// A memory queue that remembers the latest receipt of each body.
#[derive(Clone, Debug)]
pub(crate) struct Tap {
    queue: MemoryQueue,
    known: Arc<Mutex<HashMap<String, Receipt>>>,
    given_back: Arc<Mutex<Vec<String>>>,
    behind: Arc<Mutex<Option<Arc<dyn Settler>>>>,
}

impl Tap {
    pub(crate) fn new(queue: &MemoryQueue) -> Self {
        let (known, given_back, behind) = (Arc::default(), Arc::default(), Arc::default());
        Self { queue: queue.clone(), known, given_back, behind }
    }

    /// Makes a message visible behind its receiver's back, so that its next call finds it lost.
    pub(crate) async fn snatch(&self, body: &str) {
        let receipt = self.known.lock().unwrap()[body].clone();
        self.settler().change_visibility(vec![(receipt, Duration::ZERO)]).await.remove(0).unwrap();
    }

    /// The bodies of what was made visible at once, in order.
    pub(crate) fn given_back(&self) -> Vec<String> {
        self.given_back.lock().unwrap().clone()
    }

    fn settler(&self) -> Arc<dyn Settler> {
        self.behind.lock().unwrap().clone().unwrap()
    }

    fn front(&self, delivery: Delivery) -> Delivery {
        let body = delivery.message().body().to_owned();
        self.known.lock().unwrap().insert(body, delivery.receipt().clone());
        delivery.map_settler(|behind| {
            *self.behind.lock().unwrap() = Some(behind);
            Arc::new(self.clone())
        })
    }
}

#[async_trait]
impl Consumer for Tap {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        let deliveries = self.queue.receive(options).await?;
        Ok(deliveries.into_iter().map(|delivery| self.front(delivery)).collect())
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.queue.receive_limits()
    }
}

#[async_trait]
impl Settler for Tap {
    async fn delete(&self, batch: Vec<Receipt>) -> Vec<Result<(), QueueError>> {
        self.settler().delete(batch).await
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Vec<Result<(), QueueError>> {
        for (receipt, _) in batch.iter().filter(|(_, visibility)| visibility.is_zero()) {
            let known = self.known.lock().unwrap();
            let body = known.iter().find(|(_, theirs)| *theirs == receipt).unwrap().0.clone();
            self.given_back.lock().unwrap().push(body);
        }
        self.settler().change_visibility(batch).await
    }

    fn abandon(&self, receipt: Receipt) {
        self.settler().abandon(receipt);
    }
}
