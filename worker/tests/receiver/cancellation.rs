//! Dropping the receiver's public calls at each await point.

use futures::FutureExt;
use queue_core::{Context, Inspect, Message};
use tokio::time::sleep;
use worker::Receiver;

use crate::support::{publish, queue, seconds};

// W10: a dropped stop leaves it stopping
#[tokio::test(start_paused = true)]
async fn a_dropped_stop_goes_on_stopping() {
    let main = queue(30);
    publish(&main, 10).await;
    let second = async |_: Message, _: Context| sleep(seconds(1)).await;
    let running = Receiver::builder(main.clone()).slots(1).handler(second).start();
    sleep(seconds(2)).await;
    assert!(running.stop(seconds(20)).now_or_never().is_none());
    sleep(seconds(2)).await;
    let depth = main.depth().await.unwrap();
    assert_eq!(depth.in_flight, 0, "{depth:?}");
    sleep(seconds(100)).await;
    assert_eq!(main.depth().await.unwrap().visible, depth.visible, "nothing is received any more");
}
