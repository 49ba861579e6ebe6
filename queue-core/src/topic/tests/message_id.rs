//! The id under which copies are known.

use super::*;
use crate::{Limits, QueueError, envelope};

/// The id in each envelope that was stored.
fn ids(subscriber: &Subscriber) -> Vec<MessageId> {
    subscriber.stored().iter().map(|copy| envelope::unwrap(copy.body()).unwrap().id).collect()
}

fn enveloped(subscribers: &[&Subscriber]) -> MemoryTopic {
    let topic = MemoryTopic::new("entity");
    for (number, subscriber) in subscribers.iter().enumerate() {
        topic.subscribe(Subscription::enveloped(number.to_string(), (*subscriber).clone())).unwrap();
    }
    topic
}

// O17
#[tokio::test(start_paused = true)]
async fn every_copy_of_a_message_has_the_id_that_was_answered_and_no_other_message_has() {
    let subscribers = [Subscriber::well(), Subscriber::scripted([Act::Lose, Act::Lose])];
    let topic = enveloped(&subscribers.each_ref());
    let first = publish(&topic, "m0").await.unwrap();
    let second = publish(&topic, "m0").await.unwrap();
    assert_ne!(first, second);
    assert_eq!(ids(&subscribers[0]), [first.clone(), second.clone()]);
    assert_eq!(ids(&subscribers[1]), [first.clone(), first.clone(), first, second]);
}

// O17
#[tokio::test(start_paused = true)]
async fn what_is_handed_back_is_published_again_under_the_same_id() {
    let (well, ill) = (Subscriber::well(), Subscriber::scripted([Act::Hang]));
    let topic = enveloped(&[&well, &ill]);
    let rejected = publish(&topic, "m0").await.unwrap_err();
    let id = topic.publish_one(rejected.into_message()).await.unwrap();
    assert_eq!((ids(&well), ids(&ill)), (vec![id.clone(), id.clone()], vec![id]));
}

// O17
#[tokio::test(start_paused = true)]
async fn an_id_that_the_publisher_names_travels_with_every_copy() {
    let (raw, wrapped) = (Subscriber::well(), Subscriber::scripted([Act::Hang]));
    let topic = topic(&[&raw]);
    topic.subscribe(Subscription::enveloped("wrapped", wrapped.clone())).unwrap();
    let message = Outgoing::new("m0").with_attribute(MemoryTopic::MESSAGE_ID, "change-7");
    let rejected = topic.publish_one(message.clone()).await.unwrap_err();
    assert_eq!(rejected.message(), &message);
    let id = topic.publish_one(rejected.into_message()).await.unwrap();
    assert_eq!(id.as_str(), "change-7");
    assert_eq!(raw.stored(), [message.clone(), message]);
    assert_eq!(ids(&wrapped), [id]);
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_an_id_is_an_attribute_as_any_other() {
    let subscriber = Subscriber::well();
    let topic = topic(&[&subscriber]);
    for value in ["x".repeat(129), "a b".to_owned(), "é".to_owned()] {
        let message = Outgoing::new("m0").with_attribute(MemoryTopic::MESSAGE_ID, value.clone());
        assert_ne!(topic.publish_one(message.clone()).await.unwrap().as_str(), value);
        assert_eq!(subscriber.stored().last(), Some(&message));
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_stored_nowhere_or_has_no_room_is_handed_back_as_it_came() {
    let busy = topic(&[&Subscriber::always(Act::Fail(QueueError::transient("busy")))]);
    assert_eq!(publish(&busy, "m0").await.unwrap_err().into_message(), Outgoing::new("m0"));
    let stuck = Subscriber::with_limits(Limits::default().with_attributes(1), [Act::Hang]);
    let full = Outgoing::new("m0").with_attribute("only", "one");
    let rejected = topic(&[&stuck]).publish_one(full.clone()).await.unwrap_err();
    assert_eq!((rejected.kind(), rejected.into_message()), (QueueErrorKind::Indeterminate, full));
}
