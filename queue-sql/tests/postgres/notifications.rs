//! Notifications: messages of other processes at once, and what happens when the connection breaks.

use std::time::Duration;

use futures::future::join_all;
use queue_core::{Consumer, ReceiveOptions};
use queue_sql::{PgDatabase, PgQueue};
use sqlx::postgres::PgListener;
use tokio::time::{Instant, sleep, timeout};

use crate::server::{Server, bodies, fill};

/// A handle of the database, as another process has one.
async fn process(server: &Server, poll_interval: Duration) -> PgQueue {
    let database = PgDatabase::builder(server.pool.clone()).prefix(server.prefix.as_str());
    let database =
        database.notifications(server.options.clone()).poll_interval(poll_interval).build().unwrap();
    database.migrate().await.unwrap();
    database.queue("jobs").build().await.unwrap()
}

/// The sessions that listen to this test's channel.
const LISTENERS: &str =
    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'q_' AND query LIKE 'LISTEN%'";

async fn wait_for_listeners(server: &Server, count: i64) {
    while server.number(LISTENERS).await != count {
        sleep(Duration::from_millis(10)).await;
    }
}

// P101
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_message_of_another_process_comes_at_once() {
    let server = Server::new().await;
    let [here, there] =
        [process(&server, Duration::from_secs(10)).await, process(&server, Duration::from_secs(10)).await];
    let receiving = here.receive(ReceiveOptions::new(1));
    let publishing = async {
        wait_for_listeners(&server, 1).await;
        sleep(Duration::from_millis(100)).await; // the receive looks once when the listener begins
        fill(&there, None, 1).await;
        Instant::now()
    };
    let (received, published) = tokio::join!(receiving, publishing);
    let took = published.elapsed();
    assert_eq!(bodies(&received.unwrap()), ["m 0"]);
    assert!(took < Duration::from_secs(5), "{took:?}: the next look would have been later");
    drop((here, there));
    wait_for_listeners(&server, 0).await;
    server.clean().await;
}

// P101
#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn without_the_listener_the_message_comes_at_the_next_look_and_the_listener_comes_back() {
    let server = Server::new().await;
    let [here, there] =
        [process(&server, Duration::from_secs(1)).await, process(&server, Duration::from_secs(1)).await];
    let receiving = here.receive(ReceiveOptions::new(1));
    let killing = async {
        wait_for_listeners(&server, 1).await;
        let kill = LISTENERS.replace("count(*)", "count(pg_terminate_backend(pid))");
        assert_eq!(server.number(&kill).await, 1);
        fill(&there, None, 1).await;
    };
    let (received, ()) =
        timeout(Duration::from_secs(5), async { tokio::join!(receiving, killing) }).await.unwrap();
    assert_eq!(bodies(&received.unwrap()), ["m 0"]);
    timeout(Duration::from_secs(5), wait_for_listeners(&server, 1)).await.unwrap();
    drop((here, there));
    server.clean().await;
}

// P101
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn many_publishers_notify_at_most_every_twenty_milliseconds() {
    let server = Server::new().await;
    let queue = process(&server, Duration::from_secs(1)).await;
    let mut listener = PgListener::connect_with(&server.pool).await.unwrap();
    listener.listen(&format!("{}queue", server.prefix)).await.unwrap();
    let started = Instant::now();
    join_all((0..64).map(|_| async {
        for _ in 0..5 {
            fill(&queue, None, 1).await;
        }
    }))
    .await;
    sleep(Duration::from_millis(100)).await;
    let most = started.elapsed().as_millis() / 20 + 2;
    let mut heard = 0;
    while let Ok(told) = timeout(Duration::from_millis(200), listener.recv()).await {
        assert!(!told.unwrap().payload().is_empty());
        heard += 1;
    }
    assert!((1..=most).contains(&heard), "{heard} notifications, {most} allowed");
    drop((queue, listener));
    server.clean().await;
}
