//! Neighbours: queues of one schema, and schemas of one database, which have nothing to do with each other.

use queue_core::{Consumer, Inspect, QueueErrorKind, ReceiveOptions};
use tokio::time::{Instant, timeout};

use crate::database::Database;
use crate::support::{depth, secs, send, take, take_one, words};

crate::each::on_each_database! {
    // Q4
    #[test] queues_of_one_schema_do_not_see_each_others_messages;
    // Q4
    #[test] a_receipt_of_another_queue_or_of_another_schema_is_refused;
    // Q5
    #[test] a_receive_that_waits_sees_what_another_handle_publishes;
    // Q5
    #[test] a_receive_that_waits_sees_what_becomes_visible_by_time;
    // Q5, Q8
    #[test] a_receive_that_waits_sees_a_group_that_another_handle_frees;
    // Q1
    #[test] two_prefixes_are_two_worlds;
}

async fn queues_of_one_schema_do_not_see_each_others_messages<D: Database>(database: &D) {
    let handle = database.open();
    let mut queues = Vec::new();
    for number in 0..20 {
        let builder = handle.queue(format!("queue-{number}"));
        let builder = if number % 2 == 0 { builder } else { builder.ordered() };
        queues.push(builder.build().await.unwrap());
    }
    for (number, queue) in queues.iter().enumerate() {
        send(queue, &format!("a{number} b{number}")).await;
    }
    queues[0].purge().await.unwrap();
    assert_eq!(depth(&queues[0]).await.total(), 0);
    for (number, queue) in queues.iter().enumerate().skip(1) {
        assert_eq!(words(&take(queue).await), [format!("a{number}"), format!("b{number}")]);
    }
}

async fn a_receipt_of_another_queue_or_of_another_schema_is_refused<D: Database>(database: &D) {
    let schema = D::fresh().await;
    let here = database.open().queue("jobs").build().await.unwrap();
    let beside = database.open().queue("others").build().await.unwrap();
    let there = schema.open().queue("jobs").build().await.unwrap();
    for queue in [&here, &beside, &there] {
        send(queue, "a").await;
    }
    let held = take_one(&here).await;
    for other in [&beside, &there] {
        let theirs = take_one(other).await;
        let error = theirs.settler().delete(vec![held.receipt().clone()]).await.remove(0).unwrap_err();
        assert_eq!(error.kind(), QueueErrorKind::Permanent, "{error}");
        let change = vec![(held.receipt().clone(), secs(0))];
        let error = theirs.settler().change_visibility(change).await.remove(0).unwrap_err();
        assert_eq!(error.kind(), QueueErrorKind::Permanent, "{error}");
        assert_eq!(depth(other).await.in_flight, 1);
    }
    held.ack().await.unwrap();
    schema.remove().await;
}

async fn a_receive_that_waits_sees_what_another_handle_publishes<D: Database>(database: &D) {
    let [one, other] = [database.open(), database.open()];
    let receiver = one.queue("jobs").build().await.unwrap();
    let sender = other.queue("jobs").build().await.unwrap();
    for round in 0..5 {
        let publish = async {
            tokio::time::sleep(crate::support::millis(300)).await;
            send(&sender, &format!("a{round}")).await;
            Instant::now()
        };
        let receive = async {
            let got = receiver.receive(ReceiveOptions::new(1).with_wait(secs(20))).await.unwrap();
            (got, Instant::now())
        };
        let (sent, (mut got, came)) = tokio::join!(publish, receive);
        assert_eq!(words(&got), [format!("a{round}")]);
        let late = came.saturating_duration_since(sent);
        assert!(late < secs(5), "not at the end of the wait: {late:?}");
        got.remove(0).ack().await.unwrap();
    }
}

async fn a_receive_that_waits_sees_what_becomes_visible_by_time<D: Database>(database: &D) {
    // The next look would be too late: the time has to be known.
    let patient = database.builder().poll_interval(secs(3_600)).build().unwrap();
    let queue = patient.queue("jobs").build().await.unwrap();
    send(&queue, "a").await;
    let held = take_one(&queue).await;
    held.release(secs(1)).await.unwrap();
    let receive = queue.receive(ReceiveOptions::new(1).with_wait(secs(20)));
    let got = timeout(secs(10), receive).await.expect("it comes after a second").unwrap();
    assert_eq!(words(&got), ["a"]);
}

async fn a_receive_that_waits_sees_a_group_that_another_handle_frees<D: Database>(database: &D) {
    let [one, other] = [database.open(), database.open()];
    let receiver = one.queue("jobs.fifo").ordered().build().await.unwrap();
    let worker = other.queue("jobs.fifo").ordered().build().await.unwrap();
    send(&worker, "a1").await;
    let head = take_one(&worker).await;
    send(&worker, "a2").await;
    let free = async {
        tokio::time::sleep(crate::support::millis(300)).await;
        head.ack().await.unwrap();
    };
    let receive = timeout(secs(10), receiver.receive(ReceiveOptions::new(1).with_wait(secs(20))));
    let (got, ()) = tokio::join!(receive, free);
    assert_eq!(words(&got.expect("it is woken by a look").unwrap()), ["a2"]);
}

async fn two_prefixes_are_two_worlds<D: Database>(database: &D) {
    let other = D::fresh().await;
    let [here, there] = [
        database.open().queue("jobs").build().await.unwrap(),
        other.open().queue("jobs").build().await.unwrap(),
    ];
    send(&here, "a b").await;
    assert_eq!((depth(&here).await.total(), depth(&there).await.total()), (2, 0));
    other.remove().await;
    assert_eq!(words(&take(&here).await), ["a", "b"]);
}
