//! What is answered when the deadline comes.

use std::error::Error;
use std::time::Duration;

use super::*;
use crate::{QueueError, TopicOptions};

const BUSY: fn() -> Act = || Act::Fail(QueueError::transient("busy"));

// O17
#[tokio::test(start_paused = true)]
async fn a_stuck_subscriber_fails_the_entry_at_the_deadline() {
    for deadline in [secs(10), secs(1), Duration::from_millis(1)] {
        let (well, stuck) = (Subscriber::well(), Subscriber::always(Act::Hang));
        let topic = MemoryTopic::with_options("entity", TopicOptions::default().with_deadline(deadline));
        topic.subscribe(Subscription::raw("well", well)).unwrap();
        topic.subscribe(Subscription::raw("stuck", stuck)).unwrap();
        let (took, answer) = timed(publish(&topic, "m0")).await;
        assert_eq!(kind(&answer), Some(QueueErrorKind::Indeterminate));
        assert_eq!(took, deadline);
    }
}

// O17
#[tokio::test(start_paused = true)]
async fn what_no_subscriber_has_stored_is_transient_and_what_one_may_have_is_indeterminate() {
    use QueueErrorKind::{Indeterminate, Transient};
    let cases: [(&[Act], _); 7] = [
        (&[BUSY()], Transient),
        (&[BUSY(), BUSY()], Transient),
        (&[BUSY(), Act::Store], Indeterminate),
        (&[Act::Store, BUSY()], Indeterminate),
        (&[Act::Hang], Indeterminate),
        (&[BUSY(), Act::Panic], Indeterminate),
        (&[Act::Answer(0), BUSY()], Indeterminate),
    ];
    for (acts, expected) in cases {
        let subscribers: Vec<_> = acts.iter().cloned().map(Subscriber::always).collect();
        let answer = publish(&topic(&subscribers.iter().collect::<Vec<_>>()), "m0").await;
        assert_eq!(kind(&answer), Some(expected), "{acts:?}");
    }
}

// O17
#[tokio::test(start_paused = true)]
async fn an_answer_that_was_lost_once_stays_in_doubt() {
    let subscriber = Subscriber::scripted([vec![Act::Answer(0)], vec![BUSY(); 100]].concat());
    let answer = publish(&topic(&[&subscriber]), "m0").await;
    assert_eq!(kind(&answer), Some(QueueErrorKind::Indeterminate));
}

#[tokio::test(start_paused = true)]
async fn the_error_names_the_subscriber_and_what_it_said() {
    let subscribers = [Subscriber::well(), Subscriber::always(BUSY())];
    let rejected = publish(&topic(&subscribers.each_ref()), "m0").await.unwrap_err();
    assert_eq!(
        rejected.error().message(),
        "subscriber \"s1\" has not stored it in time; 1 of 2 have stored it"
    );
    assert_eq!(rejected.error().source().unwrap().to_string(), "transient: busy");
}

// O17
#[tokio::test(start_paused = true)]
async fn nothing_is_sent_after_the_deadline() {
    let subscriber = Subscriber::scripted(vec![BUSY(); 100]);
    let topic = topic(&[&subscriber]);
    assert!(publish(&topic, "m0").await.is_err());
    let calls = subscriber.calls().len();
    assert!((4..12).contains(&calls), "{calls}");
    tokio::time::sleep(secs(3_600)).await;
    assert_eq!(subscriber.calls().len(), calls);
    topic.flush().await;
}

// O17
#[tokio::test(start_paused = true)]
async fn entries_stored_before_the_deadline_are_done_though_a_later_call_is_stuck() {
    let limits = crate::Limits::default().with_batch(2);
    let subscriber = Subscriber::with_limits(limits, [Act::Store, Act::Hang]);
    let answers = topic(&[&subscriber]).publish_all(messages(5)).await;
    let kinds: Vec<_> = answers.iter().map(kind).collect();
    let (lost, unsent) = (Some(QueueErrorKind::Indeterminate), Some(QueueErrorKind::Transient));
    assert_eq!(kinds, [None, None, lost, lost, unsent]);
}

// O17
#[tokio::test(start_paused = true)]
async fn an_endless_deadline_waits() {
    let subscriber = Subscriber::always(Act::Slow(secs(86_400)));
    let options = TopicOptions::default().with_deadline(Duration::MAX);
    let topic = MemoryTopic::with_options("entity", options);
    topic.subscribe(Subscription::raw("slow", subscriber)).unwrap();
    assert!(publish(&topic, "m0").await.is_ok());
}
