//! The last call for a message: the queue is asked until it answers, for as long as the message is ours.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};
use queue_core::{QueueError, QueueErrorKind};
use tokio::time::{Instant, sleep, timeout};
use tracing::warn;

use super::held::Held;
use super::shared::Shared;
use crate::account::Counter;

/// What is asked of the queue.
#[derive(Clone, Copy)]
pub(crate) enum Settlement {
    Delete,
    Hide(Duration),
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Settled,
    /// It comes back, here or at another consumer.
    Lost,
    /// It is kept, to be tried again in place.
    Resting,
}

impl Shared {
    /// Asks the queue, again after passing errors for as long as the message is ours, and counts how it ended.
    pub(crate) async fn finish(&self, held: Held, settlement: Settlement, counter: &Counter) -> Ended {
        // W6: no renewal is under way from here on, and none is sent later.
        let Some(_call) = held.lease.end().await else { return self.count_lost(held) };
        match self.ask(&held, settlement).await {
            Ok(()) => {
                counter.add(1);
                held.delivery.forget();
                Ended::Settled
            }
            Err(error) if error.kind() == QueueErrorKind::Lost => self.count_lost(held),
            Err(error) => {
                self.ledger.orphaned.add(1);
                let message = held.message().id();
                warn!(queue = self.settings.name, message.id = %message, %error, "a message could not be settled");
                Ended::Lost
            }
        }
    }

    /// W5: its result is not used.
    pub(crate) fn count_lost(&self, held: Held) -> Ended {
        self.ledger.lost.add(1);
        let message = held.message().id();
        warn!(queue = self.settings.name, message.id = %message, "a message was lost before it was settled");
        held.delivery.forget();
        Ended::Lost
    }

    async fn ask(&self, held: &Held, settlement: Settlement) -> Result<(), QueueError> {
        let mut pauses = ExponentialBuilder::new()
            .with_min_delay(Duration::from_millis(100))
            .with_max_delay(Duration::from_secs(5))
            .with_jitter()
            .with_jitter_seed(self.jitter)
            .without_max_times()
            .build();
        loop {
            let Err(error) = self.ask_once(held, settlement).await else { return Ok(()) };
            let pause = pauses.next().unwrap_or_default().max(error.retry_after().unwrap_or_default());
            if !error.kind().is_passing() || Instant::now() + pause >= held.lease.hidden_until() {
                return Err(error);
            }
            sleep(pause).await;
        }
    }

    async fn ask_once(&self, held: &Held, settlement: Settlement) -> Result<(), QueueError> {
        let (receipt, settler) = (held.delivery.receipt().clone(), held.delivery.settler());
        let deadline = self.settings.call_margin * 2 + self.settings.linger;
        let call = async {
            match settlement {
                Settlement::Delete => settler.delete(vec![receipt]).await,
                Settlement::Hide(delay) => settler.change_visibility(vec![(receipt, delay)]).await,
            }
        };
        match timeout(deadline, call).await {
            Ok(mut answer) => {
                answer.pop().unwrap_or_else(|| Err(QueueError::indeterminate("no answer for this entry")))
            }
            Err(_) => Err(QueueError::indeterminate(format!("no answer within {deadline:?}"))),
        }
    }
}
