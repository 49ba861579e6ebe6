use std::time::Duration;

use futures::FutureExt;
use queue_core::{
    Consumer, Delivery, Depth, Inspect, MemoryQueue, MessageId, Outgoing, Publisher, PublisherExt,
    QueueError, QueueErrorKind, ReceiveOptions, Rejected,
};
use tokio::time::{Instant, timeout};

use super::*;

const SECOND: Duration = Duration::from_secs(1);

/// A queue whose calls of one kind go wrong.
fn faulty(kind: CallKind, fault: Fault) -> Faulty<MemoryQueue> {
    let script = move |call, _| if call == kind { fault.clone() } else { Fault::None };
    Faulty::new(MemoryQueue::new(), script)
}

async fn publish(queue: &impl Publisher, count: usize) -> Vec<Result<MessageId, Rejected>> {
    queue.publish((0..count).map(|number| Outgoing::new(number.to_string())).collect()).await
}

async fn receive(queue: &impl Consumer) -> Result<Vec<Delivery>, QueueError> {
    queue.receive(ReceiveOptions::default().with_wait(Duration::ZERO)).await
}

/// The kinds of the errors, by entry.
fn kinds<T>(answers: &[Result<T, Rejected>]) -> Vec<Option<QueueErrorKind>> {
    answers.iter().map(|answer| answer.as_ref().err().map(Rejected::kind)).collect()
}

fn bodies(deliveries: Vec<Delivery>) -> String {
    let bodies = deliveries.iter().map(|delivery| delivery.message().body().to_owned()).collect();
    deliveries.into_iter().for_each(Delivery::forget);
    bodies
}

// Q6
#[tokio::test(start_paused = true)]
async fn what_is_refused_is_handed_back_and_not_done() {
    let denied = QueueError::permanent("denied");
    let queue = faulty(CallKind::Publish, Fault::Entries(vec![1, 7], denied.clone()));
    let answers = publish(&queue, 3).await;
    assert_eq!(kinds(&answers), [None, Some(QueueErrorKind::Permanent), None]);
    assert_eq!(answers[1].as_ref().unwrap_err().message().body(), "1");
    assert_eq!(bodies(receive(&queue).await.unwrap()), "02");
    let queue = faulty(CallKind::Publish, Fault::Error(denied));
    assert_eq!(kinds(&publish(&queue, 2).await), [Some(QueueErrorKind::Permanent); 2]);
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
}

// Q6
#[tokio::test(start_paused = true)]
async fn what_is_lost_is_done() {
    let queue = faulty(CallKind::Publish, Fault::LostEntries(vec![1]));
    assert_eq!(kinds(&publish(&queue, 3).await), [None, Some(QueueErrorKind::Indeterminate), None]);
    assert_eq!(bodies(receive(&queue).await.unwrap()), "012");
    let queue = faulty(CallKind::Publish, Fault::Lost);
    assert_eq!(kinds(&publish(&queue, 2).await), [Some(QueueErrorKind::Indeterminate); 2]);
    assert_eq!(queue.depth().await.unwrap().visible, 2);
}

#[tokio::test(start_paused = true)]
async fn answers_are_short_long_or_reordered() {
    let garbled = [(Fault::Short(2), "0"), (Fault::Long(2), "01222"), (Fault::Reordered, "210")];
    for (fault, expected) in garbled {
        let queue = faulty(CallKind::Publish, fault);
        let answers = publish(&queue, 3).await;
        let stored = receive(&queue).await.unwrap();
        let place =
            |id: &MessageId| stored.iter().position(|delivery| delivery.message().id() == id).unwrap();
        let places: String =
            answers.iter().map(|answer| place(answer.as_ref().unwrap()).to_string()).collect();
        assert_eq!(places, expected);
        stored.into_iter().for_each(Delivery::forget);
    }
}

// Q3: the messages come back
#[tokio::test(start_paused = true)]
async fn messages_that_do_not_arrive_stay_hidden_and_nobody_has_dropped_them() {
    let passing = || QueueError::transient("busy");
    let faults = [
        (Fault::Lost, None),
        (Fault::Unanswered, None),
        (Fault::Late(SECOND * 9), None),
        (Fault::Short(2), Some("0")),
        (Fault::LostEntries(vec![0, 2]), Some("1")),
        (Fault::Entries(vec![0], passing()), Some("12")),
        (Fault::Reordered, Some("210")),
    ];
    for (fault, arrived) in faults {
        let queue = faulty(CallKind::Receive, fault);
        publish(&queue, 3).await;
        let answer = timeout(SECOND, receive(&queue)).await;
        let answer = answer.ok().and_then(Result::ok).map(bodies);
        assert_eq!(answer.as_deref(), arrived);
        assert_eq!((queue.depth().await.unwrap().in_flight, queue.queue().counts().unsettled_drops), (3, 0));
        queue.heal();
        tokio::time::sleep(SECOND * 30).await;
        assert_eq!(bodies(receive(&queue).await.unwrap()), "012");
    }
}

#[tokio::test(start_paused = true)]
async fn a_long_receive_brings_more_than_it_was_asked_for_and_no_more_than_the_queue_allows() {
    for (asked, brings) in [(1, 3), (9, 10), (10, 10)] {
        let queue = faulty(CallKind::Receive, Fault::Long(2));
        publish(&queue, 10).await;
        publish(&queue, 10).await;
        let brought = queue.receive(ReceiveOptions::new(asked)).await.unwrap();
        assert_eq!(brought.len(), brings);
        brought.into_iter().for_each(Delivery::forget);
    }
}

#[tokio::test(start_paused = true)]
async fn calls_take_their_time_before_or_after_they_are_done() {
    let refused = Fault::Error(QueueError::transient("refused"));
    for (fault, done) in [(Fault::Delay(SECOND), 0), (Fault::Late(SECOND), 1), (refused.after(SECOND), 0)] {
        let queue = faulty(CallKind::Publish, fault);
        let start = Instant::now();
        assert!(timeout(SECOND / 2, publish(&queue, 1)).await.is_err());
        assert_eq!(queue.depth().await.unwrap().visible, done);
        publish(&queue, 1).await;
        assert_eq!(start.elapsed(), SECOND * 3 / 2);
    }
}

#[tokio::test(start_paused = true)]
async fn calls_hang_panic_or_are_done_and_never_answered() {
    for (fault, done) in [(Fault::Hang, 0), (Fault::Unanswered, 1)] {
        let queue = faulty(CallKind::Publish, fault);
        assert!(timeout(SECOND * 10_000, publish(&queue, 1)).await.is_err());
        assert_eq!(queue.depth().await.unwrap().visible, done);
    }
    let queue = faulty(CallKind::Publish, Fault::Panic);
    let panicked = std::panic::AssertUnwindSafe(publish(&queue, 1)).catch_unwind().await;
    assert!(panicked.is_err());
    queue.heal();
    assert!(publish(&queue, 1).await[0].is_ok());
}

// Q6
#[tokio::test(start_paused = true)]
async fn deliveries_are_settled_through_the_script() {
    let script = |call, _| match call {
        CallKind::Delete => Fault::Lost,
        CallKind::ChangeVisibility => Fault::throttled(SECOND),
        _ => Fault::None,
    };
    let queue = Faulty::new(MemoryQueue::new(), script);
    publish(&queue, 1).await;
    let delivery = receive(&queue).await.unwrap().remove(0);
    let error = delivery.release(Duration::ZERO).await.unwrap_err();
    assert_eq!((error.kind(), error.error().retry_after()), (QueueErrorKind::Transient, Some(SECOND)));
    let error = error.into_delivery().ack().await.unwrap_err();
    assert_eq!((error.kind(), queue.depth().await.unwrap()), (QueueErrorKind::Indeterminate, Depth::empty()));
    drop(error);
    assert_eq!(queue.queue().counts().unsettled_drops, 1);
}

#[tokio::test(start_paused = true)]
async fn looking_and_purging_go_wrong_too() {
    let queue = faulty(CallKind::Purge, Fault::Lost);
    publish(&queue, 1).await;
    assert_eq!(queue.purge().await.unwrap_err().kind(), QueueErrorKind::Indeterminate);
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
    let queue = faulty(CallKind::Depth, Fault::throttled(SECOND));
    assert_eq!(queue.depth().await.unwrap_err().retry_after(), Some(SECOND));
}

#[tokio::test(start_paused = true)]
async fn every_call_is_recorded_with_what_happened_to_it() {
    let queue = Faulty::every_nth(MemoryQueue::new(), 2, Fault::Delay(SECOND));
    let start = Instant::now();
    publish(&queue, 3).await;
    publish(&queue, 1).await;
    let mut deliveries = queue.receive(ReceiveOptions::new(4).with_visibility(SECOND * 60)).await.unwrap();
    deliveries[0].extend(SECOND * 90).await.unwrap();
    let settler = Arc::clone(deliveries[0].settler());
    settler.delete(deliveries.iter().map(|delivery| delivery.receipt().clone()).collect()).await;
    deliveries.into_iter().for_each(Delivery::forget);
    let calls: Vec<_> = queue.calls().iter().map(|c| (c.kind, c.number, c.entries, c.visibility)).collect();
    let expected = [
        (CallKind::Publish, 0, 3, None),
        (CallKind::Publish, 1, 1, None),
        (CallKind::Receive, 0, 4, Some(SECOND * 60)),
        (CallKind::ChangeVisibility, 0, 1, Some(SECOND * 90)),
        (CallKind::Delete, 0, 4, None),
    ];
    assert_eq!((calls, start.elapsed()), (expected.to_vec(), SECOND));
    assert!(matches!(queue.calls_of(CallKind::Publish)[1].fault, Fault::Delay(SECOND)));
}

#[tokio::test(start_paused = true)]
async fn a_seed_is_a_script() {
    let faults = |seed| {
        let mut script = random::script(seed, 0.5);
        let faults: Vec<_> = (0..1_000).map(|number| script(CallKind::Delete, number)).collect();
        faults
    };
    let text = |seed| format!("{:?}", faults(seed));
    assert_eq!(text(1), text(1));
    assert_ne!(text(1), text(2));
    let fine = faults(3).iter().filter(|fault| matches!(fault, Fault::None)).count();
    assert!((400..600).contains(&fine), "{fine}");
}

#[tokio::test(start_paused = true)]
async fn a_receive_that_fails_at_random_brings_the_first_messages_or_none() {
    for seed in 0..300 {
        let queue = Faulty::random(MemoryQueue::new(), seed, 1.0);
        for number in 0..5 {
            queue.queue().publish_one(Outgoing::new(number.to_string())).await.unwrap();
        }
        let call = std::panic::AssertUnwindSafe(timeout(SECOND * 10, receive(&queue))).catch_unwind();
        let came = call.await.ok().and_then(Result::ok).and_then(Result::ok).map(bodies).unwrap_or_default();
        assert!("01234".starts_with(&came), "{seed}: {came}");
    }
}
