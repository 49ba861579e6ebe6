//! W6 and the timeouts in force: what the handler sets, what the queue says, and who makes calls for a message when.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use queue_core::{Coalesced, Consumer, Context, Message, Metered, QueueError, ReceiveOptions, Verdict};
use tokio::time::sleep;
use worker::{Receiver, ReceiverBuilder, handler};

use crate::renewal::take_100_seconds;
use crate::support::{CallKind, Fault, Faulty, Seen, publish, queue, seconds};

// W6
#[tokio::test(start_paused = true)]
async fn a_visibility_that_the_handler_sets_is_not_overwritten_by_a_late_renewal() {
    let main = queue(10);
    // The renewal at 5 s takes 2 s; the handler's own change at 6 s has to come after it.
    let slow = |call, number| match (call, number) {
        (CallKind::ChangeVisibility, 0) => Fault::Delay(seconds(2)),
        _ => Fault::None,
    };
    let flaky = Faulty::new(main.clone(), slow);
    publish(&main, 1).await;
    let sets = async |_: Message, context: Context| {
        sleep(seconds(6)).await;
        context.set_visibility(seconds(1_000)).await.unwrap();
        assert!(context.remaining() > seconds(990));
        std::future::pending::<()>().await;
    };
    let running = Receiver::builder(flaky.clone()).handler(sets).start();
    sleep(seconds(400)).await;
    assert_eq!(
        flaky.calls_of(CallKind::ChangeVisibility).len(),
        2,
        "no other renewal until half of it is over"
    );
    drop(running);
    let nothing = main.receive(ReceiveOptions::new(1).with_wait(Duration::ZERO)).await.unwrap();
    assert!(nothing.is_empty());
}

// W6
#[tokio::test(start_paused = true)]
async fn a_handler_can_neither_show_its_message_early_nor_extend_a_lost_one() {
    let main = queue(10);
    let flaky = Faulty::new(main.clone(), |call, number| match (call, number) {
        (CallKind::ChangeVisibility, 0) => Fault::Error(QueueError::lost("gone")),
        _ => Fault::None,
    });
    publish(&main, 1).await;
    let sets = async |_: Message, context: Context| {
        let zero = context.set_visibility(Duration::ZERO).await.unwrap_err();
        assert_eq!(zero.kind(), queue_core::QueueErrorKind::Permanent);
        context.cancelled().cancelled().await;
        let lost = context.set_visibility(seconds(5)).await.unwrap_err();
        assert_eq!(lost.kind(), queue_core::QueueErrorKind::Lost);
        Verdict::Done
    };
    let running = Receiver::builder(flaky).handler(sets).start();
    sleep(seconds(6)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.lost, account.panicked), (1, 0));
}

// W6, P11
#[tokio::test(start_paused = true)]
async fn renewal_ends_before_the_settle_call_is_sent() {
    let main = queue(10);
    let slow =
        |call, _| if call == CallKind::ChangeVisibility { Fault::Delay(seconds(2)) } else { Fault::None };
    let flaky = Faulty::new(main.clone(), slow);
    publish(&main, 1).await;
    let six = async |_: Message, _: Context| sleep(seconds(6)).await; // ends while its renewal is under way
    let running = Receiver::builder(flaky.clone()).handler(six).start();
    sleep(seconds(60)).await;
    let (renewed, deleted) = (flaky.calls_of(CallKind::ChangeVisibility), flaky.calls_of(CallKind::Delete));
    assert_eq!((renewed.len(), deleted.len()), (1, 1));
    assert!(deleted[0].at >= renewed[0].at + seconds(2));
    assert_eq!(running.stop(seconds(1)).await.handled, 1);
}

// P5: wrappers around deliveries change nothing about their renewal
#[tokio::test(start_paused = true)]
async fn a_wrapped_delivery_is_renewed_like_a_bare_one() {
    let (main, seen) = (queue(10), Seen::default());
    publish(&main, 10).await;
    let wrapped = Metered::new(Coalesced::new(Metered::new(Faulty::new(main.clone(), |_, _| Fault::None))));
    let running =
        Receiver::builder(wrapped).slots(10).handler(handler(take_100_seconds).with(seen.clone())).start();
    sleep(seconds(101)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((seen.count(), account.handled, account.lost), (10, 10, 0));
}

// P8
#[tokio::test(start_paused = true)]
async fn two_queues_are_renewed_by_their_own_timeouts() {
    let (short, long, seen) = (queue(4), queue(60), Seen::default());
    let flaky = [&short, &long].map(|queue| Faulty::new(queue.clone(), |_, _| Fault::None));
    publish(&short, 1).await;
    publish(&long, 1).await;
    let running = flaky
        .clone()
        .map(|queue| Receiver::builder(queue).handler(handler(take_100_seconds).with(seen.clone())).start());
    sleep(seconds(99)).await;
    assert_eq!(flaky.map(|queue| queue.calls_of(CallKind::ChangeVisibility).len()), [49, 3]);
    drop(running);
}

// P9
#[tokio::test(start_paused = true)]
async fn without_a_setting_the_queue_s_own_timeout_is_used_and_none_is_sent() {
    let main = queue(900);
    for set in [None, Some(seconds(20))] {
        let flaky = Faulty::new(main.clone(), |_, _| Fault::None);
        let builder = Receiver::builder(flaky.clone());
        let builder = set.into_iter().fold(builder, ReceiverBuilder::visibility);
        let running = builder.handler(handler(take_100_seconds).with(Seen::default())).start();
        publish(&main, 1).await;
        sleep(seconds(99)).await;
        assert_eq!(flaky.calls_of(CallKind::Receive)[0].visibility, set);
        assert_eq!(
            flaky.calls_of(CallKind::ChangeVisibility).is_empty(),
            set.is_none(),
            "half of 900 s is not over yet"
        );
        running.stop(seconds(10)).await;
    }
}

// W5, W6: neither the handler's change nor the renewals after it are answered; none of them outlasts its time
#[tokio::test(start_paused = true)]
async fn a_message_whose_time_ends_while_its_handler_s_own_change_hangs_is_lost() {
    let (main, told) = (queue(10), Arc::new(AtomicBool::new(false)));
    let hangs = |call, _| if call == CallKind::ChangeVisibility { Fault::Hang } else { Fault::None };
    publish(&main, 1).await;
    let sets = async |told: Arc<AtomicBool>, _: Message, context: Context| {
        context.set_visibility(seconds(20)).await.unwrap_err();
        context.cancelled().cancelled().await;
        told.store(true, Ordering::Relaxed);
    };
    let running = Receiver::builder(Faulty::new(main, hangs))
        .call_margin(seconds(60))
        .handler(handler(sets).with(Arc::clone(&told)))
        .start();
    sleep(seconds(11)).await;
    assert!(told.load(Ordering::Relaxed));
    assert_eq!(running.stop(Duration::ZERO).await.lost, 1);
}
