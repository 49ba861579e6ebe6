//! Any messages, any settings: what comes out is what went in, and an ack leaves nothing behind.

use proptest::collection::vec;
use proptest::prelude::*;
use queue_core::{AttributeValue, MemoryQueue, Outgoing, Publisher, PublisherExt};
use tokio::runtime::Builder;

use crate::store::FaultyStore;
use crate::support::{checked, receive, total};

/// The characters that queues take.
fn character() -> impl Strategy<Value = char> {
    prop_oneof![
        8 => prop::char::range(' ', '~'),
        1 => prop::sample::select(vec!['\t', '\n', '\r', '"', '\\', '\u{7f}', '\u{85}', '\u{feff}', '\u{fffd}']),
        1 => prop::char::range('\u{a0}', '\u{d7ff}'),
        1 => prop::char::range('\u{10000}', '\u{10ffff}'),
    ]
}

fn message() -> impl Strategy<Value = Outgoing> {
    let body = vec(character(), 1..40).prop_map(|letters| letters.into_iter().collect::<String>());
    let attributes = vec((0_u32..9, vec(any::<u8>(), 1..30)), 0..5);
    (body, 1_usize..60, attributes).prop_map(|(body, times, attributes)| {
        attributes.into_iter().fold(Outgoing::new(body.repeat(times)), |message, (name, bytes)| {
            message.with_attribute(format!("name-{name}"), AttributeValue::binary(bytes))
        })
    })
}

async fn round_trip(messages: Vec<Outgoing>, threshold: Option<usize>) {
    let store = FaultyStore::sound();
    let (queue, checked) = checked(&store);
    let checked = match threshold {
        Some(threshold) => checked.with_threshold(threshold),
        None => checked.with_every_body_stored(),
    };
    let mut sent = messages.clone();
    for batch in checked.limits().batches(messages) {
        assert!(checked.publish(batch).await.iter().all(Result::is_ok));
    }
    while total(&queue).await > 0 {
        for delivery in receive(&checked).await {
            let message = delivery.message().to_outgoing();
            let place = sent.iter().position(|each| *each == message).unwrap();
            sent.swap_remove(place);
            delivery.ack().await.unwrap();
        }
    }
    assert_eq!((sent.len(), store.keys().await.len()), (0, 0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    // Q6, Q11
    #[test]
    fn every_body_comes_back_byte_for_byte(
        messages in vec(message(), 1..25),
        threshold in prop::option::of(0_usize..2_000),
    ) {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(round_trip(messages, threshold));
    }
}

#[tokio::test]
async fn a_body_of_several_megabytes_comes_back() {
    let store = FaultyStore::sound();
    let checked = crate::support::over(&MemoryQueue::new(), &store);
    let message = Outgoing::new("né".repeat(5 << 20));
    checked.publish_one(message.clone()).await.unwrap();
    let delivery = crate::support::receive_one(&checked).await;
    assert!(delivery.message().to_outgoing() == message);
    delivery.ack().await.unwrap();
}
