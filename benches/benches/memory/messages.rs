//! The run of a receiver that is never out of work for long.

use std::time::Duration;

use benches::{fill, until};
use queue_core::{Context, MemoryQueue, Message, WorkerClass};
use worker::Receiver;

use crate::growth::Growth;

/// So many are published at a time, and handled before the next come: what waits never grows.
const AT_A_TIME: usize = 1_000;

/// Samples whenever everything published so far is handled and deleted.
pub(crate) async fn run(mut growth: Growth) -> Growth {
    let queue = MemoryQueue::new();
    let running = Receiver::builder(queue.clone())
        .pollers(WorkerClass::MAIN, 10)
        .slots(32)
        .handler(async |_message: Message, _context: Context| {})
        .start();
    let mut published = 0;
    for messages in Growth::stations() {
        while published < messages {
            fill(&queue, AT_A_TIME, 1_024).await;
            published += AT_A_TIME as u64;
            until(Duration::from_millis(1), || running.account().handled == published).await;
        }
        growth.sample(messages);
    }
    running.stop(Duration::ZERO).await;
    growth
}
