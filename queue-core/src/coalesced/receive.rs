//! The coalesced consumer: what it receives is settled in company.

use async_trait::async_trait;

use super::Coalesced;
use crate::{Consumer, Delivery, QueueError, ReceiveLimits, ReceiveOptions};

#[async_trait]
impl<Q: Consumer> Consumer for Coalesced<Q> {
    async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        let deliveries = self.queue.receive(options).await?;
        let limits = self.queue.receive_limits();
        Ok(deliveries.into_iter().map(|delivery| self.settles.adopt(delivery, &limits)).collect())
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.queue.receive_limits()
    }
}
