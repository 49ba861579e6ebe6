//! From a topic through two queues to their consumers.

use std::time::Duration;

use super::*;
use crate::{
    AttributeValue, Attributes, Coalesced, Consumer, Depth, Filter, Inspect, Limits, MemoryQueue, Message,
    Metered, ReceiveOptions, TopicOptions, Unwrapped,
};

fn attributes(number: usize) -> Attributes {
    [
        ("kind", AttributeValue::string(if number.is_multiple_of(2) { "even" } else { "odd\t\"<é😀>" })),
        ("number", AttributeValue::number(number).with_label("int")),
        ("bytes", AttributeValue::binary([0, 255, u8::try_from(number).unwrap()]).with_label("png")),
    ]
    .into_iter()
    .collect()
}

/// Takes all there is, and settles it.
async fn drain(queue: &impl Consumer) -> Vec<Message> {
    let mut messages = Vec::new();
    loop {
        let deliveries = queue.receive(ReceiveOptions::default().with_wait(Duration::ZERO)).await.unwrap();
        if deliveries.is_empty() {
            return messages;
        }
        messages.extend(deliveries.iter().map(|delivery| delivery.message().clone()));
        for answer in futures::future::join_all(deliveries.into_iter().map(crate::Delivery::ack)).await {
            answer.unwrap();
        }
    }
}

// O17
#[tokio::test(start_paused = true)]
async fn each_message_comes_once_out_of_each_queue_with_its_attributes() {
    let (raw, wrapped) = (MemoryQueue::new(), MemoryQueue::new());
    let topic = MemoryTopic::new("entity");
    topic.subscribe(Subscription::raw("raw", raw.clone())).unwrap();
    topic.subscribe(Subscription::enveloped("wrapped", Coalesced::new(wrapped.clone()))).unwrap();
    let sent: Vec<_> = (0..25)
        .map(|number| Outgoing::new(format!("<m{number}>\n")).with_attributes(attributes(number)))
        .collect();
    let answers = topic.publish_all(sent.clone()).await;
    assert!(answers.iter().all(Result::is_ok));
    let consumer = Metered::new(Coalesced::new(Unwrapped::new(wrapped.clone())));
    for received in [drain(&raw).await, drain(&consumer).await] {
        assert_eq!(received.iter().map(Message::to_outgoing).collect::<Vec<_>>(), sent);
        assert!(received.iter().all(|message| message.receive_count() == 1 && message.sent_at().is_some()));
    }
    assert_eq!(
        (raw.depth().await.unwrap(), wrapped.depth().await.unwrap()),
        (Depth::empty(), Depth::empty())
    );
    assert_eq!(consumer.meter().calls().deleted, 25);
}

// O17
#[tokio::test(start_paused = true)]
async fn a_consumer_sees_the_ids_that_the_topic_answered() {
    let queue = MemoryQueue::new();
    let topic = MemoryTopic::new("entity");
    let filter = Filter::parse(r#"{"kind": ["even"], "number": [{"numeric": [">=", 4]}]}"#).unwrap();
    topic.subscribe(Subscription::enveloped("even", queue.clone()).with_filter(filter)).unwrap();
    let sent = (0..10).map(|number| Outgoing::new("x").with_attributes(attributes(number))).collect();
    let ids: Vec<_> = topic.publish_all(sent).await.into_iter().map(Result::unwrap).collect();
    let seen: Vec<_> =
        drain(&Unwrapped::new(queue)).await.iter().map(|message| message.id().clone()).collect();
    assert_eq!(seen, [4, 6, 8].map(|number: usize| ids[number].clone()));
    assert_eq!(topic.unmatched(), 7);
}

// O17
#[tokio::test(start_paused = true)]
async fn ordered_queues_store_a_repeat_once_and_keep_groups_in_order() {
    let queue = || MemoryQueue::builder().ordered().build().unwrap();
    let (raw, wrapped) = (queue(), queue());
    let options = TopicOptions::default().with_limits(Limits::default().with_ordered(true));
    let topic = MemoryTopic::with_options("entity.fifo", options);
    topic.subscribe(Subscription::raw("raw", raw.clone())).unwrap();
    topic.subscribe(Subscription::enveloped("wrapped", wrapped.clone())).unwrap();
    let change = |number: usize| {
        let message = Outgoing::new("the same").with_group_key(["a", "b"][number % 2]);
        message.with_attribute(MemoryTopic::MESSAGE_ID, format!("change-{number:02}"))
    };
    for _repeat in 0..2 {
        assert!(topic.publish_all((0..25).map(change).collect()).await.iter().all(Result::is_ok));
        tokio::time::sleep(secs(1)).await;
    }
    for received in [drain(&raw).await, drain(&Unwrapped::new(wrapped.clone())).await] {
        let mut changes: Vec<_> = received.iter().map(Message::to_outgoing).collect();
        changes.sort_by_key(|change| change.group_key().map(str::to_owned)); // keeps the order in each group
        let expected: Vec<_> = (0..25).step_by(2).chain((1..25).step_by(2)).map(change).collect();
        assert_eq!(changes, expected);
    }
}
