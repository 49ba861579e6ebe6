//! W1 to W3, W14: what becomes of a message by its handler's verdict.

use std::time::Duration;

use queue_core::{
    Consumer, Context, Depth, Inspect, MemoryQueue, Message, Outgoing, PublisherExt, ReceiveOptions, Verdict,
};
use tokio::time::{Instant, sleep};
use worker::{Backoff, Receiver, handler, json};

use crate::support::{CallKind, Fault, Faulty, Seen, fail, note, publish, queue, seconds};

#[derive(serde::Deserialize)]
struct Visit {
    sid: String,
}

// W1
#[tokio::test(start_paused = true)]
async fn success_deletes_the_message() {
    let (queue, seen) = (queue(30), Seen::default());
    publish(&queue, 25).await;
    let running = Receiver::builder(queue.clone()).slots(4).handler(handler(note).with(seen.clone())).start();
    sleep(seconds(1)).await;
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.received, account.handled, seen.count()), (25, 25, 25));
}

// W1
#[tokio::test(start_paused = true)]
async fn a_discarded_message_is_deleted_after_a_copy_was_put_in_the_dead_letter_queue() {
    let (main, dead) = (queue(30), MemoryQueue::new());
    main.publish_one(Outgoing::new("bad").with_attribute("visit", "7")).await.unwrap();
    let discard = async |_: Message, _: Context| Verdict::discard("no such\u{1B} account");
    let running = Receiver::builder(main.clone()).dead_letter(dead.clone()).handler(discard).start();
    sleep(seconds(1)).await;
    assert_eq!(running.stop(seconds(1)).await.discarded, 1);
    assert_eq!(main.depth().await.unwrap(), Depth::empty());
    let copy = dead.receive(ReceiveOptions::new(1)).await.unwrap().remove(0);
    assert_eq!(copy.message().body(), "bad");
    assert_eq!(copy.message().attributes().text("visit"), Some("7"));
    assert_eq!(copy.message().attributes().text("reason"), Some("no such account"));
    copy.ack().await.unwrap();
}

// W1
#[tokio::test(start_paused = true)]
async fn a_full_message_goes_to_the_dead_letter_queue_without_its_reason() {
    let (main, dead) = (queue(30), MemoryQueue::new());
    let full = (0..10).fold(Outgoing::new("bad"), |m, n| m.with_attribute(format!("a{n}"), "v"));
    main.publish_one(full).await.unwrap();
    let discard = async |_: Message, _: Context| Verdict::discard("no such account");
    let _running = Receiver::builder(main.clone()).dead_letter(dead.clone()).handler(discard).start();
    sleep(seconds(1)).await;
    let copy = dead.receive(ReceiveOptions::new(1)).await.unwrap().remove(0);
    assert_eq!((copy.message().attributes().len(), copy.message().attributes().text("reason")), (10, None));
    copy.ack().await.unwrap();
}

// W1, W2: nothing is lost when the other queue does not answer
#[tokio::test(start_paused = true)]
async fn what_cannot_be_copied_is_kept() {
    for fault in [|| Fault::Error(queue_core::QueueError::permanent("AccessDenied")), || Fault::Hang] {
        let (main, behind) = (queue(30), MemoryQueue::new());
        let dead =
            Faulty::new(behind.clone(), move |_, number| if number < 2 { fault() } else { Fault::None });
        publish(&main, 1).await;
        let discard = async |_: Message, _: Context| Verdict::discard("never");
        let running = Receiver::builder(main.clone()).dead_letter(dead).handler(discard).start();
        sleep(seconds(60)).await;
        let account = running.stop(seconds(1)).await;
        assert_eq!((account.retried, account.discarded, account.orphaned), (2, 1, 0));
        assert_eq!((main.depth().await.unwrap().total(), behind.depth().await.unwrap().visible), (0, 1));
    }
}

// W2, P15
#[tokio::test(start_paused = true)]
async fn a_failing_message_backs_off_by_its_receive_count_and_is_not_sent_again() {
    let dead = MemoryQueue::new();
    let main = MemoryQueue::builder().visibility(seconds(30)).dead_letter(dead.clone(), 8).build().unwrap();
    let (flaky, seen, start) =
        (Faulty::new(main.clone(), |_, _| Fault::None), Seen::default(), Instant::now());
    publish(&flaky, 1).await;
    let running = Receiver::builder(flaky.clone())
        .backoff(Backoff::default().with_jitter(0.0))
        .handler(handler(fail).with(seen.clone()))
        .start();
    sleep(seconds(120)).await;
    let at: Vec<_> = seen.all().iter().map(|(_, count, at)| (*count, (*at - start).as_secs())).collect();
    assert_eq!(at, [(1, 0), (2, 1), (3, 3), (4, 6), (5, 10), (6, 15), (7, 20), (8, 25)]);
    assert_eq!(running.stop(seconds(1)).await.retried, 8);
    assert_eq!(flaky.calls_of(CallKind::Publish).len(), 1, "by visibility, never by a re-send");
    assert_eq!(dead.depth().await.unwrap().visible, 1, "the receive limit moves it away");
}

// W2
#[tokio::test(start_paused = true)]
async fn a_verdict_may_name_its_own_delay() {
    let (main, seen) = (queue(30), Seen::default());
    publish(&main, 1).await;
    let later = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        if seen.count() < 2 { Verdict::retry_after(seconds(600), "later") } else { Verdict::Done }
    };
    let _running = Receiver::builder(main.clone()).handler(handler(later).with(seen.clone())).start();
    sleep(seconds(660)).await;
    let gap = seen.all()[1].2 - seen.all()[0].2;
    assert!((seconds(600)..seconds(601)).contains(&gap), "{gap:?}");
}

// W2: the queue counts its 12 hours from the receive
#[tokio::test(start_paused = true)]
async fn a_delay_as_long_as_the_queue_allows_counts_from_the_receive() {
    let (main, seen) = (queue(30), Seen::default());
    publish(&main, 1).await;
    let later = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        sleep(seconds(1)).await;
        Verdict::retry_after(Duration::from_hours(12), "much later")
    };
    let running = Receiver::builder(main).handler(handler(later).with(seen.clone())).start();
    sleep(Duration::from_hours(11)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((seen.count(), account.retried, account.orphaned), (1, 1, 0));
}

// W2
#[tokio::test(start_paused = true)]
async fn a_failing_message_is_moved_to_the_retry_queue_with_what_belongs_to_it() {
    let (main, retry, seen) = (queue(30), queue(30), Seen::default());
    main.publish_one(Outgoing::new("x").with_attribute("visit", "7").with_group_key("shop")).await.unwrap();
    let running =
        Receiver::builder(main.clone()).retry_queue(retry.clone()).handler(handler(fail).with(seen)).start();
    sleep(seconds(1)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.moved, account.retried, main.depth().await.unwrap().total()), (1, 0, 0));
    let moved = retry.receive(ReceiveOptions::new(1)).await.unwrap().remove(0);
    let message = moved.message();
    assert_eq!(
        (message.body(), message.attributes().text("visit"), message.group_key()),
        ("x", Some("7"), Some("shop"))
    );
    moved.ack().await.unwrap();
}

// W2
#[tokio::test(start_paused = true)]
async fn a_message_without_a_group_can_be_moved_to_an_ordered_queue() {
    let (main, retry) = (queue(30), MemoryQueue::builder().ordered().build().unwrap());
    publish(&main, 3).await;
    let running = Receiver::builder(main.clone())
        .retry_queue(retry.clone())
        .handler(handler(fail).with(Seen::default()))
        .start();
    sleep(seconds(1)).await;
    assert_eq!((running.stop(seconds(1)).await.moved, retry.depth().await.unwrap().visible), (3, 3));
}

// W2: publish, then delete
#[tokio::test(start_paused = true)]
async fn a_move_that_is_cut_in_between_gives_a_duplicate_and_no_loss() {
    let (main, retry) = (queue(30), queue(30));
    let flaky =
        Faulty::new(main.clone(), |call, _| if call == CallKind::Delete { Fault::Hang } else { Fault::None });
    publish(&main, 1).await;
    let running = Receiver::builder(flaky)
        .retry_queue(retry.clone())
        .handler(handler(fail).with(Seen::default()))
        .start();
    sleep(seconds(1)).await;
    assert_eq!((retry.depth().await.unwrap().visible, main.depth().await.unwrap().in_flight), (1, 1));
    drop(running);
}

// W3, P115
#[tokio::test(start_paused = true)]
async fn a_panic_keeps_the_message_and_the_worker_lives_on() {
    let dead = MemoryQueue::new();
    let main = MemoryQueue::builder().dead_letter(dead.clone(), 3).build().unwrap();
    publish(&main, 3).await;
    let panics = async |seen: Seen, message: Message, context: Context| {
        seen.note(&context);
        assert!(message.body() != "1", "it panics on one of three");
    };
    let seen = Seen::default();
    let running =
        Receiver::builder(main.clone()).slots(1).handler(handler(panics).with(seen.clone())).start();
    sleep(seconds(60)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.handled, account.panicked, account.retried), (2, 3, 3));
    assert_eq!((dead.depth().await.unwrap().visible, main.depth().await.unwrap().total()), (1, 0));
}

// W3: what a handler holds may panic when the handler is dropped
#[tokio::test(start_paused = true)]
async fn a_panic_while_a_handler_is_dropped_keeps_the_slot() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("it panics when it is dropped");
        }
    }
    let (main, seen) = (queue(30), Seen::default());
    publish(&main, 3).await;
    let hangs_first = async |seen: Seen, _: Message, context: Context| {
        seen.note(&context);
        if context.receive_count() == 1 {
            let _bomb = Bomb;
            std::future::pending::<()>().await;
        }
    };
    let running = Receiver::builder(main)
        .slots(1)
        .deadline(seconds(1))
        .handler(handler(hangs_first).with(seen.clone()))
        .start();
    sleep(seconds(60)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.handled, account.overran, account.received), (3, 3, 6));
}

// W14, P45
#[tokio::test(start_paused = true)]
async fn a_malformed_body_is_discarded_alone() {
    let (main, dead, seen) = (queue(30), MemoryQueue::new(), Seen::default());
    let (noise, deep) = ("ä\"{[".repeat(200_000), format!("{{\"sid\":{}1", "[".repeat(100_000)));
    let bad = [
        "not json",
        "{}",
        r#"{"sid":7}"#,
        "null",
        "\"\"",
        "<html>502</html>",
        "{\"sid\":\"a\"} x",
        &noise,
        &deep,
    ];
    for body in bad {
        main.publish_one(Outgoing::new(body)).await.unwrap();
    }
    main.publish_json(&serde_json::json!({ "sid": "7f" })).await.unwrap();
    let score = async |seen: Seen, visit: Visit, context: Context| {
        assert_eq!(visit.sid, "7f");
        seen.note(&context);
    };
    let running = Receiver::builder(main.clone())
        .dead_letter(dead.clone())
        .handler(json(score).with(seen.clone()))
        .start();
    sleep(seconds(1)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.discarded, account.handled, account.panicked), (bad.len() as u64, 1, 0));
    assert_eq!((seen.count(), dead.depth().await.unwrap().visible), (1, bad.len() as u64));
}

// W1 to W3 for several at once; Q6
#[tokio::test(start_paused = true)]
async fn a_batch_handler_gets_what_is_there_and_each_message_its_own_verdict() {
    let main = queue(30);
    publish(&main, 10).await;
    let each = async |batch: Vec<(Message, Context)>| {
        assert!(batch.len() <= 4);
        batch.iter().map(|(message, _)| verdict_of(message)).collect::<Vec<_>>()
    };
    let running = Receiver::builder(main.clone())
        .backoff(Backoff::by(|_| seconds(3600)))
        .batch_handler(4, each)
        .start();
    sleep(seconds(1)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.handled, account.discarded, account.retried), (8, 1, 1));
}

fn verdict_of(message: &Message) -> Verdict {
    match message.body() {
        "3" => Verdict::discard("three"),
        "5" => Verdict::retry("five"),
        _ => Verdict::Done,
    }
}

// Q6, W3
#[tokio::test(start_paused = true)]
async fn a_message_that_a_batch_handler_forgets_is_kept() {
    let main = queue(30);
    publish(&main, 6).await;
    let forgets = async |_: Vec<(Message, Context)>| vec![Verdict::Done];
    let running = Receiver::builder(main.clone())
        .backoff(Backoff::by(|_| seconds(3600)))
        .batch_handler(6, forgets)
        .start();
    sleep(Duration::from_millis(500)).await;
    let account = running.stop(seconds(1)).await;
    assert_eq!((account.handled, account.retried), (1, 5));
}
