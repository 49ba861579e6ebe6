//! Tables of a test's own, and the short words of its steps.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{Consumer, Delivery, Outgoing, Publisher, PublisherExt, ReceiveOptions, Rejected};
use queue_sql::{MySqlDatabase, MySqlQueue};
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use sqlx::{AssertSqlSafe, MySqlPool, Row};

/// A database with tables that no other test uses.
pub(crate) struct Tables {
    pub(crate) pool: MySqlPool,
    pub(crate) prefix: String,
}

impl Tables {
    /// Makes them, for a pool of `connections`.
    pub(crate) async fn make(connections: u32) -> Self {
        let tables = Self::none(connections).await;
        tables.database().migrate().await.unwrap();
        tables
    }

    /// A place for tables that are not there yet.
    pub(crate) async fn none(connections: u32) -> Self {
        Self { pool: pool(connections, None).await, prefix: format!("q{:08x}_", fastrand::u32(..)) }
    }

    pub(crate) fn database(&self) -> MySqlDatabase {
        self.database_on(self.pool.clone())
    }

    /// The same tables through other sessions.
    pub(crate) fn database_on(&self, pool: MySqlPool) -> MySqlDatabase {
        MySqlDatabase::builder(pool).prefix(self.prefix.as_str()).build().unwrap()
    }

    pub(crate) async fn queue(&self, name: &str) -> MySqlQueue {
        self.database().queue(name).build().await.unwrap()
    }

    pub(crate) async fn ordered(&self, name: &str) -> MySqlQueue {
        self.database().queue(name).ordered().build().await.unwrap()
    }

    /// Runs a statement whose tables begin with `q_`.
    pub(crate) async fn run(&self, sql: &str) -> u64 {
        let sql = AssertSqlSafe(sql.replace("q_", &self.prefix));
        sqlx::raw_sql(sql).execute(&self.pool).await.unwrap().rows_affected()
    }

    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let sql = AssertSqlSafe(sql.replace("q_", &self.prefix));
        sqlx::query_scalar(sql).fetch_one(&self.pool).await.unwrap()
    }

    /// What the session of a pool with one connection has counted.
    pub(crate) async fn counted(&self, name: &str) -> u64 {
        let ask = sqlx::query("SHOW SESSION STATUS WHERE Variable_name = ?").bind(name);
        let value: String = ask.fetch_one(&self.pool).await.unwrap().get(1);
        value.parse().unwrap()
    }

    /// Puts messages into a queue by SQL: as many as `rows` are visible, oldest first.
    pub(crate) async fn fill(&self, queue: &str, rows: u32) {
        self.run(&format!(
            "INSERT INTO q_message (queue_id, visible_us, sent_us, message_id, body)
             WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
             SELECT (SELECT id FROM q_queue WHERE name = '{queue}'), t.now_us + a.i * 1000 + b.i, t.now_us,
               UNHEX(MD5(CONCAT(a.i, '-', b.i))), REPEAT('x', 200)
             FROM n a JOIN n b JOIN (SELECT (UNIX_TIMESTAMP() - 3600) * 1000000 AS now_us) t
             WHERE (a.i - 1) * 1000 + b.i <= {rows}"
        ))
        .await;
    }

    pub(crate) async fn drop(self) {
        let names = ["attempt", "deduplication", "group", "ordered_message", "message", "queue", "migration"];
        for name in names {
            self.run(&format!("DROP TABLE IF EXISTS q_{name}")).await;
        }
        self.pool.close().await;
    }
}

/// The server of the tests.
pub(crate) fn server() -> MySqlConnectOptions {
    std::env::var("MYSQL_URL").expect("MYSQL_URL is not set: use cargo xtask test").parse().unwrap()
}

/// Connections that have run a statement at their begin.
pub(crate) async fn pool(connections: u32, first: Option<&'static str>) -> MySqlPool {
    let options = MySqlPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_mins(1))
        .after_connect(move |connection, _| {
            Box::pin(async move {
                if let Some(first) = first {
                    sqlx::raw_sql(first).execute(connection).await?;
                }
                Ok(())
            })
        });
    options.connect_with(server()).await.unwrap()
}

pub(crate) const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A message of an ordered queue: its group is the first letter.
pub(crate) fn grouped(body: &str) -> Outgoing {
    Outgoing::new(body).with_group_key(&body[..1]).with_deduplication_id(body)
}

pub(crate) async fn send(queue: &MySqlQueue, bodies: &[&str]) {
    let is_ordered = queue.limits().ordered;
    let made = |body: &&str| if is_ordered { grouped(body) } else { Outgoing::new(*body) };
    for answer in queue.publish_all(bodies.iter().map(made).collect()).await {
        answer.map_err(Rejected::into_error).unwrap();
    }
}

/// What can be received now, hidden for a minute.
pub(crate) async fn take(queue: &MySqlQueue, most: usize) -> Vec<Delivery> {
    take_for(queue, most, Duration::from_mins(1)).await
}

pub(crate) async fn take_for(queue: &MySqlQueue, most: usize, visibility: Duration) -> Vec<Delivery> {
    let options = ReceiveOptions::new(most).with_wait(Duration::ZERO).with_visibility(visibility);
    queue.receive(options).await.unwrap()
}

pub(crate) fn bodies(deliveries: &[Delivery]) -> Vec<&str> {
    deliveries.iter().map(|delivery| delivery.message().body()).collect()
}

/// Deletes them in one call.
pub(crate) async fn delete(deliveries: Vec<Delivery>) {
    let Some(first) = deliveries.first() else { return };
    let receipts = deliveries.iter().map(|delivery| delivery.receipt().clone()).collect();
    for answer in Arc::clone(first.settler()).delete(receipts).await {
        answer.unwrap();
    }
    deliveries.into_iter().for_each(Delivery::forget);
}
