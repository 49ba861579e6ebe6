//! A receive: one try, or several until a message comes or the wait ends.

use std::sync::Arc;

use queue_core::{Delivery, Message, MessageId, QueueError, ReceiveOptions, Settler};
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use crate::queue::Shared;
use crate::store::{Handle, Store, Taken, Wanted};
use crate::{attributes, micros, receipt, upkeep, watch};

impl<S: Store> Shared<S> {
    /// Receives: see [`queue_core::Consumer::receive`].
    ///
    /// It is in the line before it looks, so that a message that comes in between wakes it. One that is dropped while it
    /// waits has taken nothing.
    pub(crate) async fn receive(
        self: &Arc<Self>,
        options: ReceiveOptions,
    ) -> Result<Vec<Delivery>, QueueError> {
        self.record.settings.receive_limits().check(&options)?;
        upkeep::keep_up(self);
        let deadline = Instant::now() + options.wait;
        if options.wait.is_zero() || options.stop.is_cancelled() {
            return self.take(&options).await;
        }
        let waiter = self.database.hub.join(self.record.id);
        loop {
            let deliveries = self.take(&options).await?;
            if !deliveries.is_empty() {
                waiter.satisfied(deliveries.len() == options.max_messages);
                return Ok(deliveries);
            }
            watch::start(&self.database);
            tokio::select! {
                () = waiter.woken() => {}
                () = options.stop.cancelled() => return self.take(&options).await,
                () = sleep_until(deadline) => return self.take(&options).await,
            }
        }
    }

    /// Takes what is there.
    async fn take(self: &Arc<Self>, options: &ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        let (wanted, asked) = (self.wanted(options), Instant::now());
        let received = self.database.store.receive(&self.record, &wanted).await?;
        if received.dead > 0 {
            self.tally.add_dead_lettered(received.dead);
            let (queue, dead) = (&self.record.name, received.dead);
            tracing::warn!(%queue, dead, "messages were received too often and went to the dead-letter queue");
        }
        let settler: Arc<dyn Settler> = Arc::<Self>::clone(self);
        received
            .taken
            .into_iter()
            .map(|taken| {
                let delivery = self.deliver(taken, &settler)?;
                Ok(delivery.with_visibility(wanted.visibility).with_taken_at(asked))
            })
            .collect()
    }

    fn wanted(&self, options: &ReceiveOptions) -> Wanted {
        let settings = &self.record.settings;
        Wanted {
            max: u32::try_from(options.max_messages).unwrap_or(u32::MAX),
            visibility: options.visibility.unwrap_or(settings.visibility),
            receipt: Uuid::new_v4(),
            attempt: options.attempt_id.clone().filter(|_| settings.ordered),
        }
    }

    fn deliver(&self, taken: Taken, settler: &Arc<dyn Settler>) -> Result<Delivery, QueueError> {
        let group: Option<Arc<str>> = taken.group.map(Arc::from);
        let of_receipt = group.clone().filter(|_| self.record.settings.ordered);
        let handle = Handle { number: taken.number, receipt: taken.receipt, group: of_receipt };
        let mut message = Message::new(MessageId::new(taken.id.to_string()), taken.body)
            .with_attributes(attributes::read(taken.attributes.as_deref())?)
            .with_receive_count(taken.receive_count)
            .with_sent_at(micros::time(taken.sent_us));
        if let Some(group) = group {
            message = message.with_group_key(group);
        }
        Ok(Delivery::new(message, receipt::write(&self.record, &handle), Arc::clone(settler)))
    }
}
