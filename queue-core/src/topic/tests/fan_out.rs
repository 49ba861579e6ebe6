//! Each subscriber gets its copy, whatever the others do.

use std::time::Duration;

use tokio::time::Instant;

use super::*;
use crate::{Limits, QueueError};

// O17
#[tokio::test(start_paused = true)]
async fn each_subscriber_gets_its_own_copy() {
    let subscribers = [Subscriber::well(), Subscriber::well(), Subscriber::well()];
    let topic = topic(&subscribers.each_ref());
    let sent = Outgoing::new("m0").with_attribute("type", "book").with_group_key("tenant");
    topic.publish_one(sent.clone()).await.unwrap();
    for subscriber in &subscribers {
        assert_eq!(subscriber.stored(), std::slice::from_ref(&sent));
    }
}

// O17
#[tokio::test(start_paused = true)]
async fn copies_go_out_in_parallel() {
    let subscribers = [1, 2, 3].map(|delay| Subscriber::always(Act::Slow(secs(delay))));
    let topic = topic(&subscribers.each_ref());
    let (took, answer) = timed(publish(&topic, "m0")).await;
    assert!(answer.is_ok());
    assert_eq!(took, secs(3));
}

// O17
#[tokio::test(start_paused = true)]
async fn a_stuck_failing_or_panicking_subscriber_delays_no_others_copy() {
    let bad = [
        Act::Hang,
        Act::Panic,
        Act::Fail(QueueError::transient("busy")),
        Act::Fail(QueueError::permanent("no")),
    ];
    for act in bad {
        let (first, bad, last) = (Subscriber::well(), Subscriber::always(act), Subscriber::well());
        let topic = topic(&[&first, &bad, &last]);
        let start = Instant::now();
        assert!(publish(&topic, "m0").await.is_err());
        assert_eq!((first.stored_at(), last.stored_at()), (Some(start), Some(start)), "{bad:?}");
        assert_eq!((first.calls().len(), last.calls().len()), (1, 1));
    }
}

// O17
#[tokio::test(start_paused = true)]
async fn a_passing_failure_is_sent_again_to_that_subscriber_alone() {
    let passing = [
        Act::Fail(QueueError::transient("busy")),
        Act::Fail(QueueError::indeterminate("cut off")),
        Act::Panic,
        Act::Answer(0),
    ];
    for act in passing {
        let (well, ill) = (Subscriber::well(), Subscriber::scripted([act.clone(), act]));
        let topic = topic(&[&well, &ill]);
        let (took, answer) = timed(publish(&topic, "m0")).await;
        assert!(answer.is_ok(), "{answer:?}");
        assert!(took >= Duration::from_millis(300) && took < secs(1), "{took:?}");
        assert_eq!((well.calls().len(), ill.calls().len()), (1, 3));
    }
}

// O17
#[tokio::test(start_paused = true)]
async fn only_what_failed_is_sent_again() {
    let busy = |message: &Outgoing| (message.body() == "m1").then(|| QueueError::transient("busy"));
    let subscriber = Subscriber::scripted([Act::Each(busy)]);
    let answers = topic(&[&subscriber]).publish_all(messages(3)).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(subscriber.calls(), [vec!["m0", "m1", "m2"], vec!["m1"]]);
}

#[tokio::test(start_paused = true)]
async fn a_subscriber_that_asks_to_be_left_alone_is() {
    let busy = QueueError::transient("busy").with_retry_after(secs(4));
    let subscriber = Subscriber::scripted([Act::Fail(busy)]);
    let (took, answer) = timed(publish(&topic(&[&subscriber]), "m0")).await;
    assert!(answer.is_ok());
    assert_eq!(took, secs(4));
}

// O17
#[tokio::test(start_paused = true)]
async fn a_subscriber_gets_calls_as_large_as_it_takes() {
    let narrow = Subscriber::with_limits(Limits::default().with_batch(4), []);
    let wide = Subscriber::well();
    assert!(topic(&[&narrow, &wide]).publish_all(messages(10)).await.iter().all(Result::is_ok));
    assert_eq!(narrow.calls().iter().map(Vec::len).collect::<Vec<_>>(), [4, 4, 2]);
    assert_eq!(wide.calls().iter().map(Vec::len).collect::<Vec<_>>(), [10]);
}

#[tokio::test(start_paused = true)]
async fn envelopes_that_need_more_bytes_than_a_call_takes_go_in_several() {
    let subscriber = Subscriber::with_limits(Limits::default().with_message_bytes(65_536), []);
    let topic = MemoryTopic::new("entity");
    topic.subscribe(Subscription::enveloped("s0", subscriber.clone())).unwrap();
    let batch = vec![Outgoing::new("\"".repeat(30_000)); 8];
    assert!(topic.publish_all(batch).await.iter().all(Result::is_ok));
    assert_eq!(subscriber.calls().len(), 8);
    assert!(subscriber.stored().iter().all(|copy| (60_000..65_536).contains(&copy.size())));
}

#[tokio::test(start_paused = true)]
async fn a_message_that_nobody_gets_is_done_and_counted() {
    let topic = topic(&[]);
    assert!(publish(&topic, "m0").await.is_ok());
    assert!(publish(&topic, "").await.is_err());
    assert_eq!(topic.unmatched(), 1);
}
