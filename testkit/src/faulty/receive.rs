//! Receiving through a script.

use std::future::pending;
use std::sync::Arc;

use queue_core::{Consumer, Delivery, QueueError, ReceiveLimits, ReceiveOptions, async_trait};
use tokio::time::sleep;

use super::fault::lost;
use super::settler::FaultySettler;
use super::{CallKind, Fault, Faulty};

/// An answer to a receive that has not reached its caller.
///
/// # Drop
/// Its messages stay hidden, and nobody counts them: whoever asked has never had them.
struct Underway(Vec<Delivery>);

impl Drop for Underway {
    fn drop(&mut self) {
        self.0.drain(..).for_each(Delivery::forget);
    }
}

impl Fault {
    /// What is left of an answer to a receive when it arrives.
    async fn carry(&self, mut underway: Underway) -> Result<Vec<Delivery>, QueueError> {
        match self {
            Self::Lost => return Err(lost()),
            Self::Unanswered => {
                drop(underway);
                return pending().await;
            }
            Self::Late(delay) => sleep(*delay).await,
            Self::Reordered => underway.0.reverse(),
            _ => {}
        }
        let most = underway.0.len().saturating_sub(self.shortage());
        let arrives = |index| index < most && self.refusal(index).is_none() && !self.loses(index);
        let numbered = std::mem::take(&mut underway.0).into_iter().enumerate();
        let (there, stray): (Vec<_>, Vec<_>) = numbered.partition(|(index, _)| arrives(*index));
        underway.0.extend(stray.into_iter().map(|(_, delivery)| delivery));
        Ok(there.into_iter().map(|(_, delivery)| delivery).collect())
    }
}

#[async_trait]
impl<Q: Consumer> Consumer for Faulty<Q> {
    async fn receive(&self, mut options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError> {
        let (asked, visibility) = (options.max_messages, options.visibility);
        let fault = self.player.play(CallKind::Receive, asked, visibility).await;
        if let Fault::Error(error) = fault {
            return Err(error);
        }
        options.max_messages = asked.max((asked + fault.excess()).min(self.receive_limits().batch));
        let underway = Underway(self.queue.receive(options).await?);
        let watch = |delivery: Delivery| {
            delivery.map_settler(|inner| Arc::new(FaultySettler::new(inner, Arc::clone(&self.player))))
        };
        Ok(fault.carry(underway).await?.into_iter().map(watch).collect())
    }

    fn receive_limits(&self) -> ReceiveLimits {
        self.queue.receive_limits()
    }
}
