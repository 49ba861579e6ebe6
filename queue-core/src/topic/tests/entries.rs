//! Each entry has an answer of its own.

use std::error::Error;

use super::*;
use crate::{Filter, QueueError};

fn of(message: &Outgoing) -> Option<QueueError> {
    match message.body() {
        "refused" => Some(QueueError::permanent("never")),
        "busy" => Some(QueueError::transient("not now")),
        "lost" => Some(QueueError::indeterminate("who knows")),
        _ => None,
    }
}

// O17, Q6
#[tokio::test(start_paused = true)]
async fn every_entry_is_answered_on_its_own_in_order() {
    let bodies = ["a", "refused", "b", "", "busy", "c", "lost"];
    let topic = topic(&[&Subscriber::well(), &Subscriber::always(Act::Each(of))]);
    let answers = topic.publish_all(bodies.map(Outgoing::new).into()).await;
    let kinds: Vec<_> = answers.iter().map(kind).collect();
    let (no, doubt) = (Some(QueueErrorKind::Permanent), Some(QueueErrorKind::Indeterminate));
    assert_eq!(kinds, [None, no, None, no, doubt, None, doubt]);
    for (body, answer) in bodies.iter().zip(&answers) {
        assert!(answer.as_ref().err().is_none_or(|rejected| rejected.message().body() == *body));
    }
}

// O17, Q6
#[tokio::test(start_paused = true)]
async fn what_a_subscriber_leaves_unanswered_is_in_doubt_and_nothing_else() {
    let subscriber = Subscriber::scripted([Act::Answer(1), Act::Hang]);
    let answers = topic(&[&subscriber]).publish_all(messages(2)).await;
    let kinds: Vec<_> = answers.iter().map(kind).collect();
    assert_eq!(kinds, [None, Some(QueueErrorKind::Indeterminate)]);
    assert_eq!(subscriber.calls(), [vec!["m0", "m1"], vec!["m1"]]);
}

// O17
#[tokio::test(start_paused = true)]
async fn what_one_subscriber_refuses_for_good_fails_and_says_who_has_it() {
    let subscribers = [Subscriber::well(), Subscriber::always(Act::Each(of)), Subscriber::always(Act::Hang)];
    let rejected = publish(&topic(&subscribers.each_ref()), "refused").await.unwrap_err();
    assert_eq!(rejected.kind(), QueueErrorKind::Permanent);
    assert_eq!(rejected.error().message(), "subscriber \"s1\" has refused it; 1 of 3 have stored it");
    assert_eq!(rejected.error().source().unwrap().to_string(), "permanent: never");
    assert_eq!(subscribers[1].calls().len(), 1);
    assert_eq!(rejected.into_message(), Outgoing::new("refused"));
}

#[tokio::test(start_paused = true)]
async fn a_subscriber_that_was_shut_down_closes_the_entry_until_it_is_unsubscribed() {
    let topic = topic(&[&Subscriber::well(), &Subscriber::always(Act::Fail(QueueError::closed("gone")))]);
    assert_eq!(kind(&publish(&topic, "m0").await), Some(QueueErrorKind::Closed));
    topic.unsubscribe("s1");
    assert!(publish(&topic, "m0").await.is_ok());
}

// O17
#[tokio::test(start_paused = true)]
async fn a_subscriber_whose_filter_does_not_match_is_neither_sent_to_nor_waited_for() {
    let (books, stuck) = (Subscriber::well(), Subscriber::always(Act::Hang));
    let topic = MemoryTopic::new("entity");
    let only = |kind: &str| Filter::new().with("type", [kind]);
    topic.subscribe(Subscription::raw("books", books.clone()).with_filter(only("book"))).unwrap();
    topic.subscribe(Subscription::raw("films", stuck.clone()).with_filter(only("film"))).unwrap();
    let (took, answer) = timed(topic.publish_one(Outgoing::new("m0").with_attribute("type", "book"))).await;
    assert!(answer.is_ok() && took.is_zero());
    assert_eq!((books.bodies(), stuck.calls().len(), topic.unmatched()), (vec!["m0".to_owned()], 0, 0));
    assert!(publish(&topic, "neither").await.is_ok());
    assert_eq!((books.calls().len(), stuck.calls().len(), topic.unmatched()), (1, 0, 1));
}
