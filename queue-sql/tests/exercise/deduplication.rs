//! Deduplication: what is sent twice is stored once, also by several handles, and for as long as the window is.

use std::collections::HashSet;

use queue_core::{MessageId, Outgoing, Publisher, PublisherExt, Rejected};
use queue_sql::{SqlQueue, SqlStore as Store};
use tokio::task::JoinSet;

use crate::database::Database;
use crate::groups::ordered;
use crate::support::{depth, drain, send};

crate::each::on_each_database! {
    // Q9, TQ10: eight handles, a hundred ids
    #[test] what_eight_handles_send_at_once_is_stored_once;
    // Q9, P75: batches in opposite orders
    #[test] batches_that_overlap_end_without_a_deadlock;
    // Q9, TQ10
    #[test] after_the_window_a_message_is_a_new_one;
    // Q9
    #[test] two_queues_know_nothing_of_each_others_ids;
    // Q9
    #[test] a_purge_leaves_the_window_as_it_is;
}

fn named(body: &str, id: &str) -> Outgoing {
    Outgoing::new(body).with_group_key("a").with_deduplication_id(id)
}

async fn publish<S: Store>(queue: &SqlQueue<S>, message: Outgoing) -> MessageId {
    queue.publish_one(message).await.map_err(Rejected::into_error).unwrap()
}

async fn what_eight_handles_send_at_once_is_stored_once<D: Database>(database: &D) {
    let mut handles = Vec::new();
    for _handle in 0..8 {
        handles.push(ordered(database).await);
    }
    for round in 0..100 {
        let mut senders = JoinSet::new();
        for (sender, queue) in handles.iter().cloned().enumerate() {
            let message =
                named(&format!("by {sender}"), &format!("x{round}")).with_group_key(format!("g{sender}"));
            senders.spawn(async move { publish(&queue, message).await });
        }
        let ids: HashSet<_> = senders.join_all().await.into_iter().collect();
        assert_eq!(ids.len(), 1, "all hear of the one that is stored: {ids:?}");
    }
    assert_eq!(depth(&handles[0]).await.total(), 100);
}

async fn batches_that_overlap_end_without_a_deadlock<D: Database>(database: &D) {
    let mut senders = JoinSet::new();
    for sender in 0..8 {
        let queue = ordered(database).await;
        senders.spawn(async move {
            for round in 0..30 {
                let one = |at| {
                    let (group, id) = (format!("g{at}"), format!("x{round}-{at}"));
                    Outgoing::new("body").with_group_key(group).with_deduplication_id(id)
                };
                let mut batch: Vec<_> = (0..8).map(one).collect();
                if sender % 2 == 1 {
                    batch.reverse();
                }
                for answer in queue.publish(batch).await {
                    answer.map_err(Rejected::into_error).unwrap();
                }
            }
        });
    }
    while let Some(ended) = senders.join_next().await {
        ended.unwrap();
    }
    assert_eq!(depth(&ordered(database).await).await.total(), 30 * 8);
}

async fn after_the_window_a_message_is_a_new_one<D: Database>(database: &D) {
    let queue = ordered(database).await;
    let first = publish(&queue, named("one", "x")).await;
    assert_eq!(publish(&queue, named("two", "x")).await, first);
    let earlier = D::an_hour_earlier("expires");
    assert_eq!(database.execute(&format!("UPDATE q_deduplication SET {earlier}")).await, 1);
    let second = publish(&queue, named("three", "x")).await;
    assert_ne!(second, first);
    assert_eq!(publish(&queue, named("four", "x")).await, second, "the window has begun anew");
    assert_eq!(drain(&queue).await, ["one", "three"]);
}

async fn two_queues_know_nothing_of_each_others_ids<D: Database>(database: &D) {
    let queue = ordered(database).await;
    let other = database.open().queue("other.fifo").ordered().build().await.unwrap();
    assert_ne!(publish(&queue, named("one", "x")).await, publish(&other, named("one", "x")).await);
    assert_eq!((depth(&queue).await.total(), depth(&other).await.total()), (1, 1));
}

async fn a_purge_leaves_the_window_as_it_is<D: Database>(database: &D) {
    use queue_core::Inspect;
    let queue = ordered(database).await;
    let first = publish(&queue, named("one", "x")).await;
    queue.purge().await.unwrap();
    assert_eq!(publish(&queue, named("one", "x")).await, first);
    assert_eq!(depth(&queue).await.total(), 0);
    send(&queue, "a2").await;
    assert_eq!(drain(&queue).await, ["a2"]);
}
