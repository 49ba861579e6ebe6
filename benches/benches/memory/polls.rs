//! The run of a receiver whose queue stays empty.

use std::time::Duration;

use benches::until;
use queue_core::{Context, MemoryQueue, Message, Metered, WorkerClass};
use worker::Receiver;

use crate::growth::Growth;

/// Samples while nothing happens but polls that bring nothing.
pub(crate) async fn run(mut growth: Growth) -> Growth {
    let queue = Metered::new(MemoryQueue::new());
    let meter = queue.meter();
    let running = Receiver::builder(queue)
        .pollers(WorkerClass::MAIN, 10)
        .handler(async |_message: Message, _context: Context| {})
        .start();
    for polls in Growth::stations() {
        until(Duration::from_mins(5), || meter.calls().empty_receive >= polls).await;
        growth.sample(polls);
    }
    running.stop(Duration::ZERO).await;
    growth
}
