//! The server that the tests share, and what each test makes on it.

use std::time::Duration;

use queue_core::{Consumer, Delivery, Outgoing, Publisher, ReceiveOptions};
use queue_sql::{PgDatabase, PgQueue};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, PgPool};

/// Tables of a test's own.
pub(crate) struct Server {
    pub(crate) prefix: String,
    pub(crate) options: PgConnectOptions,
    pub(crate) pool: PgPool,
}

impl Server {
    pub(crate) async fn new() -> Self {
        Self::with(&[]).await
    }

    /// Sets these settings in each session of the pool.
    pub(crate) async fn with(settings: &[(&str, &str)]) -> Self {
        let url = std::env::var("POSTGRES_URL").unwrap();
        let prefix = format!("q{}_", &uuid::Uuid::new_v4().simple().to_string()[..12]);
        let options: PgConnectOptions = url.parse().unwrap();
        let options = options.application_name(&prefix).options(settings.iter().copied());
        let pool = PgPoolOptions::new().max_connections(16).connect_with(options.clone()).await.unwrap();
        Self { prefix, options, pool }
    }

    /// In a database of the test's own, whose statistics are its own too.
    pub(crate) async fn alone(settings: &[(&str, &str)]) -> Self {
        let shared = Self::with(settings).await;
        shared.run(&format!("CREATE DATABASE {}", shared.prefix)).await;
        let options = shared.options.clone().database(&shared.prefix);
        let pool = PgPoolOptions::new().max_connections(16).connect_with(options.clone()).await.unwrap();
        Self { options, pool, ..shared }
    }

    /// Removes the database of the test's own.
    pub(crate) async fn drop_alone(self) {
        self.pool.close().await;
        let shared = Self::new().await;
        let drop = AssertSqlSafe(format!("DROP DATABASE {} WITH (FORCE)", self.prefix));
        sqlx::raw_sql(drop).execute(&shared.pool).await.unwrap();
    }

    /// A database on the server, with its tables.
    pub(crate) async fn database(&self) -> PgDatabase {
        let database = PgDatabase::builder(self.pool.clone()).prefix(self.prefix.as_str()).build().unwrap();
        database.migrate().await.unwrap();
        database
    }

    fn with_prefix(&self, sql: &str) -> String {
        let places = [' ', '\'', '('].map(|before| format!("{before}q_"));
        places
            .iter()
            .fold(sql.to_owned(), |sql, place| sql.replace(place, &format!("{}{}", &place[..1], self.prefix)))
    }

    /// Runs SQL with `q_` in the place of the prefix, and answers the number in its first row and column.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let sql = self.with_prefix(sql);
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&self.pool).await.unwrap()
    }

    /// Runs SQL with `q_` in the place of the prefix.
    pub(crate) async fn run(&self, sql: &str) {
        let sql = self.with_prefix(sql);
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&self.pool).await.unwrap();
    }

    /// Ends all sessions, so that they report what they counted, and begins anew.
    pub(crate) async fn reconnect(self) -> Self {
        self.pool.close().await;
        let options = self.options.clone().application_name("reader");
        let pool = PgPoolOptions::new().max_connections(2).connect_with(options).await.unwrap();
        let server = Self { pool, ..self };
        let sessions = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'q_'";
        while server.number(sessions).await > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        server
    }

    /// Removes the tables.
    pub(crate) async fn clean(self) {
        for table in ["message", "ordered_message", "group", "deduplication", "attempt", "queue", "migration"]
        {
            self.run(&format!("DROP TABLE IF EXISTS q_{table}")).await;
        }
        self.pool.close().await;
    }
}

/// An ordered queue that deduplicates by content.
pub(crate) async fn ordered(database: &PgDatabase) -> PgQueue {
    database.queue("ordered").ordered().content_deduplication().build().await.unwrap()
}

/// Publishes a message to a group.
pub(crate) async fn send(queue: &PgQueue, group: &str, body: &str) {
    let message = Outgoing::new(body).with_group_key(group);
    queue.publish(vec![message]).await.pop().unwrap().unwrap();
}

/// Publishes bodies, in batches of ten, to a group if there is one.
pub(crate) async fn fill(queue: &PgQueue, group: Option<&str>, count: usize) {
    let message = |number: usize| {
        let message = Outgoing::new(format!("{} {number}", group.unwrap_or("m")));
        group.map_or(message.clone(), |group| message.with_group_key(group))
    };
    for first in (0..count).step_by(10) {
        for answer in queue.publish((first..count.min(first + 10)).map(message).collect()).await {
            answer.unwrap();
        }
    }
}

/// A receive of up to so many that does not wait.
pub(crate) fn now(most: usize) -> ReceiveOptions {
    ReceiveOptions::new(most).with_wait(Duration::ZERO)
}

/// Receives without waiting.
pub(crate) async fn receive(queue: &PgQueue, most: usize) -> Vec<Delivery> {
    queue.receive(now(most)).await.unwrap()
}

/// The bodies, in order.
pub(crate) fn bodies(deliveries: &[Delivery]) -> Vec<&str> {
    deliveries.iter().map(|delivery| delivery.message().body()).collect()
}

/// Acknowledges all, in one call.
pub(crate) async fn delete(deliveries: Vec<Delivery>) {
    let Some(first) = deliveries.first() else { return };
    let settler = std::sync::Arc::clone(first.settler());
    let receipts = deliveries.iter().map(|delivery| delivery.receipt().clone()).collect();
    for answer in settler.delete(receipts).await {
        answer.unwrap();
    }
    deliveries.into_iter().for_each(Delivery::forget);
}
