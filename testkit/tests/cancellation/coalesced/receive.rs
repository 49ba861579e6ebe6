//! Receiving, which passes through.

use queue_core::{Coalesced, Consumer, MemoryQueue, ReceiveOptions};
use testkit::{CallKind, Faulty, Run, matrix};

use super::nothing_is_left;
use crate::support::{LEASE, publish, stored};

// Q3, Q12: "as the queue's own": what it was to bring comes back, and none of it is outstanding
#[test]
fn a_dropped_receive_leaves_nothing_outstanding() {
    let runs = matrix(async |run: Run| {
        let main = MemoryQueue::new();
        let queue = Coalesced::new(Faulty::new(main.clone(), run.gates(CallKind::Receive, 1)));
        publish(&main, &["a", "b"]).await;
        let got = run.cut(queue.receive(ReceiveOptions::default())).await;
        let brought = match got {
            Some(Ok(deliveries)) => deliveries.len() as u64,
            Some(Err(_)) | None => 0,
        };
        assert_eq!(main.counts().unsettled_drops, brought);
        tokio::time::sleep(LEASE).await;
        assert_eq!(stored(&main).await.len(), 2);
        nothing_is_left(&queue).await;
    });
    assert_eq!(runs, 16);
}
