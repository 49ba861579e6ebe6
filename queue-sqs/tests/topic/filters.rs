//! Which messages a subscription gets.

use queue_core::{AttributeValue, Condition, Filter, Outgoing, PublisherExt, QueueErrorKind};
use queue_sqs::{SnsSubscription, SnsTopic, SqsQueue};
use testkit::server::{Fault, FaultScript, Rule};

use crate::world::{World, bodies, drain};

/// Publishes a film, a cheap book, a dear one and something without attributes, and answers what came.
async fn published(topic: &SnsTopic, queue: &SqsQueue) -> Vec<String> {
    let priced = |body: &str, price: f64| {
        let list = AttributeValue::string(format!("[\"{body}\", \"all\"]")).with_label("Array");
        Outgoing::new(format!("{{\"title\":\"{body}\",\"price\":{price}}}"))
            .with_attribute("type", body)
            .with_attribute("price", AttributeValue::number(price))
            .with_attribute("tags", list)
    };
    let batch =
        vec![priced("film", 7.0), priced("book", 7.5), priced("book-dear", 70.0), Outgoing::new("{}")];
    assert!(topic.publish_all(batch).await.iter().all(Result::is_ok));
    let titles = |body: &str| body.split('"').nth(3).unwrap_or("none").to_owned();
    bodies(&drain(queue).await).into_iter().map(titles).collect()
}

#[tokio::test]
async fn filters_of_the_family_let_pass_at_the_service_what_they_let_pass_here() {
    let world = World::start().await;
    let (topic, queue) = (world.topic("entity").await, world.queue("raw").await);
    let none: [Condition; 0] = [];
    for (filter, wanted) in [
        (Filter::new(), vec!["book", "book-dear", "film", "none"]),
        (Filter::new().with("type", ["book"]), vec!["book"]),
        (Filter::new().with("type", [Condition::prefix("book")]), vec!["book", "book-dear"]),
        (Filter::new().with("type", [Condition::suffix("dear"), "film".into()]), vec!["book-dear", "film"]),
        (Filter::new().with("type", [Condition::ignoring_case("FILM")]), vec!["film"]),
        (Filter::new().with("type", [Condition::none_of(["book"])]), vec!["book-dear", "film"]),
        (Filter::new().with("type", [Condition::none_of([Condition::prefix("book")])]), vec!["film"]),
        (Filter::new().with("type", [Condition::present()]), vec!["book", "book-dear", "film"]),
        (Filter::new().with("price", [7]), vec!["film"]),
        (Filter::new().with("price", [Condition::within(7.0..=7.5)]), vec!["book", "film"]),
        (Filter::new().with("price", [Condition::within(7.5..)]), vec!["book", "book-dear"]),
        (Filter::new().with("tags", ["film"]), vec!["film"]),
        (Filter::new().with("price", [Condition::within(..10.0)]).with("tags", ["book"]), vec!["book"]),
    ] {
        topic.subscribe(SnsSubscription::raw(&queue).with_filter(filter.clone())).await.unwrap();
        assert_eq!(published(&topic, &queue).await, wanted, "{filter:?}");
    }
    let unsayable = Filter::new().with("type", none);
    let error = topic.subscribe(SnsSubscription::raw(&queue).with_filter(unsayable)).await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Permanent);
}

#[tokio::test]
async fn policies_of_the_service_pass_through_for_attributes_and_for_bodies() {
    let world = World::start().await;
    let (topic, queue) = (world.topic("entity").await, world.queue("raw").await);
    let raw = || SnsSubscription::raw(&queue);
    let either = r#"{"$or": [{"type": ["film"]}, {"price": [{"numeric": [">", 60]}]}]}"#;
    topic.subscribe(raw().with_filter_policy(either)).await.unwrap();
    assert_eq!(published(&topic, &queue).await, ["book-dear", "film"]);
    topic.subscribe(raw().with_body_filter_policy(r#"{"title": [{"prefix": "book"}]}"#)).await.unwrap();
    assert_eq!(published(&topic, &queue).await, ["book", "book-dear"]);
    topic.subscribe(raw().with_filter(Filter::new().with("type", ["film"]))).await.unwrap();
    assert_eq!(published(&topic, &queue).await, ["film"]);
    let error = topic.subscribe(raw().with_filter_policy("{\"type\": \"film\"}")).await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Permanent, "{error}");
    topic.subscribe(raw()).await.unwrap();
    assert_eq!(published(&topic, &queue).await.len(), 4);
}

#[tokio::test]
async fn a_change_of_a_filters_scope_that_breaks_off_never_drops_what_both_filters_let_pass() {
    let world = World::start().await;
    let (topic, queue) = (world.topic("entity").await, world.queue("raw").await);
    let by_attributes = || SnsSubscription::raw(&queue).with_filter(Filter::new().with("type", ["book"]));
    let by_bodies = || SnsSubscription::raw(&queue).with_body_filter_policy(r#"{"title": ["book"]}"#);
    for (present, next) in [(by_attributes(), by_bodies()), (by_bodies(), by_attributes())] {
        for done in 0..3 {
            topic.subscribe(present.clone()).await.unwrap();
            let refused = Rule::new(Fault::error("AuthorizationError"));
            let rule = refused.with_operation("SetSubscriptionAttributes").with_after(done);
            world.server.faults(FaultScript::new([rule]));
            topic.subscribe(next.clone()).await.unwrap_err();
            world.server.heal();
            let passed = published(&topic, &queue).await;
            assert!(passed.contains(&"book".to_owned()), "after {done} changes: {passed:?}");
        }
        topic.subscribe(next).await.unwrap();
        assert_eq!(published(&topic, &queue).await, ["book"]);
    }
}
