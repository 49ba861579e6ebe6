//! `MemoryTopic`: a publish that was begun reaches every subscriber that can be reached.

use std::cell::Cell;
use std::time::Duration;

use queue_core::{Inspect, MemoryQueue, MemoryTopic, Publisher, Subscription};
use testkit::{Call, CallKind, Fault, Faulty, Run, matrix};

use crate::support::{count, message, publish, stored, timed};

type Subscriber = Faulty<MemoryQueue>;

fn subscriber(run: &Run, name: &str) -> Subscriber {
    let (run, name) = (run.clone(), name.to_owned());
    Faulty::new(MemoryQueue::new(), move |call, number| {
        if call == CallKind::Publish && number == 0 { run.gate(&name) } else { Fault::None }
    })
}

/// What happened to a subscriber's first call.
fn fate(subscriber: &Subscriber) -> Option<Fault> {
    subscriber.calls().first().map(|call: &Call| call.fault.clone())
}

// O17: "dropped before it was polled, nothing is sent. Dropped later, each subscriber gets its copy all the same"
#[test]
fn a_publish_that_was_begun_reaches_each_subscriber() {
    let runs = matrix(async |run: Run| {
        let (topic, begun) = (MemoryTopic::new("topic"), Cell::new(false));
        let subscribers = ["the first's call", "the second's"].map(|name| subscriber(&run, name));
        for (number, subscriber) in subscribers.iter().enumerate() {
            topic.subscribe(Subscription::raw(number.to_string(), subscriber.clone())).unwrap();
        }
        let publishing = async {
            begun.set(true);
            topic.publish(vec![message("a")]).await.remove(0)
        };
        let answer = run.cut(publishing).await;
        let (took, ()) = timed(topic.flush()).await;
        assert!(took <= Duration::from_secs(10), "it ends at its deadline");
        for subscriber in &subscribers {
            check(subscriber, begun.get(), matches!(answer, Some(Ok(_)))).await;
        }
        subscribers.iter().for_each(Faulty::heal);
        let (took, ()) = timed(publish(&topic, &["next"])).await;
        assert_eq!(took, Duration::ZERO);
        for subscriber in &subscribers {
            assert_eq!(count(&stored(subscriber.queue()).await, "next"), 1, "nobody is left out");
        }
    });
    assert!(runs > 49 * 3, "{runs}");
}

async fn check(subscriber: &Subscriber, begun: bool, answered: bool) {
    assert_eq!(!subscriber.calls().is_empty(), begun, "sent if and only if it was begun");
    let copies = count(&stored(subscriber.queue()).await, "a");
    match fate(subscriber) {
        None => assert_eq!(copies, 0),
        Some(Fault::Hang) => assert!(copies <= 1 && (copies == 1 || !answered)),
        Some(Fault::Lost) => assert!(copies >= 1, "a repeat may double it"),
        Some(Fault::Unanswered) => assert!(copies >= 1),
        Some(_) => assert_eq!(copies, 1),
    }
    assert_eq!(subscriber.queue().depth().await.unwrap().total(), 0);
}
