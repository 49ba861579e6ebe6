//! One topic, two queues, two receivers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use queue_core::{
    AttributeValue, Attributes, Consumer, Context, Inspect, Message, Outgoing, PublisherExt, Unwrapped,
    handler,
};
use queue_sqs::SnsSubscription;
use tokio::time::{sleep, timeout};
use worker::Receiver;

use crate::world::World;

const MESSAGES: usize = 45;

/// What a receiver's handler saw, by body: how often, the id, and the attributes.
#[derive(Clone, Debug, Default)]
struct Seen(Arc<Mutex<BTreeMap<String, Vec<Message>>>>);

impl Seen {
    fn count(&self) -> usize {
        self.0.lock().unwrap().values().map(Vec::len).sum()
    }

    async fn fill(&self) {
        let full = async {
            while self.count() < MESSAGES {
                sleep(Duration::from_millis(10)).await;
            }
            sleep(Duration::from_millis(200)).await; // what came twice would come now
        };
        timeout(Duration::from_secs(20), full).await.unwrap();
    }
}

async fn note(seen: Seen, message: Message, _context: Context) {
    seen.0.lock().unwrap().entry(message.body().to_owned()).or_default().push(message);
}

fn attributes(number: usize) -> Attributes {
    let values = [
        ("type", AttributeValue::string("book <&> \"é\"\t\u{1F980}")),
        ("number", AttributeValue::number(number)),
        ("labelled", AttributeValue::number("1.50").with_label("price")),
        ("bytes", AttributeValue::binary([0, 255, u8::try_from(number).unwrap()])),
        ("list", AttributeValue::string("[\"a\",1]").with_label("Array")),
    ];
    values.into_iter().collect()
}

fn body(number: usize) -> String {
    format!("{{\"text\": \"{number} <&> \\\"é\\\" \\n \u{1F980}\"}}\r\n\t")
}

// O17, W1
#[tokio::test]
async fn each_of_two_receivers_handles_each_message_once_with_its_attributes() {
    let world = World::start().await;
    let topic = world.topic("entity").await;
    let (raw, enveloped) = (world.queue("raw").await, world.queue("enveloped").await);
    topic.subscribe(SnsSubscription::raw(&raw)).await.unwrap();
    topic.subscribe(SnsSubscription::enveloped(&enveloped)).await.unwrap();
    let (first, second) = (Seen::default(), Seen::default());
    let receivers = [start(raw.clone(), &first), start(Unwrapped::new(enveloped.clone()), &second)];
    let message = |number| Outgoing::new(body(number)).with_attributes(attributes(number));
    let answers = topic.publish_all((0..MESSAGES).map(message).collect()).await;
    let ids: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    tokio::join!(first.fill(), second.fill());
    for receiver in receivers {
        assert_eq!(receiver.stop(Duration::from_secs(5)).await.handled, MESSAGES as u64);
    }
    for (seen, is_enveloped) in [(first, false), (second, true)] {
        let seen = seen.0.lock().unwrap();
        assert_eq!(seen.len(), MESSAGES);
        for (number, id) in ids.iter().enumerate() {
            let [message] = &seen[&body(number)][..] else { panic!("not once: {number}") };
            assert_eq!(message.attributes(), &attributes(number));
            assert_eq!(message.id() == id, is_enveloped, "a raw copy has an id of the queue's own");
        }
    }
    assert_eq!((raw.depth().await.unwrap().visible, enveloped.depth().await.unwrap().visible), (0, 0));
    assert_eq!(world.server.calls().of("PublishBatch"), 5);
}

fn start(queue: impl Consumer + 'static, seen: &Seen) -> worker::Running {
    let wait = Duration::from_secs(1);
    Receiver::builder(queue).slots(8).wait(wait).handler(handler(note).with(seen.clone())).start()
}

#[tokio::test]
async fn a_fair_queues_group_travels_over_a_standard_topic() {
    let world = World::start().await;
    let (topic, queue) = (world.topic("entity").await, world.queue("raw").await);
    topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
    topic.publish_one(Outgoing::new("m").with_group_key("tenant")).await.unwrap();
    let copies = crate::world::drain(&queue).await;
    assert_eq!(copies[0].group_key(), Some("tenant"));
}
