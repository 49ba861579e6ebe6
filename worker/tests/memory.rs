//! P53: what a poll or a message leaves behind. Alone in its process, as it reads the process's memory.

use std::fs;
use std::time::Duration;

use queue_core::{Context, MemoryQueue, Message, Outgoing, PublisherExt, WorkerClass};
use tokio::time::sleep;
use worker::Receiver;

/// The process's resident memory in KiB; 0 where the system does not tell.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

// P53; the benchmark `memory` does the same a million times (B28)
#[tokio::test(start_paused = true)]
async fn polls_and_messages_leave_nothing_behind() {
    let queue = MemoryQueue::new();
    let running = Receiver::builder(queue.clone())
        .pollers(WorkerClass::MAIN, 10)
        .wait(Duration::from_millis(100))
        .handler(async |_: Message, _: Context| {})
        .start();
    let mut after = Vec::new();
    for _ in 0..3 {
        for _ in 0..200 {
            queue.publish_all((0..100).map(|_| Outgoing::new("x".repeat(100))).collect()).await;
            sleep(Duration::from_secs(20)).await;
        }
        after.push(resident());
    }
    assert!(after[2] <= after[0] + 2_048, "resident memory grew, in KiB: {after:?}");
    assert_eq!(running.stop(Duration::from_secs(1)).await.handled, 60_000);
}
