//! Publishes that are dropped at each point.

use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::*;
use crate::{Publisher, QueueError};

#[tokio::test(start_paused = true)]
async fn a_publish_that_was_never_polled_sends_nothing() {
    let subscriber = Subscriber::well();
    let topic = topic(&[&subscriber]);
    drop(topic.publish(messages(1)));
    topic.flush().await;
    assert!(subscriber.calls().is_empty());
}

// O17
#[tokio::test(start_paused = true)]
async fn a_dropped_publish_still_gives_each_subscriber_its_copy() {
    for patience in [0, 1, 50, 150, 250, 900, 1_500, 2_500] {
        let slow = Subscriber::always(Act::Slow(secs(2)));
        let ill = Subscriber::scripted([Act::Slow(secs(1)), Act::Store]);
        let busy = Subscriber::scripted(vec![Act::Fail(QueueError::transient("busy")); 3]);
        let topic = topic(&[&Subscriber::well(), &slow, &ill, &busy]);
        let answer = timeout(Duration::from_millis(patience), topic.publish(messages(2))).await;
        assert_eq!(answer.is_ok(), patience > 2_000);
        topic.flush().await;
        for subscriber in [&slow, &ill, &busy] {
            assert_eq!(subscriber.bodies(), ["m0", "m1"], "after {patience} ms");
        }
    }
}

// O17
#[tokio::test(start_paused = true)]
async fn a_dropped_publish_ends_at_its_deadline() {
    let topic = topic(&[&Subscriber::always(Act::Hang)]);
    assert!(timeout(secs(1), topic.publish(messages(1))).await.is_err());
    let (took, ()) = timed(topic.flush()).await;
    assert_eq!(took, secs(9));
}

// O17
#[tokio::test(start_paused = true)]
async fn copies_go_on_when_the_topic_is_dropped() {
    let slow = Subscriber::always(Act::Slow(secs(2)));
    let topic = topic(&[&slow]);
    assert!(timeout(secs(1), topic.publish(messages(1))).await.is_err());
    drop(topic);
    sleep(secs(2)).await;
    assert_eq!(slow.bodies(), ["m0"]);
}

// O17
#[test]
fn a_runtime_that_ends_leaves_a_publish_elsewhere_in_doubt() {
    let topic = topic(&[&Subscriber::always(Act::Hang)]);
    let runtime =
        || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
    let (here, elsewhere) = (runtime(), runtime());
    let mut publish = Box::pin({
        let topic = topic.clone();
        async move { topic.publish(messages(1)).await }
    });
    here.block_on(async { assert!(futures::poll!(publish.as_mut()).is_pending()) });
    here.shutdown_background();
    let answers = elsewhere.block_on(publish);
    assert_eq!(kind(&answers[0]), Some(QueueErrorKind::Indeterminate));
}
