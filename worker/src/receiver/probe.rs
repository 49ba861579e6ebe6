//! A view of a receiver's health that outlives it.

use std::sync::Arc;

use super::vitals::Vitals;
use crate::Health;

/// Tells how well a receiver is, from anywhere: what a service's probe endpoint keeps. Cheap to clone.
///
/// It keeps neither the receiver nor its queue alive.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use queue_core::{Context, MemoryQueue, Message};
/// use worker::Receiver;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let running = Receiver::builder(MemoryQueue::new()).handler(async |_: Message, _: Context| {}).start();
/// let probe = running.probe();                       // give it to the endpoint
/// assert!(probe.health().healthy);                   // 200, or 503 with the text of `health`
/// running.stop(Duration::from_secs(20)).await;
/// assert_eq!(probe.health().to_string(), "unhealthy: it has stopped");
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Probe {
    vitals: Arc<Vitals>,
}

impl Probe {
    pub(super) fn new(vitals: &Arc<Vitals>) -> Self {
        Self { vitals: Arc::clone(vitals) }
    }

    /// How well the receiver is now.
    ///
    /// Unhealthy, with the reason in words:
    /// * every receive has failed for longer than
    ///   [`unhealthy_after`](crate::ReceiverBuilder::unhealthy_after), also by its deadline (W8). Pollers that wait at a
    ///   closed gate, or for room, fail at nothing;
    /// * one of its tasks died, by a panic in a gate of one's own, say;
    /// * it has stopped. While it drains it is healthy, so that nobody kills it in the middle.
    pub fn health(&self) -> Health {
        self.vitals.health()
    }
}
