//! Handlers, dropped at each of their await points: by their deadline, and by the abort of a stop.

use std::time::Duration;

use queue_core::{Context, Message};
use testkit::{CallKind, Faulty, Run, matrix};
use tokio::time::{sleep, timeout};
use worker::{Receiver, handler};

use crate::left::{assert_adds_up, nothing_is_lost, queue_of};
use crate::watch::Watch;

/// Sleeps, changes its visibility, and sleeps; at a second try it takes no time.
async fn work(watch: Watch, _message: Message, context: Context) {
    let _shift = watch.begin(&context);
    if context.receive_count() == 1 {
        sleep(Duration::from_secs(1)).await;
        context.set_visibility(Duration::from_secs(40)).await.ok();
        sleep(Duration::from_secs(1)).await;
    }
    watch.done(&context);
}

/// When a handler is dropped: on its way through each of its steps, and at the turn from one to the next.
fn choose_end(run: &Run) -> Duration {
    let ends =
        &["at once", "after 500 ms", "after 1 s", "after 1.5 s", "after 2 s", "after 2.5 s", "after 9 s"];
    Duration::from_millis([0, 500, 1_000, 1_500, 2_000, 2_500, 9_000][run.choose("it is dropped", ends)])
}

// W3, W4: it is retried as if it had failed
#[test]
fn a_handler_that_its_deadline_drops_is_retried() {
    let runs = matrix(async |run: Run| {
        let (main, watch) = (queue_of(2).await, Watch::default());
        let queue = Faulty::new(main.clone(), run.gates(CallKind::ChangeVisibility, 2));
        let running = Receiver::builder(queue)
            .deadline(choose_end(&run))
            .slots(2)
            .handler(handler(work).with(watch.clone()))
            .start();
        sleep(Duration::from_mins(5)).await;
        let account = running.stop(Duration::from_secs(9)).await;
        assert_adds_up(&account);
        assert_eq!((watch.all_done().len(), account.handled), (2, 2), "{account:?}");
        assert!(account.overran <= 2, "{account:?}");
        nothing_is_lost(&main, &watch, 2).await;
    });
    assert!(runs > 100, "{runs}");
}

// W10: its message is visible at once, or at its timeout where the queue fails
#[test]
fn a_handler_that_an_abort_drops_gives_its_message_back() {
    let runs = matrix(async |run: Run| {
        let (main, watch) = (queue_of(2).await, Watch::default());
        let queue = Faulty::new(main.clone(), run.gates(CallKind::ChangeVisibility, 2));
        let running = Receiver::builder(queue).slots(2).handler(handler(work).with(watch.clone())).start();
        sleep(Duration::from_millis(1)).await;
        let stopping = timeout(Duration::from_mins(2), running.stop(choose_end(&run))).await;
        let account = stopping.expect("it stops");
        assert_adds_up(&account);
        assert_eq!((account.retried, account.overran), (0, 0), "{account:?}");
        nothing_is_lost(&main, &watch, 2).await;
    });
    assert!(runs > 100, "{runs}");
}
