//! The same on `LocalStack`, for a second opinion of what the service answers.

use std::env;
use std::time::Duration;

use queue_core::{
    AttributeValue, Consumer, Filter, Message, Outgoing, PublisherExt, QueueErrorKind, ReceiveOptions,
    Unwrapped,
};
use queue_sqs::{SnsSubscription, SnsTopic, SnsTopicSettings, SqsQueue, SqsQueueSettings};
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use crate::world::{bodies, sns, sqs};

struct Place {
    sns: aws_sdk_sns::Client,
    sqs: aws_sdk_sqs::Client,
    token: String,
}

impl Place {
    fn new() -> Self {
        let endpoint = env::var("SQS_ENDPOINT_URL").unwrap();
        Self { sns: sns(&endpoint), sqs: sqs(&endpoint), token: Uuid::new_v4().simple().to_string() }
    }

    async fn topic(&self, kind: &str) -> SnsTopic {
        let builder = SnsTopic::builder(self.sns.clone()).name(format!("{}{kind}", self.token));
        builder.create(SnsTopicSettings::new()).build().await.unwrap()
    }

    async fn queue(&self, name: &str) -> SqsQueue {
        let builder = SqsQueue::builder(self.sqs.clone()).name(format!("{}-{name}", self.token));
        builder.create(SqsQueueSettings::new()).build().await.unwrap()
    }
}

/// So many messages, deleted; and whatever else comes within a second.
async fn take(queue: &impl Consumer, count: usize) -> Vec<Message> {
    let mut taken = Vec::new();
    let end = Instant::now() + Duration::from_secs(20);
    while taken.len() < count && Instant::now() < end {
        taken.extend(receive(queue).await);
    }
    taken.extend(receive(queue).await);
    taken
}

async fn receive(queue: &impl Consumer) -> Vec<Message> {
    let options = ReceiveOptions::new(10).with_wait(Duration::from_secs(1));
    let mut taken = Vec::new();
    for delivery in queue.receive(options).await.unwrap() {
        taken.push(delivery.message().clone());
        delivery.ack().await.unwrap();
    }
    taken
}

// O17
#[tokio::test]
#[ignore = "needs LocalStack: cargo xtask test"]
async fn raw_and_enveloped_copies_arrive_with_their_attributes_by_filter() {
    let place = Place::new();
    let topic = place.topic("").await;
    let (raw, enveloped) = (place.queue("raw").await, place.queue("enveloped").await);
    let books = Filter::new().with("type", ["book"]);
    topic.subscribe(SnsSubscription::raw(&raw)).await.unwrap();
    topic.subscribe(SnsSubscription::raw(&raw).with_filter(books.clone())).await.unwrap();
    topic.subscribe(SnsSubscription::raw(&raw).with_filter(books)).await.unwrap();
    topic.subscribe(SnsSubscription::enveloped(&enveloped)).await.unwrap();
    let message = |body: &str| {
        Outgoing::new(format!("{body} <&> \"é\" \u{1F980}"))
            .with_attribute("type", body)
            .with_attribute("price", AttributeValue::number("1.50").with_label("euro"))
            .with_attribute("bytes", AttributeValue::binary([0, 255]))
    };
    let batch = vec![message("book"), message("film")];
    let ids: Vec<_> = topic.publish_all(batch.clone()).await.into_iter().map(Result::unwrap).collect();
    let copies = timeout(Duration::from_secs(30), take(&raw, 1)).await.unwrap();
    assert_eq!(bodies(&copies), [batch[0].body()]);
    assert_eq!(copies[0].attributes(), batch[0].attributes());
    let mut copies = take(&Unwrapped::new(enveloped.clone()), 2).await;
    copies.sort_by(|one, other| one.body().cmp(other.body()));
    let seen: Vec<_> = copies.iter().map(|copy| (copy.id(), copy.body(), copy.attributes())).collect();
    let sent: Vec<_> =
        ids.iter().zip(&batch).map(|(id, sent)| (id, sent.body(), sent.attributes())).collect();
    assert_eq!(seen, sent);
    assert!(topic.unsubscribe(&enveloped).await.unwrap() && !topic.unsubscribe(&enveloped).await.unwrap());
    topic.publish_one(message("film")).await.unwrap();
    assert!(take(&enveloped, 0).await.is_empty());
}

// Q8, Q9
#[tokio::test]
#[ignore = "needs LocalStack: cargo xtask test"]
async fn a_fifo_topic_keeps_groups_in_order_and_stores_repeats_once() {
    let place = Place::new();
    let (topic, queue) = (place.topic(".fifo").await, place.queue("raw.fifo").await);
    topic.subscribe(SnsSubscription::raw(&queue)).await.unwrap();
    let message = |number: usize| {
        let message = Outgoing::new(number.to_string()).with_group_key(format!("g{}", number % 3));
        message.with_deduplication_id(number.to_string())
    };
    for _ in 0..2 {
        let answers = topic.publish_all((0..30).map(message).collect()).await;
        assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    }
    let copies = take(&queue, 30).await;
    assert_eq!(copies.len(), 30);
    for group in ["g0", "g1", "g2"] {
        let numbers = copies.iter().filter(|copy| copy.group_key() == Some(group));
        let numbers: Vec<usize> = numbers.map(|copy| copy.body().parse().unwrap()).collect();
        assert!(numbers.is_sorted() && numbers.len() == 10, "{numbers:?}");
    }
}

#[tokio::test]
#[ignore = "needs LocalStack: cargo xtask test"]
async fn what_is_not_there_passes_as_it_may_be_made() {
    let place = Place::new();
    let topic = place.topic("").await;
    let found = SnsTopic::builder(place.sns.clone()).name(topic.name()).build().await.unwrap();
    assert_eq!(found.arn(), topic.arn());
    place.sns.delete_topic().topic_arn(topic.arn()).send().await.unwrap();
    let rejected = topic.publish_one(Outgoing::new("m")).await.unwrap_err();
    assert_eq!(rejected.kind(), QueueErrorKind::Transient, "{rejected}");
    let error = SnsTopic::builder(place.sns.clone()).arn(topic.arn()).build().await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Transient, "{error}");
}
