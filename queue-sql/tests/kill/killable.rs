//! A database that a child can open as well, and the child itself.

use std::env;

use harness::Program;
use queue_core::{Consumer, Delivery, Inspect, Outgoing, PublisherExt, ReceiveOptions, Rejected};
use queue_sql::{SqlDatabase, SqlQueue};
use sqlx::Pool;
use std::time::Duration;

use crate::database::Database;

/// What a child is told: its role, the kind of its database, where that is, how its tables begin, and whether its queue
/// is ordered.
pub(crate) const ROLE: &str = "KILL_ROLE";
pub(crate) const KIND: &str = "KILL_KIND";
pub(crate) const ADDRESS: &str = "KILL_ADDRESS";
pub(crate) const PREFIX: &str = "KILL_PREFIX";
pub(crate) const ORDERED: &str = "KILL_ORDERED";

/// A database that a child can open as well.
pub(crate) trait Killable: Database {
    /// Which one it is.
    const KIND: &'static str;

    /// Where it is.
    fn address(&self) -> String;

    /// How its tables begin.
    fn prefix(&self) -> &str;

    /// Opens it at an address.
    fn at(address: &str) -> impl Future<Output = Pool<Self::Sqlx>> + Send;

    /// Opens the queues in it.
    fn over(pool: Pool<Self::Sqlx>, prefix: &str) -> SqlDatabase<Self::Store>;

    /// This program in a role, with the queue "jobs".
    fn child(&self, role: &str, ordered: bool) -> Program {
        Program::new(env::current_exe().unwrap())
            .with_env(ROLE, role)
            .with_env(KIND, Self::KIND)
            .with_env(ADDRESS, self.address())
            .with_env(PREFIX, self.prefix())
            .with_env(ORDERED, ordered.to_string())
    }
}

macro_rules! killable {
    ($module:ident, $name:ident, $database:ty, $this:ident => $address:expr, $at:ident => $pool:expr) => {
        impl Killable for crate::database::$module::$name {
            const KIND: &'static str = stringify!($module);

            fn address(&self) -> String {
                let $this = self;
                $address
            }

            fn prefix(&self) -> &str {
                &self.prefix
            }

            async fn at($at: &str) -> Pool<Self::Sqlx> {
                $pool
            }

            fn over(pool: Pool<Self::Sqlx>, prefix: &str) -> SqlDatabase<Self::Store> {
                <$database>::builder(pool).prefix(prefix).build().unwrap()
            }
        }
    };
}

#[cfg(feature = "sqlite")]
killable!(
    sqlite, Sqlite, queue_sql::SqliteDatabase,
    this => this.pool.connect_options().get_filename().display().to_string(),
    address => crate::database::sqlite::open(std::path::Path::new(address)).await
);
#[cfg(feature = "postgres")]
killable!(
    postgres, Postgres, queue_sql::PgDatabase,
    _this => env::var("POSTGRES_URL").unwrap(),
    address => sqlx::PgPool::connect(address).await.unwrap()
);
#[cfg(feature = "mysql")]
killable!(
    mysql, MySql, queue_sql::MySqlDatabase,
    _this => env::var("MYSQL_URL").unwrap(),
    address => sqlx::MySqlPool::connect(address).await.unwrap()
);

/// The queue that a test and its children share.
pub(crate) async fn jobs<D: Killable>(database: &SqlDatabase<D::Store>, ordered: bool) -> SqlQueue<D::Store> {
    let builder = database.queue("jobs");
    let builder = if ordered { builder.ordered() } else { builder };
    builder.build().await.unwrap()
}

/// A message of the group `key`.
pub(crate) fn letter(queue: &impl PublisherExt, key: &str, number: u64) -> Outgoing {
    let letter = Outgoing::new(number.to_string()).with_group_key(key);
    if queue.limits().ordered { letter.with_deduplication_id(format!("{key}-{number}")) } else { letter }
}

pub(crate) async fn send(queue: &impl PublisherExt, key: &str, number: u64) {
    let answer = queue.publish_one(letter(queue, key, number)).await;
    answer.map_err(Rejected::into_error).unwrap();
}

/// What can be received now.
pub(crate) async fn take(queue: &impl Consumer) -> Vec<Delivery> {
    queue.receive(ReceiveOptions::new(10).with_wait(Duration::ZERO)).await.unwrap()
}

/// How many messages there are.
pub(crate) async fn total(queue: &impl Inspect) -> u64 {
    queue.depth().await.unwrap().total()
}
