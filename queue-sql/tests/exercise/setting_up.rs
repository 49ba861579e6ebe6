//! Setting up: tables made by several at once, queues opened with other settings, and what is said about it.

use queue_core::{Consumer, Inspect, Publisher, QueueError, QueueErrorKind};
use queue_sql::SqlQueue;
use tokio::task::JoinSet;

use crate::database::{Database, TABLES};
use crate::support::{depth, secs, send, take};

crate::each::on_each_database! {
    // "Any number of processes may do it at once, any number of times."
    #[test] ten_that_migrate_at_once_make_the_tables_once;
    // Q1
    #[test] ten_that_open_a_queue_at_once_have_the_same_one;
    // Q1
    #[test] other_settings_are_a_conflict_that_names_both;
    // Q1
    #[test] settings_are_changed_when_that_is_said;
    // Q7
    #[test] a_dead_letter_queue_of_the_other_kind_is_refused;
    // Q1
    #[test] without_tables_a_call_says_what_to_do;
}

/// That it was refused for good, with all these words.
fn refused<T>(answer: Result<T, QueueError>, words: &[&str]) {
    let error = answer.err().expect("it is refused");
    assert_eq!(error.kind(), QueueErrorKind::Permanent, "{error}");
    for word in words {
        assert!(error.to_string().contains(word), "{word:?} is not in {error}");
    }
}

async fn ten_that_migrate_at_once_make_the_tables_once<D: Database>(_database: &D) {
    let database = D::empty().await;
    let mut processes = JoinSet::new();
    for _process in 0..10 {
        let handle = database.open();
        processes.spawn(async move { handle.migrate().await });
    }
    for outcome in processes.join_all().await {
        outcome.unwrap();
    }
    database.open().migrate().await.unwrap();
    for table in TABLES {
        let rows = database.number(&format!("SELECT count(*) FROM {table}")).await;
        assert_eq!(rows > 0, table == "q_migration", "{table} has {rows} rows");
    }
    let versions = database.number("SELECT count(DISTINCT version) FROM q_migration").await;
    assert_eq!(versions, database.number("SELECT count(*) FROM q_migration").await);
    send(&database.open().queue("jobs").build().await.unwrap(), "a").await;
    database.remove().await;
}

async fn ten_that_open_a_queue_at_once_have_the_same_one<D: Database>(database: &D) {
    let mut processes = JoinSet::new();
    for _process in 0..10 {
        let builder = database.open().queue("jobs").visibility(secs(7));
        processes.spawn(async move { builder.build().await.unwrap() });
    }
    let queues = processes.join_all().await;
    for queue in &queues {
        send(queue, "a").await;
    }
    assert_eq!(depth(&queues[0]).await.total(), 10);
    let taken = take(&queues[0]).await;
    let receipts = taken.iter().map(|delivery| delivery.receipt().clone()).collect();
    let foreign = take(&queues[1]).await;
    assert!(foreign.is_empty());
    for answer in taken[0].settler().delete(receipts).await {
        answer.unwrap();
    }
    assert_eq!(database.number("SELECT count(*) FROM q_queue").await, 1);
}

async fn other_settings_are_a_conflict_that_names_both<D: Database>(database: &D) {
    let handle = database.open();
    let [dead, other] =
        [handle.queue("dead").build().await.unwrap(), handle.queue("other").build().await.unwrap()];
    let builder = || handle.queue("jobs");
    builder().visibility(secs(5)).retention(secs(90)).dead_letter(&dead, 3).build().await.unwrap();
    refused(
        builder().visibility(secs(7)).build().await,
        &["\"jobs\"", "visibility", "5s", "7s", "overwrite"],
    );
    refused(builder().retention(secs(60)).build().await, &["retention", "90s", "60s"]);
    refused(builder().delay(secs(1)).build().await, &["delay", "0ns", "1s"]);
    refused(builder().ordered().build().await, &["ordered", "false", "true"]);
    refused(builder().dead_letter(&dead, 4).build().await, &["dead-letter", "3", "4"]);
    refused(builder().dead_letter(&other, 3).build().await, &["dead-letter"]);
    let same = builder().visibility(secs(5)).dead_letter(&dead, 3).build().await.unwrap();
    assert_eq!(same.receive_limits().visibility, secs(5));
    let unsaid = builder().build().await.unwrap();
    assert_eq!(unsaid.receive_limits().visibility, secs(5), "what is not said is left as it is");
}

async fn settings_are_changed_when_that_is_said<D: Database>(database: &D) {
    let handle = database.open();
    let dead = handle.queue("dead").build().await.unwrap();
    handle.queue("jobs").visibility(secs(5)).build().await.unwrap();
    let changed = handle.queue("jobs").visibility(secs(7)).dead_letter(&dead, 2).overwrite();
    assert_eq!(changed.build().await.unwrap().receive_limits().visibility, secs(7));
    let queue: SqlQueue<D::Store> = database.open().queue("jobs").build().await.unwrap();
    assert_eq!(queue.receive_limits().visibility, secs(7), "it is stored");
    database.open().queue("jobs").dead_letter(&dead, 2).build().await.unwrap();
    refused(handle.queue("jobs").ordered().overwrite().build().await, &["orders by", "can't be changed"]);
    assert!(!queue.limits().ordered);
}

async fn a_dead_letter_queue_of_the_other_kind_is_refused<D: Database>(database: &D) {
    let handle = database.open();
    let standard = handle.queue("standard").build().await.unwrap();
    let ordered = handle.queue("ordered").ordered().build().await.unwrap();
    refused(handle.queue("a").dead_letter(&ordered, 3).build().await, &["\"ordered\"", "standard"]);
    refused(
        handle.queue("b").ordered().dead_letter(&standard, 3).build().await,
        &["\"standard\"", "ordered"],
    );
    refused(handle.queue("standard").dead_letter(&standard, 3).overwrite().build().await, &["its own"]);
    refused(handle.queue("c").content_deduplication().build().await, &["ordered"]);
    refused(handle.queue("d").dead_letter(&standard, 0).build().await, &["receive count", "0"]);
    refused(handle.queue("e/f").build().await, &["\"e/f\""]);
    assert_eq!(database.number("SELECT count(*) FROM q_queue").await, 2, "what was refused was not made");
}

async fn without_tables_a_call_says_what_to_do<D: Database>(database: &D) {
    let queue = database.open().queue("jobs").build().await.unwrap();
    let empty = D::empty().await;
    refused(empty.open().queue("jobs").build().await, &["migrate"]);
    empty.remove().await;
    for table in TABLES {
        database.execute(&format!("DROP TABLE {table}")).await;
    }
    refused(queue.depth().await, &["migrate"]);
    let message = queue_core::Outgoing::new("a");
    let rejected = queue.publish(vec![message.clone()]).await.remove(0).unwrap_err();
    assert_eq!((rejected.kind(), rejected.message()), (QueueErrorKind::Permanent, &message));
}
