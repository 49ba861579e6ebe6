//! `Context::set_visibility`, dropped at each point by a handler that goes on.

use std::time::Duration;

use queue_core::{Context, Depth, Inspect, Message};
use testkit::{CallKind, Faulty, Run, matrix};
use tokio::time::sleep;
use worker::{Receiver, handler};

use crate::left::{assert_adds_up, queue_of};
use crate::watch::Watch;

/// Gives a change of visibility up, and takes its time then.
async fn work((run, watch): (Run, Watch), _message: Message, context: Context) {
    let _shift = watch.begin(&context);
    let seconds = [60, 4][run.choose("it is set to", &["60 s", "4 s"])];
    run.cut(context.set_visibility(Duration::from_secs(seconds))).await;
    sleep(Duration::from_secs(100)).await;
    watch.done(&context);
}

// W4, W6: "the old timeout or the new one in force", and renewal goes on, so that it is delivered once
#[test]
fn a_dropped_change_leaves_the_message_ours() {
    let runs = matrix(async |run: Run| {
        let (main, watch) = (queue_of(1).await, Watch::default());
        let queue = Faulty::new(main.clone(), run.gates(CallKind::ChangeVisibility, 1));
        let handler = handler(work).with((run.clone(), watch.clone()));
        let running = Receiver::builder(queue).handler(handler).start();
        sleep(Duration::from_mins(5)).await;
        let account = running.stop(Duration::from_mins(5)).await;
        watch.assert_no_clash();
        assert_adds_up(&account);
        assert_eq!((account.received, account.handled, account.lost), (1, 1, 0), "{account:?}");
        assert_eq!(main.depth().await.unwrap(), Depth::empty());
    });
    assert!(runs > 30, "{runs}");
}
