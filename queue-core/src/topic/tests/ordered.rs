//! Ordered topics: every ordered subscriber gets the messages of a group in order.

use std::collections::BTreeMap;

use futures::future::join_all;
use proptest::collection::vec;
use proptest::prelude::*;
use tokio::runtime::Builder;

use super::*;
use crate::{Limits, Publisher, QueueError, TopicOptions, envelope};

fn ordered_limits() -> Limits {
    Limits::default().with_ordered(true)
}

fn subscriber(script: impl IntoIterator<Item = Act>) -> Subscriber {
    Subscriber::with_limits(ordered_limits(), script)
}

fn ordered(subscribers: &[&Subscriber]) -> MemoryTopic {
    let topic =
        MemoryTopic::with_options("entity.fifo", TopicOptions::default().with_limits(ordered_limits()));
    for (number, subscriber) in subscribers.iter().enumerate() {
        topic.subscribe(Subscription::raw(number.to_string(), (*subscriber).clone())).unwrap();
    }
    topic
}

/// Messages such as `a0 b0 a1`, in the groups `a` and `b`.
fn of_groups(bodies: &str) -> Vec<Outgoing> {
    bodies.split(' ').map(|body| Outgoing::new(body).with_group_key(&body[..1])).collect()
}

fn busy() -> Act {
    Act::Fail(QueueError::transient("busy"))
}

fn groups(subscriber: &Subscriber) -> BTreeMap<String, Vec<String>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for body in subscriber.bodies() {
        groups.entry(body[..1].to_owned()).or_default().push(body);
    }
    groups
}

// O17
#[tokio::test(start_paused = true)]
async fn groups_keep_their_order_at_every_subscriber_though_calls_fail() {
    let first_of_a = |message: &Outgoing| (message.body() == "a0").then(|| QueueError::transient("busy"));
    let scripts = [
        vec![],
        vec![busy(), busy(), Act::Store, busy()],
        vec![Act::Panic, Act::Slow(secs(1)), busy()],
        vec![Act::Each(first_of_a), Act::Each(first_of_a), Act::Each(first_of_a)],
    ];
    let subscribers = scripts.map(subscriber);
    let answers = ordered(&subscribers.each_ref()).publish_all(of_groups("a0 b0 a1 a2 c0 b1")).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    for subscriber in &subscribers {
        let groups: Vec<_> = groups(subscriber).into_values().map(|group| group.join(" ")).collect();
        assert_eq!(groups, ["a0 a1 a2", "b0 b1", "c0"]);
    }
}

// O17
#[tokio::test(start_paused = true)]
async fn a_group_that_fails_holds_back_itself_alone() {
    let group_a = |message: &Outgoing| {
        message.group_key().filter(|key| *key == "a").map(|_| QueueError::transient("x"))
    };
    let subscriber = subscriber(vec![Act::Each(group_a); 1_000]);
    let answers = ordered(&[&subscriber]).publish_all(of_groups("a0 b0 a1 b1 c0")).await;
    let late = Some(QueueErrorKind::Transient);
    assert_eq!(answers.iter().map(kind).collect::<Vec<_>>(), [late, None, late, None, None]);
    assert_eq!(subscriber.bodies(), ["b0", "c0", "b1"]);
    assert!(subscriber.calls().iter().flatten().all(|body| body != "a1"));
}

// O17
#[tokio::test(start_paused = true)]
async fn a_message_refused_for_good_does_not_hold_back_its_group() {
    let head = |message: &Outgoing| (message.body() == "a0").then(|| QueueError::permanent("never"));
    let subscriber = subscriber(vec![Act::Each(head); 3]);
    let answers = ordered(&[&subscriber]).publish_all(of_groups("a0 a1 a2")).await;
    assert_eq!(answers.iter().map(kind).collect::<Vec<_>>(), [Some(QueueErrorKind::Permanent), None, None]);
    assert_eq!(subscriber.bodies(), ["a1", "a2"]);
}

// O17
#[tokio::test(start_paused = true)]
async fn publishes_at_the_same_time_come_in_the_same_order_everywhere() {
    let subscribers =
        [subscriber([Act::Slow(secs(1)), busy()]), subscriber([busy(), Act::Slow(secs(2))]), subscriber([])];
    let topic = ordered(&subscribers.each_ref());
    let publishes = ["a0 a1", "a2", "a3 b0", "a4"].map(|bodies| topic.publish_all(of_groups(bodies)));
    assert!(join_all(publishes).await.iter().flatten().all(Result::is_ok));
    for subscriber in &subscribers {
        assert_eq!(groups(subscriber)["a"], ["a0", "a1", "a2", "a3", "a4"]);
    }
}

// O17
#[tokio::test(start_paused = true)]
async fn a_dropped_publish_keeps_its_place() {
    let subscriber = subscriber([busy(), busy(), Act::Slow(secs(1))]);
    let topic = ordered(&[&subscriber]);
    let patience = Duration::from_millis(10);
    assert!(tokio::time::timeout(patience, topic.publish_all(of_groups("a0"))).await.is_err());
    assert!(topic.publish_all(of_groups("a1")).await[0].is_ok());
    assert_eq!(subscriber.bodies(), ["a0", "a1"]);
}

// O17
#[tokio::test(start_paused = true)]
async fn a_stuck_subscriber_keeps_later_publishes_no_longer_than_its_deadline() {
    let (stuck, well) = (subscriber([Act::Hang]), subscriber([]));
    let topic = ordered(&[&stuck, &well]);
    let (first, second) = tokio::join!(
        timed(topic.publish_all(of_groups("a0"))),
        timed(async {
            tokio::time::sleep(secs(1)).await;
            topic.publish_all(of_groups("a1")).await
        })
    );
    assert_eq!(kind(&first.1[0]), Some(QueueErrorKind::Indeterminate));
    assert!(second.1[0].is_ok());
    assert_eq!((first.0, second.0), (secs(10), secs(10)));
    assert_eq!((well.bodies(), stuck.bodies()), (vec!["a0".into(), "a1".into()], vec!["a1".into()]));
}

// O17
#[tokio::test(start_paused = true)]
async fn copies_for_ordered_subscribers_have_a_deduplication_id_and_others_have_none() {
    let (fifo, standard, wrapped) = (subscriber([Act::Lose]), Subscriber::well(), subscriber([]));
    let topic = ordered(&[&fifo, &standard]);
    topic.subscribe(Subscription::enveloped("wrapped", wrapped.clone())).unwrap();
    let named = of_groups("a0").remove(0).with_deduplication_id("7");
    topic.publish_one(named.clone()).await.unwrap();
    let bare = of_groups("a1").remove(0);
    let id = topic.publish_one(bare.clone()).await.unwrap();
    assert_eq!(fifo.stored(), [named.clone(), named, bare.with_deduplication_id(id.as_str())]);
    assert_eq!(standard.stored(), of_groups("a0 a1"));
    let copies = wrapped.stored();
    let ids = copies.iter().map(|copy| (copy.group_key(), copy.deduplication_id()));
    assert_eq!(ids.collect::<Vec<_>>(), [(Some("a"), Some("7")), (Some("a"), Some(id.as_str()))]);
    assert_eq!(envelope::unwrap(copies[1].body()).unwrap().id, id);
}

#[tokio::test(start_paused = true)]
async fn an_ordered_subscriber_needs_an_ordered_topic_and_messages_in_groups() {
    let standard = MemoryTopic::new("entity");
    let error = standard.subscribe(Subscription::raw("fifo", subscriber([]))).unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Permanent);
    assert!(standard.subscriptions().is_empty());
    let topic = ordered(&[&subscriber([])]);
    assert!(topic.limits().ordered);
    assert_eq!(kind(&publish(&topic, "no group").await), Some(QueueErrorKind::Permanent));
}

fn act() -> impl Strategy<Value = Act> {
    let odd = |message: &Outgoing| message.body().ends_with(['1', '3']).then(|| QueueError::transient("odd"));
    prop_oneof![
        3 => Just(Act::Store),
        1 => Just(busy()),
        1 => Just(Act::Panic),
        2 => Just(Act::Each(odd)),
        1 => (1_u64..300).prop_map(|ms| Act::Slow(Duration::from_millis(ms))),
    ]
}

// O17
proptest! {
    #[test]
    fn any_failures_leave_every_group_in_order(
        scripts in vec(vec(act(), 0..6), 1..4),
        keys in vec("[abc]", 1..11),
    ) {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let subscribers: Vec<_> = scripts.into_iter().map(subscriber).collect();
            let topic = ordered(&subscribers.iter().collect::<Vec<_>>());
            let bodies: Vec<_> = keys.iter().enumerate().map(|(number, key)| format!("{key}{number:02}")).collect();
            let answers = topic.publish_all(of_groups(&bodies.join(" "))).await;
            assert!(answers.iter().all(Result::is_ok), "{answers:?}");
            for subscriber in &subscribers {
                assert!(groups(subscriber).values().all(|group| group.is_sorted()));
                assert_eq!(subscriber.bodies().len(), bodies.len());
            }
        });
    }
}
