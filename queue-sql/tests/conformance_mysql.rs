//! The conformance suite of queues on MariaDB and MySQL.

#![expect(clippy::expect_used, reason = "a factory panics when it can't make a queue")]

use std::hash::{DefaultHasher, Hash, Hasher};

use queue_sql::{MySqlDatabase, SqlQueueBuilder};
use sqlx::mysql::MySqlPoolOptions;
use testkit::{Fixture, Promises, QueuePromise, Setup};

testkit::conformance! {
    mysql: queue(all(Promises::standard()), fresh),
    ordered: ordered_queue(all(Promises::ordered()), fresh),
}

fn all(promises: Promises<QueuePromise>) -> Promises<QueuePromise> {
    let promises = promises.with(QueuePromise::ExactDepth).with(QueuePromise::Purge);
    promises.needs("MariaDB: cargo xtask test")
}

/// All runs share these tables, as long as they are the same: queues have names of their own.
fn prefix() -> String {
    let mut hasher = DefaultHasher::new();
    include_str!("../migrations/mysql/0001_queue.sql").hash(&mut hasher);
    format!("c{:016x}_", hasher.finish())
}

async fn database() -> MySqlDatabase {
    let url = std::env::var("MYSQL_URL").expect("MYSQL_URL names a server");
    let pool = MySqlPoolOptions::new().max_connections(8).connect(&url).await.expect("the server answers");
    let database = MySqlDatabase::builder(pool).prefix(prefix()).build().expect("the prefix is allowed");
    database.migrate().await.expect("the tables are made");
    database
}

async fn fresh(setup: Setup) -> Fixture {
    let database = database().await;
    let of_kind = |builder: SqlQueueBuilder<_>| if setup.ordered { builder.ordered() } else { builder };
    let dead = of_kind(database.queue(format!("dead_{}", setup.name)));
    let dead = dead.build().await.expect("the queue is made");
    let mut queue = of_kind(database.queue(setup.name.as_str()));
    queue = queue.visibility(setup.visibility).retention(setup.retention);
    if setup.content_deduplication {
        queue = queue.content_deduplication();
    }
    if let Some(max) = setup.max_receive_count {
        queue = queue.dead_letter(&dead, max);
    }
    let queue = queue.build().await.expect("the set-up is within the limits");
    Fixture::new(queue.clone()).with_inspect(queue).with_dead_letter(dead)
}
