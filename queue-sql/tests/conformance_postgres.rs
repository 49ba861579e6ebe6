//! The conformance suite of queues on PostgreSQL.

#![expect(clippy::expect_used, reason = "a factory panics when it can't make a queue")]

use std::hash::{DefaultHasher, Hash, Hasher};

use queue_sql::{PgDatabase, SqlQueueBuilder};
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use testkit::{Fixture, Promises, QueuePromise, Setup};

testkit::conformance! {
    postgres: queue(promises(), fresh),
    ordered: ordered_queue(ordered_promises(), fresh),
    postgres_unprepared: queue(promises().without(QueuePromise::Retention), unprepared),
    ordered_unprepared: ordered_queue(ordered_promises().without(QueuePromise::Retention), unprepared),
}

fn promises() -> Promises<QueuePromise> {
    all(Promises::standard())
}

fn ordered_promises() -> Promises<QueuePromise> {
    all(Promises::ordered())
}

fn all(promises: Promises<QueuePromise>) -> Promises<QueuePromise> {
    let promises = promises.with(QueuePromise::ExactDepth).with(QueuePromise::Purge);
    promises.needs("PostgreSQL: cargo xtask test")
}

async fn pool() -> PgPool {
    let url = std::env::var("POSTGRES_URL").expect("POSTGRES_URL names a server");
    PgPoolOptions::new().max_connections(8).connect(&url).await.expect("the server answers")
}

/// All runs share these tables, as long as they are the same: queues have names of their own.
fn prefix() -> String {
    let mut hasher = DefaultHasher::new();
    include_str!("../migrations/postgres/0001_queue.sql").hash(&mut hasher);
    format!("c{:016x}_", hasher.finish())
}

async fn fresh(setup: Setup) -> Fixture {
    let database = PgDatabase::builder(pool().await).prefix(prefix()).build();
    queue(database.expect("the prefix is allowed"), setup).await
}

async fn unprepared(setup: Setup) -> Fixture {
    let database = PgDatabase::builder(pool().await).prefix(prefix()).without_prepared_statements().build();
    queue(database.expect("the prefix is allowed"), setup).await
}

async fn queue(database: PgDatabase, setup: Setup) -> Fixture {
    database.migrate().await.expect("the tables are made");
    let of_kind = |builder: SqlQueueBuilder<_>| if setup.ordered { builder.ordered() } else { builder };
    let dead = of_kind(database.queue(dead_name(&setup))).build().await.expect("the queue is made");
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

fn dead_name(setup: &Setup) -> String {
    format!("dead_{}", setup.name)
}
