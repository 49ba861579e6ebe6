//! Flushing.

use std::cell::Cell;
use std::time::Duration;

use queue_core::{Coalesced, MemoryQueue};
use testkit::{CallKind, Faulty, Run, matrix};
use tokio::task::{JoinSet, yield_now};
use tokio::time::Instant;

use crate::support::{publish, stored, take, timed};

// P16: "what waited goes out all the same", at once
#[test]
fn what_waits_goes_out_though_its_flush_is_dropped() {
    let runs = matrix(async |run: Run| {
        let main = MemoryQueue::builder().visibility(Duration::from_hours(9)).build().unwrap();
        let faulty = Faulty::new(main.clone(), run.gates(CallKind::Delete, 1));
        let queue = Coalesced::new(faulty).with_settle_linger(Duration::from_secs(20));
        publish(&queue, &["a", "b"]).await;
        let mut deliveries = take(&queue).await;
        let (kept, acked) = (deliveries.remove(0), deliveries.remove(0));
        let (mut tasks, begun, start) = (JoinSet::new(), Cell::new(false), Instant::now());
        tasks.spawn(async move { assert!(acked.ack().await.is_ok()) });
        yield_now().await;
        let flushing = async {
            begun.set(true);
            queue.flush().await;
        };
        run.cut(flushing).await;
        tasks.join_all().await;
        let sent = queue.queue().calls_of(CallKind::Delete)[0].at - start;
        assert_eq!(sent, if begun.get() { Duration::ZERO } else { Duration::from_secs(20) });
        assert_eq!(timed(queue.flush()).await.0, Duration::ZERO, "nothing waits any more");
        assert!(kept.ack().await.is_ok());
        assert_eq!(stored(&main).await.len(), 0);
    });
    assert!(runs > 20, "{runs}");
}
