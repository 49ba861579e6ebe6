//! `Coalesced`: callers that are dropped at each point, alone and in company, whatever becomes of the calls.

mod flush;
mod publish;
mod receive;
mod settle;

use std::time::Duration;

use queue_core::{Coalesced, MemoryQueue};
use testkit::Faulty;

use crate::support::{publish as store, take, timed};

type Queue = Coalesced<Faulty<MemoryQueue>>;

/// How long a delete waits for company.
const LINGER: Duration = Duration::from_millis(50);

/// The counts of what is outstanding and awaited are what they were: of two deliveries the first to be acked waits for
/// the other, in vain, and the second for nobody. And a publish goes out at once.
async fn nothing_is_left(queue: &Queue) {
    queue.queue().heal();
    let (took, ()) = timed(store(queue, &["x", "y"])).await;
    assert_eq!(took, Duration::ZERO, "a publish finds a place for its call");
    let mut deliveries = take(queue).await;
    deliveries.retain(|delivery| ["x", "y"].contains(&delivery.message().body()));
    let [first, second] = <[_; 2]>::try_from(deliveries).unwrap();
    let (took, answer) = timed(first.ack()).await;
    assert!(answer.is_ok() && took == LINGER, "no call is still awaited: {took:?}");
    let (took, answer) = timed(second.ack()).await;
    assert!(answer.is_ok() && took == Duration::ZERO, "no delivery is still outstanding: {took:?}");
}
