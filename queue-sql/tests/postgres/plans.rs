//! The plans: what statements read, whenever they were prepared.

use queue_core::Outgoing;
use queue_core::Publisher;

use crate::server::{Server, bodies, delete, fill, ordered, receive, send};

/// Plans of the worst kind: made for no values in particular, without the joins that hide a bad one.
const GENERIC: [(&str, &str); 3] =
    [("plan_cache_mode", "force_generic_plan"), ("enable_hashjoin", "off"), ("enable_hashagg", "off")];

/// How many messages and groups were read by going through the whole table.
const SCANNED: &str = "SELECT sum(seq_tup_read)::bigint FROM pg_stat_user_tables
WHERE relname IN ('q_message', 'q_ordered_message', 'q_group')";

/// How many entries of an index were read.
fn read_of(index: &str) -> String {
    format!("SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = '{index}'")
}

// TQ4
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_statement_prepared_while_the_table_was_small_keeps_its_limit_and_scans_nothing() {
    for settings in [&GENERIC[..], &GENERIC[..1]] {
        let server = Server::with(settings).await;
        let queue = server.database().await.queue("jobs").build().await.unwrap();
        fill(&queue, None, 10).await;
        delete(receive(&queue, 10).await).await;
        let id = server.number("SELECT id FROM q_queue").await;
        server
            .run(&format!(
                "INSERT INTO q_message (queue_id, visible_at, sent_at, message_id, body)
             SELECT {id}, now(), now(), gen_random_uuid(), 'x' FROM generate_series(1, 100000)"
            ))
            .await;
        for _ in 0..10 {
            let deliveries = receive(&queue, 10).await;
            assert_eq!(deliveries.len(), 10);
            delete(deliveries).await;
        }
        let server = server.reconnect().await;
        let scanned = server.number(SCANNED).await;
        assert!(scanned < 1_000, "{scanned} rows were scanned");
        server.clean().await;
    }
}

// TQ4, TQ8
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn an_ordered_queue_reads_neither_a_blocked_group_nor_a_long_one_from_end_to_end() {
    let server = Server::with(&GENERIC).await;
    let queue = ordered(&server.database().await).await;
    for group in ["blocked", "long"] {
        send(&queue, group, group).await;
    }
    let [blocked, long] = [receive(&queue, 1).await, receive(&queue, 1).await];
    assert_eq!((bodies(&blocked), bodies(&long)), (vec!["blocked"], vec!["long"]));
    let id = server.number("SELECT id FROM q_queue").await;
    server
        .run(&format!(
            "INSERT INTO q_ordered_message (queue_id, group_id, visible_at, sent_at, message_id, body)
         SELECT {id}, g, now(), now(), gen_random_uuid(), 'x' FROM generate_series(1, 50000),
         unnest(ARRAY['blocked', 'long']) AS g"
        ))
        .await;
    delete(long).await;
    for _ in 0..10 {
        let deliveries = receive(&queue, 10).await;
        assert_eq!(deliveries.len(), 10);
        delete(deliveries).await;
        send(&queue, "other", &uuid::Uuid::new_v4().to_string()).await;
    }
    let server = server.reconnect().await;
    let scanned = server.number(SCANNED).await;
    assert!(scanned < 1_000, "{scanned} rows were scanned");
    let read = server.number(&read_of("q_ordered_message_pkey")).await;
    assert!(read < 50_000, "{read} entries were read, of 100,000 in each of ten rounds");
    server.clean().await;
}

// TQ5, B23
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn an_empty_receive_reads_nothing_of_what_is_in_flight_or_past_its_retention() {
    let server = Server::with(&GENERIC).await;
    let queue = server.database().await.queue("jobs").build().await.unwrap();
    fill(&queue, None, 1).await;
    delete(receive(&queue, 1).await).await;
    let id = server.number("SELECT id FROM q_queue").await;
    server
        .run(&format!(
            "INSERT INTO q_message (queue_id, visible_at, sent_at, message_id, receipt, body)
         SELECT {id}, now() + interval '1 hour', now(), gen_random_uuid(), gen_random_uuid(), 'x'
         FROM generate_series(1, 100000)"
        ))
        .await;
    for _ in 0..10 {
        assert!(receive(&queue, 10).await.is_empty());
    }
    let server = server.reconnect().await;
    let read = server.number(&read_of("q_message_ready")).await;
    assert!(read < 100, "{read} entries were read");
    let scanned = server.number(SCANNED).await;
    assert!(scanned < 1_000, "{scanned} rows were scanned");
    server.clean().await;
}

// Q10, P87
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_table_of_messages_past_their_retention_is_swept_in_steps_and_stands_in_nobodys_way() {
    let server = Server::new().await;
    let queue = server.database().await.queue("jobs").build().await.unwrap();
    let id = server.number("SELECT id FROM q_queue").await;
    server
        .run(&format!(
            "INSERT INTO q_message (queue_id, visible_at, sent_at, message_id, body)
         SELECT {id}, at, at, gen_random_uuid(), 'old'
         FROM generate_series(1, 1200), (SELECT now() - interval '5 days' AS at) AS t"
        ))
        .await;
    queue.publish(vec![Outgoing::new("new")]).await.pop().unwrap().unwrap();
    assert_eq!(bodies(&receive(&queue, 10).await), ["new"]);
    while server.number("SELECT count(*) FROM q_message").await > 1 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(queue.counts().expired, 1200);
    server.clean().await;
}
