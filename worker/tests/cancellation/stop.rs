//! `Running::stop`, dropped at each point.

use std::time::Duration;

use queue_core::{Context, Inspect, Message};
use testkit::{CallKind, Faulty, Run, matrix};
use tokio::time::sleep;
use worker::{Receiver, handler};

use crate::left::{assert_adds_up, nothing_is_lost, queue_of};
use crate::watch::Watch;

/// Takes two seconds.
async fn work(watch: Watch, _message: Message, context: Context) {
    let _shift = watch.begin(&context);
    sleep(Duration::from_secs(2)).await;
    watch.done(&context);
}

async fn stop(run: &Run, kind: CallKind) {
    let (main, watch) = (queue_of(5).await, Watch::default());
    let queue = Faulty::new(main.clone(), run.gates(kind, 2));
    let running =
        Receiver::builder(queue.clone()).slots(2).handler(handler(work).with(watch.clone())).start();
    let begun = [100, 1_100, 2_500][run.choose("it runs for", &["100 ms", "1.1 s", "2.5 s"])];
    sleep(Duration::from_millis(begun)).await;
    let grace = [0, 20][run.choose("its grace is", &["nothing", "20 s"])];
    let account = run.cut(running.stop(Duration::from_secs(grace))).await;
    sleep(Duration::from_mins(1)).await;
    let asked = queue.calls_of(CallKind::Receive).len();
    account.iter().for_each(assert_adds_up);
    nothing_is_lost(&main, &watch, 5).await;
    assert_eq!(queue.calls_of(CallKind::Receive).len(), asked, "nothing is received any more");
    assert_eq!(main.depth().await.unwrap().total(), 0);
}

// W10: "a dropped call leaves it stopping"
#[test]
fn a_dropped_stop_leaves_it_stopping() {
    for kind in [CallKind::Receive, CallKind::Delete, CallKind::ChangeVisibility] {
        let runs = matrix(async |run: Run| stop(&run, kind).await);
        assert!(runs > 100, "{kind}: {runs}");
    }
}
