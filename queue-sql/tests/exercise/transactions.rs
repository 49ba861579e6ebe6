//! Publishing within the caller's own transaction: the messages share its fate.

use std::time::Duration;

use queue_core::{Consumer, Outgoing, QueueErrorKind, ReceiveOptions, Rejected};
use queue_sql::{SqlQueue, SqlStore as Store};
use sqlx::{Connection, Transaction};
use tokio::time::{sleep, timeout};

use crate::database::Database;
use crate::groups::ordered;
use crate::support::{depth, drain, grouped, message, millis, secs, send, words};

crate::each::on_each_database! {
    #[test] what_was_committed_is_there_and_what_was_rolled_back_is_not;
    #[test] a_savepoint_takes_back_what_came_after_it;
    #[test] before_the_commit_nobody_sees_it_and_after_a_wake_a_receive_has_it;
    // Q8, TQ9
    #[test] the_order_of_a_group_is_that_of_the_commits;
    // Q9
    #[test] a_rolled_back_message_is_not_remembered;
    // Q6, Q11
    #[test] what_breaks_a_limit_leaves_the_transaction_as_it_is;
}

type Queue<D> = SqlQueue<<D as Database>::Store>;

async fn put<S: Store>(queue: &SqlQueue<S>, connection: &mut S::Connection, bodies: &str) {
    let batch = bodies.split(' ').map(|body| message(queue, body)).collect();
    for answer in queue.publish_in(connection, batch).await {
        answer.map_err(Rejected::into_error).unwrap();
    }
}

async fn begin<D: Database>(database: &D) -> Transaction<'static, D::Sqlx> {
    database.pool().begin().await.unwrap()
}

/// A standard queue and an ordered one.
async fn both<D: Database>(database: &D) -> [Queue<D>; 2] {
    [database.open().queue("jobs").build().await.unwrap(), ordered(database).await]
}

async fn what_was_committed_is_there_and_what_was_rolled_back_is_not<D: Database>(database: &D) {
    for queue in both(database).await {
        let mut transaction = begin(database).await;
        put(&queue, &mut *transaction, "a1 a2 b1").await;
        transaction.commit().await.unwrap();
        let mut transaction = begin(database).await;
        put(&queue, &mut *transaction, "a3 c1").await;
        transaction.rollback().await.unwrap();
        send(&queue, "a4").await;
        let mut bodies = drain(&queue).await;
        bodies.sort_unstable();
        assert_eq!(bodies, ["a1", "a2", "a4", "b1"]);
    }
}

async fn a_savepoint_takes_back_what_came_after_it<D: Database>(database: &D) {
    for queue in both(database).await {
        let mut transaction = begin(database).await;
        put(&queue, &mut *transaction, "a1").await;
        let mut savepoint = transaction.begin().await.unwrap();
        put(&queue, &mut *savepoint, "a2 b2").await;
        savepoint.rollback().await.unwrap();
        put(&queue, &mut *transaction, "a3").await;
        transaction.commit().await.unwrap();
        assert_eq!(drain(&queue).await, ["a1", "a3"]);
    }
}

async fn before_the_commit_nobody_sees_it_and_after_a_wake_a_receive_has_it<D: Database>(database: &D) {
    let slow = database.builder().poll_interval(secs(3600)).build().unwrap();
    let queue = slow.queue("jobs").build().await.unwrap();
    let waiting = queue.clone();
    let receive = tokio::task::JoinSet::from_iter([async move {
        waiting.receive(ReceiveOptions::new(1).with_wait(secs(20))).await.unwrap()
    }]);
    sleep(millis(300)).await;
    let mut transaction = begin(database).await;
    put(&queue, &mut *transaction, "a1").await;
    queue.wake();
    sleep(millis(300)).await;
    assert_eq!(receive.len(), 1, "woken too early, it waits on");
    transaction.commit().await.unwrap();
    queue.wake();
    let got = timeout(secs(10), receive.join_all()).await.expect("the wake-up ends its wait").remove(0);
    assert_eq!(words(&got), ["a1"]);
}

async fn the_order_of_a_group_is_that_of_the_commits<D: Database>(database: &D) {
    let queue = ordered(database).await;
    let mut first = begin(database).await;
    put(&queue, &mut *first, "a1").await;
    let racing = queue.clone();
    let mut second = tokio::task::JoinSet::from_iter([async move { send(&racing, "a2").await }]);
    let free = timeout(millis(500), second.join_next()).await;
    assert!(free.is_err(), "another sender to the group waits for the transaction");
    if !D::ONE_WRITER {
        let taken = timeout(secs(5), queue.receive(ReceiveOptions::new(10).with_wait(Duration::ZERO))).await;
        assert!(taken.expect("a receive waits for no sender").unwrap().is_empty());
    }
    put(&queue, &mut *first, "a3").await;
    first.commit().await.unwrap();
    second.join_next().await.unwrap().unwrap();
    assert_eq!(drain(&queue).await, ["a1", "a3", "a2"]);
}

async fn a_rolled_back_message_is_not_remembered<D: Database>(database: &D) {
    let queue = ordered(database).await;
    let mut transaction = begin(database).await;
    put(&queue, &mut *transaction, "a1").await;
    put(&queue, &mut *transaction, "a1").await;
    transaction.rollback().await.unwrap();
    send(&queue, "a1").await;
    assert_eq!(drain(&queue).await, ["a1"]);
}

async fn what_breaks_a_limit_leaves_the_transaction_as_it_is<D: Database>(database: &D) {
    let queue = ordered(database).await;
    let mut transaction = begin(database).await;
    let batch =
        vec![grouped("a1"), Outgoing::new("no group"), grouped("a2").with_delay(secs(1)), grouped("a3")];
    let answers = queue.publish_in(&mut *transaction, batch).await;
    let kinds: Vec<_> = answers.iter().map(|answer| answer.as_ref().err().map(Rejected::kind)).collect();
    let refused = Some(QueueErrorKind::Permanent);
    assert_eq!(kinds, [None, refused, refused, None]);
    let nothing = queue.publish_in(&mut *transaction, vec![Outgoing::new("no group")]).await;
    assert!(nothing[0].is_err());
    transaction.commit().await.unwrap();
    assert_eq!(depth(&queue).await.total(), 2);
}
