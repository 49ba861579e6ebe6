//! Delivery: each message to one consumer at a time, until it is deleted, however many consume.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use queue_core::{Outgoing, QueueErrorKind};
use queue_sql::{SqlQueue, SqlStore as Store};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::database::Database;
use crate::support::{
    delete, depth, give_back, millis, secs, send, send_all, take, take_for, take_one, words,
};

crate::each::on_each_database! {
    // Q3, TQ1: 20,000 messages, 16 consumers on 4 handles
    #[test] every_message_comes_once;
    // Q3, Q4, TQ2
    #[test] an_old_receipt_deletes_until_somebody_else_has_the_message;
    // Q4, Q6, TQ6
    #[test] one_stale_receipt_of_ten_is_reported_and_nine_messages_are_deleted;
    // Q6
    #[test] a_receipt_that_is_twice_in_a_batch_is_no_fault;
    // Q3, TQ3
    #[test] a_change_of_visibility_holds_for_its_message_alone;
    // Q3
    #[test] a_visibility_of_zero_delivers_once_a_receive_and_hides_nothing;
    // Q4, Q7, TQ11
    #[test] what_was_received_too_often_stands_in_nobodys_way;
    // Q3
    #[test] messages_come_in_the_order_in_which_they_became_visible;
}

const MESSAGES: usize = 20_000;

/// How often each body came.
type Seen = Arc<Mutex<BTreeMap<String, u32>>>;

async fn every_message_comes_once<D: Database>(database: &D) {
    let publisher = database.open().queue("jobs").build().await.unwrap();
    let (seen, mut tasks) = (Seen::default(), JoinSet::new());
    for sender in 0..4 {
        let queue = publisher.clone();
        let bodies = (sender..MESSAGES).step_by(4).map(|number| Outgoing::new(number.to_string())).collect();
        tasks.spawn(async move { send_all(&queue, bodies).await });
    }
    for _handle in 0..4 {
        let queue = database.open().queue("jobs").build().await.unwrap();
        for _consumer in 0..4 {
            tasks.spawn(consume(queue.clone(), Arc::clone(&seen)));
        }
    }
    tasks.join_all().await;
    let seen = seen.lock().unwrap().clone();
    assert_eq!((seen.len(), seen.values().max()), (MESSAGES, Some(&1)), "each came once");
    assert_eq!(depth(&publisher).await.total(), 0);
}

async fn consume<S: Store>(queue: SqlQueue<S>, seen: Seen) {
    while seen.lock().unwrap().len() < MESSAGES {
        let taken = take(&queue).await;
        if taken.is_empty() {
            sleep(millis(5)).await;
        }
        for body in words(&taken) {
            *seen.lock().unwrap().entry(body.to_owned()).or_default() += 1;
        }
        delete(taken).await;
    }
}

async fn an_old_receipt_deletes_until_somebody_else_has_the_message<D: Database>(database: &D) {
    let queue = database.open().queue("jobs").build().await.unwrap();
    send(&queue, "a").await;
    let mut first = take_for(&queue, 1, secs(1)).await;
    sleep(millis(700)).await;
    assert!(take(&queue).await.is_empty(), "hidden for a second");
    sleep(millis(600)).await;
    let mut second = take_for(&queue, 1, secs(1)).await;
    assert_eq!(second[0].message().receive_count(), 2);
    assert_ne!(second[0].receipt(), first[0].receipt());
    let error = first.remove(0).ack().await.unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Lost, "{error}");
    sleep(millis(1300)).await;
    second.remove(0).ack().await.unwrap();
    assert_eq!(depth(&queue).await.total(), 0);
}

async fn one_stale_receipt_of_ten_is_reported_and_nine_messages_are_deleted<D: Database>(database: &D) {
    let queue = database.open().queue("jobs").build().await.unwrap();
    send(&queue, "a b c d e f g h i j").await;
    let taken = take(&queue).await;
    let (settler, receipt) = (Arc::clone(taken[3].settler()), taken[3].receipt().clone());
    settler.change_visibility(vec![(receipt, Duration::ZERO)]).await.remove(0).unwrap();
    let again = take_one(&queue).await;
    assert_eq!(again.message().body(), "d");
    let receipts = taken.iter().map(|delivery| delivery.receipt().clone()).collect();
    for (at, answer) in settler.delete(receipts).await.into_iter().enumerate() {
        let kind = answer.err().map(|error| error.kind());
        assert_eq!(kind, (at == 3).then_some(QueueErrorKind::Lost), "entry {at}");
    }
    assert_eq!(depth(&queue).await.total(), 1);
    again.ack().await.unwrap();
}

async fn a_receipt_that_is_twice_in_a_batch_is_no_fault<D: Database>(database: &D) {
    for ordered in [false, true] {
        let mut builder = database.open().queue(format!("jobs-{ordered}"));
        if ordered {
            builder = builder.ordered();
        }
        let queue = builder.build().await.unwrap();
        send(&queue, "a b").await;
        let taken = take(&queue).await;
        let receipts = [0, 1, 0].map(|at: usize| taken[at].receipt().clone()).to_vec();
        let answers = taken[0].settler().delete(receipts).await;
        assert!(answers.len() == 3 && answers.iter().all(Result::is_ok), "{answers:?}");
        assert_eq!(depth(&queue).await.total(), 0);
    }
}

async fn a_change_of_visibility_holds_for_its_message_alone<D: Database>(database: &D) {
    let queue = database.open().queue("jobs").build().await.unwrap();
    send(&queue, "a b c").await;
    let taken = take(&queue).await;
    let times = [Duration::ZERO, millis(700), secs(60)];
    let changes = taken.iter().map(|delivery| delivery.receipt().clone()).zip(times).collect();
    let answers = taken[0].settler().change_visibility(changes).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!(words(&take(&queue).await), ["a"]);
    sleep(millis(900)).await;
    assert_eq!(words(&take(&queue).await), ["b"]);
    let late = (taken[1].receipt().clone(), secs(5));
    let error = taken[1].settler().change_visibility(vec![late]).await.remove(0).unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Lost, "{error}");
}

async fn a_visibility_of_zero_delivers_once_a_receive_and_hides_nothing<D: Database>(database: &D) {
    let queue = database.open().queue("jobs").build().await.unwrap();
    send(&queue, "a b").await;
    for count in 1..=2 {
        let mut peeked = take_for(&queue, 10, Duration::ZERO).await;
        peeked.sort_by(|one, other| one.message().body().cmp(other.message().body()));
        assert_eq!(words(&peeked), ["a", "b"]);
        assert!(peeked.iter().all(|delivery| delivery.message().receive_count() == count));
    }
}

async fn what_was_received_too_often_stands_in_nobodys_way<D: Database>(database: &D) {
    let handle = database.open();
    let dead = handle.queue("dead").build().await.unwrap();
    let queue = handle.queue("jobs").dead_letter(&dead, 1).build().await.unwrap();
    send_all(&queue, (0..25).map(|number| Outgoing::new(format!("bad-{number}"))).collect()).await;
    let mut failed = Vec::new();
    while failed.len() < 25 {
        failed.extend(take(&queue).await);
    }
    give_back(failed).await;
    sleep(millis(20)).await;
    send(&queue, "good").await;
    assert_eq!(
        words(&take_for(&queue, 1, secs(60)).await),
        ["good"],
        "one receive passes all that is exhausted"
    );
    assert_eq!(queue.counts().dead_lettered, 25);
    assert_eq!((depth(&dead).await.visible, depth(&queue).await.total()), (25, 1));
}

async fn messages_come_in_the_order_in_which_they_became_visible<D: Database>(database: &D) {
    let queue = database.open().queue("jobs").build().await.unwrap();
    send(&queue, "a b c").await;
    let mut taken = take(&queue).await;
    for at in [2, 0, 0] {
        taken.remove(at).release(Duration::ZERO).await.unwrap();
        sleep(millis(5)).await;
    }
    send(&queue, "d").await;
    assert_eq!(words(&take(&queue).await), ["c", "a", "b", "d"]);
}
