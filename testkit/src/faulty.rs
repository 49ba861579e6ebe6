//! A queue whose calls go wrong as a script wants it.

mod batch;
mod call;
mod fault;
mod inspect;
mod player;
mod publish;
mod random;
mod receive;
mod settler;

use std::sync::Arc;

pub use call::{Call, CallKind};
pub use fault::Fault;
use player::Player;

/// A queue, a topic or any of their roles, behind a script of faults: for tests of what a service does when its
/// queue fails it.
///
/// The script is asked for each call, and given its kind and its number among its kind, counted from 0. Deliveries
/// that come through here are settled through here too. Every call is [recorded](Self::calls) when it is started.
/// Clones have one script and one record.
///
/// # Guarantees
/// What the queue behind it promises, less what the script takes away. A [`Fault`] says what it does; a message that
/// a fault keeps from its consumer stays hidden until its visibility timeout ends, and counts as no unsettled drop.
///
/// # Cancel safety
/// Each call is as safe as the queue's own: a call that is dropped before it reached the queue has done nothing.
///
/// # Panics
/// Where the script says so: see [`Fault::Panic`].
///
/// # Examples
/// On a paused clock (`#[tokio::test(start_paused = true)]`), so that delays take no time:
/// ```
/// use queue_core::{Consumer, MemoryQueue, Outgoing, PublisherExt, ReceiveOptions};
/// use testkit::{CallKind, Fault, Faulty};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let queue = Faulty::new(MemoryQueue::new(), |call, number| match (call, number) {
///     (CallKind::Delete, 0) => Fault::Lost,
///     _ => Fault::None,
/// });
/// queue.publish_one(Outgoing::new("a visit")).await?;
/// let delivery = queue.receive(ReceiveOptions::new(1)).await?.remove(0);
/// let failed = delivery.ack().await.unwrap_err();          // deleted, but we can't know
/// failed.into_delivery().ack().await?;
/// assert_eq!(queue.calls_of(CallKind::Delete).len(), 2);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Faulty<Q> {
    queue: Q,
    player: Arc<Player>,
}

impl<Q> Faulty<Q> {
    /// Puts a script in front of `queue`. The script must not call the queue.
    pub fn new(queue: Q, script: impl FnMut(CallKind, usize) -> Fault + Send + 'static) -> Self {
        Self { queue, player: Arc::new(Player::new(script)) }
    }

    /// Lets every `nth` call of each kind go wrong, as `fault` says.
    ///
    /// # Panics
    /// If `nth` is 0.
    pub fn every_nth(queue: Q, nth: usize, fault: Fault) -> Self {
        assert!(nth > 0, "every_nth(0): 1 is every call");
        Self::new(
            queue,
            move |_, number| {
                if (number + 1).is_multiple_of(nth) { fault.clone() } else { Fault::None }
            },
        )
    }

    /// Lets a share of the calls go wrong at random, as `seed` and the order of the calls determine.
    ///
    /// All faults happen but [`Reordered`](Fault::Reordered), as no client can survive that, alone or after a delay
    /// of up to 3 s. A receive brings all, none, or the first few of its messages, so that groups stay in order.
    /// Calls that hang are among them: whoever calls needs a deadline.
    ///
    /// # Panics
    /// If `rate` is not between 0 and 1.
    pub fn random(queue: Q, seed: u64, rate: f64) -> Self {
        Self::new(queue, random::script(seed, rate))
    }

    /// Lets every call go through from now on. Those that hang still hang.
    pub fn heal(&self) {
        self.player.heal();
    }

    /// The calls so far, in the order in which they were started.
    pub fn calls(&self) -> Vec<Call> {
        self.player.calls()
    }

    /// The calls of a kind so far, in the order in which they were started.
    pub fn calls_of(&self, kind: CallKind) -> Vec<Call> {
        self.calls().into_iter().filter(|call| call.kind == kind).collect()
    }

    /// The queue behind it; calls made there neither fail nor are recorded.
    pub fn queue(&self) -> &Q {
        &self.queue
    }
}

#[cfg(test)]
mod tests;
