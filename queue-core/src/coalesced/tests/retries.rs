//! What is sent again, and what is handed back.

use std::time::Duration;

use futures::future::join_all;
use tokio::time::Instant;

use super::backend::{Backend, Call, Operation, all_well};
use crate::{
    Coalesced, Consumer, Delivery, Outgoing, Publisher, PublisherExt, QueueError, QueueErrorKind,
    ReceiveOptions,
};

/// Publishes four at once to a backend where "m1" fails for ever with an error of `kind`, and "m2" is refused.
async fn publish_four(kind: QueueErrorKind) -> (Vec<Option<QueueErrorKind>>, Vec<Call>) {
    let backend = Backend::new().answering(move |_, call| {
        let answer = |name: &String| match name.as_str() {
            "m1" => Err(QueueError::new(kind, "m1")),
            "m2" => Err(QueueError::permanent("m2")),
            _ => Ok(()),
        };
        call.entries.iter().map(answer).collect()
    });
    let batch = (0..4).map(|number| Outgoing::new(format!("m{number}"))).collect();
    let answers = Coalesced::new(backend.clone()).publish(batch).await;
    (answers.into_iter().map(|answer| answer.err().map(|error| error.kind())).collect(), backend.calls())
}

// Q6
#[tokio::test(start_paused = true)]
async fn only_what_failed_for_a_passing_reason_is_sent_again_and_three_times_at_most() {
    let (answers, calls) = publish_four(QueueErrorKind::Transient).await;
    let refused = Some(QueueErrorKind::Permanent);
    assert_eq!(answers, [None, Some(QueueErrorKind::Transient), refused, None]);
    let sent: Vec<_> = calls.into_iter().map(|call| call.entries).collect();
    assert_eq!(sent, [vec!["m0", "m1", "m2", "m3"], vec!["m1"], vec!["m1"], vec!["m1"]]);
}

// Q6
#[tokio::test(start_paused = true)]
async fn a_publish_whose_answer_was_lost_is_handed_back_and_not_sent_again() {
    let (answers, calls) = publish_four(QueueErrorKind::Indeterminate).await;
    assert_eq!(answers[1], Some(QueueErrorKind::Indeterminate));
    assert_eq!(calls.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_delete_whose_answer_was_lost_is_sent_again() {
    let backend = Backend::new().answering(|number, call| match number {
        0 => Vec::new(),
        1 => vec![Err(QueueError::indeterminate("reset")); call.entries.len()],
        _ => all_well(call),
    });
    let queue = Coalesced::new(backend);
    let deliveries = queue.receive(ReceiveOptions::new(3)).await.unwrap();
    let acks = join_all(deliveries.into_iter().map(Delivery::ack)).await;
    assert!(acks.iter().all(Result::is_ok));
    assert_eq!(queue.queue().sizes(Operation::Delete), [3, 3, 3]);
}

#[tokio::test(start_paused = true)]
async fn an_answer_does_not_wait_for_another_entry_that_is_sent_again() {
    let backend = Backend::new().answering(|_, call| {
        let answer = |name: &String| if name == "bad" { Err(QueueError::transient("")) } else { Ok(()) };
        call.entries.iter().map(answer).collect()
    });
    let (queue, begun) = (Coalesced::new(backend), Instant::now());
    let good = async {
        queue.publish_one(Outgoing::new("good")).await.unwrap();
        begun.elapsed()
    };
    let (bad, good) = tokio::join!(queue.publish_one(Outgoing::new("bad")), good);
    assert!(bad.is_err());
    assert_eq!(good, Duration::ZERO);
    // 100, 200 and 400 ms, and up to as much again at random.
    assert!((700..1_400).contains(&begun.elapsed().as_millis()));
    assert_eq!(queue.queue().calls()[0].entries, ["bad", "good"]);
}

#[tokio::test(start_paused = true)]
async fn the_time_that_the_service_asks_for_is_waited() {
    let backend = Backend::new().answering(|number, call| match number {
        0 => vec![Err(QueueError::transient("").with_retry_after(Duration::from_secs(9)))],
        _ => all_well(call),
    });
    let begun = Instant::now();
    Coalesced::new(backend).publish_one(Outgoing::new("a")).await.unwrap();
    assert_eq!(begun.elapsed(), Duration::from_secs(9));
}

#[tokio::test(start_paused = true)]
async fn without_retries_everything_is_handed_back_at_once() {
    let backend = Backend::new().answering(|_, _| vec![Err(QueueError::transient("throttled"))]);
    let (queue, begun) = (Coalesced::new(backend).with_retries(0), Instant::now());
    let rejected = queue.publish_one(Outgoing::new("a")).await.unwrap_err();
    assert_eq!(rejected.kind(), QueueErrorKind::Transient);
    assert_eq!((begun.elapsed(), queue.queue().calls().len()), (Duration::ZERO, 1));
}
