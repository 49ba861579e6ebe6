//! A consumer that is killed while its receive is on its way.

use std::time::Duration;

use harness::Proxy;
use sqlx::Connection;
use tokio::time::sleep;

use crate::killable::{ADDRESS, Killable, jobs, send, take};

/// Long enough for a receive to be under way.
const UNDER_WAY: Duration = Duration::from_millis(500);

pub(crate) async fn a_consumer_killed_before_its_receive_is_done_takes_nothing<D: Killable>() {
    for ordered in [false, true] {
        let database = D::fresh().await;
        let queue = jobs::<D>(&database.open(), ordered).await;
        send(&queue, "a", 1).await;
        if D::ONE_WRITER {
            kill_behind_a_writer(&database, ordered).await;
        } else {
            kill_behind_a_proxy(&database, ordered).await;
        }
        let got = take(&queue).await;
        assert_eq!(got.len(), 1, "visible at once");
        assert_eq!(got[0].message().receive_count(), 1, "and never received");
        database.remove().await;
    }
}

/// Kills a consumer that waits for another's transaction to end.
async fn kill_behind_a_writer<D: Killable>(database: &D, ordered: bool) {
    let child = database.child("consume", ordered).hold_at("ready").start().unwrap();
    child.wait_until_held().unwrap();
    let mut connection = database.pool().acquire().await.unwrap();
    let writer = connection.begin_with("BEGIN IMMEDIATE").await.unwrap();
    child.go_on();
    sleep(UNDER_WAY).await;
    assert_eq!(child.passes("received"), 0, "it waits");
    child.kill().unwrap();
    writer.rollback().await.unwrap();
}

/// Kills a consumer whose receive did not reach the server.
async fn kill_behind_a_proxy<D: Killable>(database: &D, ordered: bool) {
    let url = database.address();
    let upstream = url[url.rfind('@').unwrap() + 1..].split('/').next().unwrap().parse().unwrap();
    let proxy = Proxy::start(upstream).await.unwrap();
    let child = database.child("consume", ordered).with_env(ADDRESS, proxy.url(&url)).hold_at("ready");
    let child = child.start().unwrap();
    child.wait_until_held().unwrap();
    proxy.stall();
    child.go_on();
    sleep(UNDER_WAY).await;
    assert_eq!(child.passes("received"), 0, "it waits");
    child.kill().unwrap();
    proxy.cut();
}
