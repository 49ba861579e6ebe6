//! Subscriptions that come and go.

use tokio::task::{JoinSet, yield_now};
use tokio::time::{sleep, timeout};

use super::*;
use crate::{Filter, MemoryQueue, Publisher, QueueError};

// O17
#[tokio::test(start_paused = true)]
async fn a_subscriber_that_is_removed_meanwhile_is_not_waited_for() {
    for act in [Act::Hang, Act::Fail(QueueError::transient("busy")), Act::Panic] {
        let (well, ill) = (Subscriber::well(), Subscriber::always(act));
        let topic = topic(&[&well, &ill]);
        let remove = async {
            sleep(secs(3)).await;
            topic.unsubscribe("s1")
        };
        let (removed, (took, answer)) = tokio::join!(remove, timed(publish(&topic, "m0")));
        assert!(removed && answer.is_ok(), "{answer:?}");
        assert_eq!(took, secs(3));
        let calls = ill.calls().len();
        assert!(publish(&topic, "m1").await.is_ok());
        assert_eq!((well.bodies().len(), ill.calls().len()), (2, calls));
    }
}

#[tokio::test(start_paused = true)]
async fn a_subscriber_gets_what_is_published_after_it_came() {
    let (slow, late) = (Subscriber::always(Act::Slow(secs(2))), Subscriber::well());
    let topic = topic(&[&slow]);
    let subscribe = async {
        sleep(secs(1)).await;
        topic.subscribe(Subscription::raw("late", late.clone())).unwrap();
    };
    tokio::join!(publish(&topic, "m0"), subscribe).0.unwrap();
    publish(&topic, "m1").await.unwrap();
    assert_eq!((slow.bodies().len(), late.bodies()), (2, vec!["m1".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn names_are_unique_and_free_again_after_the_end() {
    let topic = topic(&[&Subscriber::well()]);
    let twice = topic.subscribe(Subscription::raw("s0", MemoryQueue::new())).unwrap_err();
    assert_eq!(twice.kind(), QueueErrorKind::Permanent);
    assert!(topic.unsubscribe("s0") && !topic.unsubscribe("s0"));
    let filter = Filter::new().with("type", ["book"]);
    topic.subscribe(Subscription::enveloped("s0", MemoryQueue::new()).with_filter(filter.clone())).unwrap();
    let [only] = &topic.subscriptions()[..] else { panic!("{topic:?}") };
    assert_eq!((only.name(), only.is_enveloped(), only.filter()), ("s0", true, &filter));
    assert_eq!(only.publisher().limits(), MemoryQueue::new().limits());
    assert_eq!(format!("{topic:?}"), r#"MemoryTopic { name: "entity", subscribers: ["s0"], .. }"#);
}

// O17
#[tokio::test(start_paused = true)]
async fn a_shared_publisher_and_another_topic_can_subscribe() {
    let (inner, outer) = (MemoryTopic::new("inner"), MemoryTopic::new("outer"));
    let subscriber = Subscriber::well();
    inner.subscribe(Subscription::raw("shared", std::sync::Arc::new(subscriber.clone()))).unwrap();
    outer.subscribe(Subscription::raw("inner", inner)).unwrap();
    publish(&outer, "m0").await.unwrap();
    assert_eq!(subscriber.bodies(), ["m0"]);
}

// O17
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn subscribing_while_publishing_is_safe() {
    let always = Subscriber::well();
    let topic = topic(&[&always]);
    let mut publishing = JoinSet::new();
    for task in 0..4 {
        let topic = topic.clone();
        publishing.spawn(async move {
            for number in 0..50 {
                publish(&topic, &format!("{task}.{number}")).await.unwrap();
            }
        });
    }
    let changing = async {
        for number in 0..100 {
            topic.subscribe(Subscription::raw(format!("x{number}"), MemoryQueue::new())).unwrap();
            yield_now().await;
            topic.unsubscribe(&format!("x{number}"));
        }
    };
    let all = async { tokio::join!(publishing.join_all(), changing) };
    timeout(secs(30), all).await.unwrap();
    assert_eq!(always.stored().len(), 200);
    assert_eq!(topic.subscriptions().len(), 1);
}
