//! Groups: which locks a receive takes, and when a group is ready again.

use futures::future::join_all;

use crate::server::{Server, bodies, delete, fill, ordered, receive, send};

// Q8, TQ7
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn receives_at_once_lock_no_more_groups_than_they_take_from() {
    let server = Server::new().await;
    let queue = ordered(&server.database().await).await;
    for group in 0..10 {
        fill(&queue, Some(&group.to_string()), 10).await;
    }
    let received = join_all((0..10).map(|_| receive(&queue, 10))).await;
    for deliveries in received {
        let groups: Vec<_> =
            deliveries.iter().map(|delivery| delivery.message().group_key().unwrap()).collect();
        assert_eq!(groups, vec![groups[0]; 10]);
    }
    server.clean().await;
}

// Q8
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_receive_skips_a_group_that_somebody_has_locked_and_does_not_wait_for_it() {
    let server = Server::new().await;
    let queue = ordered(&server.database().await).await;
    for group in ["a", "b"] {
        send(&queue, group, group).await;
    }
    let mut transaction = server.pool.begin().await.unwrap();
    let lock = format!("SELECT FROM {}group WHERE group_id = 'a' FOR UPDATE", server.prefix);
    sqlx::raw_sql(sqlx::AssertSqlSafe(lock)).execute(&mut *transaction).await.unwrap();
    assert_eq!(bodies(&receive(&queue, 10).await), ["b"]);
    transaction.rollback().await.unwrap();
    assert_eq!(bodies(&receive(&queue, 10).await), ["a"]);
    server.clean().await;
}

// Q8
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_group_whose_messages_are_settled_by_many_at_once_is_ready_when_the_last_one_is() {
    let server = Server::new().await;
    let queue = ordered(&server.database().await).await;
    for round in 0..20 {
        let group = format!("group{round}");
        fill(&queue, Some(&group), 11).await;
        let deliveries = receive(&queue, 10).await;
        assert_eq!(deliveries.len(), 10);
        join_all(deliveries.into_iter().map(|delivery| delete(vec![delivery]))).await;
        let last = receive(&queue, 10).await;
        assert_eq!(bodies(&last), [format!("{group} 10")]);
        delete(last).await;
    }
    server.clean().await;
}

// Q8
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_long_group_goes_to_the_end_of_the_line_when_it_is_ready_again() {
    let server = Server::new().await;
    let queue = ordered(&server.database().await).await;
    fill(&queue, Some("long"), 30).await;
    send(&queue, "short", "short").await;
    delete(receive(&queue, 2).await).await;
    let next = receive(&queue, 10).await;
    assert_eq!(bodies(&next)[..2], ["short", "long 2"]);
    server.clean().await;
}

// Q9
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_duplicate_to_a_group_without_messages_leaves_nothing_that_looks_ready() {
    let server = Server::new().await;
    let database = server.database().await;
    let queue = ordered(&database).await;
    send(&queue, "a", "once").await;
    delete(receive(&queue, 1).await).await;
    send(&queue, "a", "once").await;
    send(&queue, "b", "next").await;
    assert_eq!(bodies(&receive(&queue, 1).await), ["next"]);
    let ready = "SELECT count(*) FROM q_group WHERE ready_at <= now()";
    assert_eq!(server.number(ready).await, 0);
    server.clean().await;
}
