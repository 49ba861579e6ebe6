//! The databases of the suite: tables of its own for each test, and a way to change them by SQL.

use queue_sql::{SqlDatabase, SqlDatabaseBuilder, SqlStore as Store};
use sqlx::Pool;

/// One database, with tables that no other test uses.
pub(crate) trait Database: Sized + Send + Sync + 'static {
    /// The database as sqlx knows it.
    type Sqlx: sqlx::Database;
    /// The database as queues know it.
    type Store: Store<Connection = <Self::Sqlx as sqlx::Database>::Connection>;

    /// Whether whoever writes waits for every other open transaction that has written.
    const ONE_WRITER: bool;

    /// In SQL, what makes the time of `event` ("sent", "expires") an hour earlier.
    fn an_hour_earlier(event: &str) -> String;

    /// Makes tables.
    fn fresh() -> impl Future<Output = Self> + Send;

    /// A place for tables that are not there yet.
    fn empty() -> impl Future<Output = Self> + Send;

    /// The connections to it.
    fn pool(&self) -> &Pool<Self::Sqlx>;

    /// Another handle of it, as another process has one.
    fn builder(&self) -> SqlDatabaseBuilder<Self::Store>;

    /// Runs a statement whose tables begin with `q_`; answers how many rows it changed.
    fn execute(&self, sql: &str) -> impl Future<Output = u64> + Send;

    /// Reads a number by a statement whose tables begin with `q_`.
    fn number(&self, sql: &str) -> impl Future<Output = i64> + Send;

    /// Removes the tables.
    fn remove(self) -> impl Future<Output = ()> + Send;

    /// Another handle of it, with the usual settings.
    fn open(&self) -> SqlDatabase<Self::Store> {
        self.builder().build().unwrap()
    }
}

/// A handle of a database, which knows its store.
pub(crate) trait Handle {
    /// The store.
    type Store: Store;
}

impl<S: Store> Handle for SqlDatabase<S> {
    type Store = S;
}

/// All tables, those that others need last.
pub(crate) const TABLES: [&str; 7] =
    ["q_attempt", "q_deduplication", "q_group", "q_ordered_message", "q_message", "q_queue", "q_migration"];

#[cfg(any(feature = "mysql", feature = "postgres"))]
/// How many connections a test may have at a server that it shares with others.
pub(crate) const CONNECTIONS: u32 = 20;

#[cfg(any(feature = "mysql", feature = "postgres"))]
/// How long a test waits for a connection while the others have all.
pub(crate) const PATIENCE: std::time::Duration = std::time::Duration::from_mins(1);

/// The beginning of names that no other test uses.
pub(crate) fn prefix() -> String {
    format!("q{:08x}_", fastrand::u32(..))
}

/// Implements what is the same on all databases but for its types.
macro_rules! database {
    ($name:ident, $sqlx:ty, $database:ty, $hour:literal, $one_writer:literal) => {
        impl $crate::database::Database for $name {
            type Sqlx = $sqlx;
            type Store = <$database as $crate::database::Handle>::Store;

            const ONE_WRITER: bool = $one_writer;

            fn an_hour_earlier(event: &str) -> String {
                $hour.replace("{}", event)
            }

            async fn fresh() -> Self {
                let fresh = Self::empty().await;
                fresh.open().migrate().await.unwrap();
                fresh
            }

            async fn empty() -> Self {
                Self::connect().await
            }

            fn pool(&self) -> &sqlx::Pool<$sqlx> {
                &self.pool
            }

            fn builder(&self) -> queue_sql::SqlDatabaseBuilder<Self::Store> {
                <$database>::builder(self.pool.clone()).prefix(self.prefix.as_str())
            }

            async fn execute(&self, sql: &str) -> u64 {
                let sql = sqlx::AssertSqlSafe(sql.replace("q_", &self.prefix));
                sqlx::query(sql).execute(&self.pool).await.unwrap().rows_affected()
            }

            async fn number(&self, sql: &str) -> i64 {
                let sql = sqlx::AssertSqlSafe(sql.replace("q_", &self.prefix));
                sqlx::query_scalar(sql).fetch_one(&self.pool).await.unwrap()
            }

            async fn remove(self) {
                for table in $crate::database::TABLES {
                    $crate::database::Database::execute(&self, &format!("DROP TABLE IF EXISTS {table}"))
                        .await;
                }
                self.pool.close().await;
            }
        }
    };
}

#[cfg(feature = "sqlite")]
pub(crate) mod sqlite {
    //! SQLite, in a file of the test's own.

    use std::time::Duration;

    use queue_sql::SqliteDatabase;
    use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};

    pub(crate) struct Sqlite {
        pub(crate) pool: sqlx::SqlitePool,
        pub(crate) prefix: String,
        _folder: tempfile::TempDir,
    }

    impl Sqlite {
        async fn connect() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let pool = open(&folder.path().join("queues.db")).await;
            Self { pool, prefix: super::prefix(), _folder: folder }
        }
    }

    /// Opens the file of a database.
    pub(crate) async fn open(file: &std::path::Path) -> sqlx::SqlitePool {
        let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
        let options = options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Normal);
        let options = options.busy_timeout(Duration::from_secs(30));
        SqlitePoolOptions::new().max_connections(8).connect_with(options).await.unwrap()
    }

    database!(Sqlite, sqlx::Sqlite, SqliteDatabase, "{}_us = {}_us - 3600000000", true);
}

#[cfg(feature = "postgres")]
pub(crate) mod postgres {
    //! PostgreSQL, in a database that tests share.

    use queue_sql::PgDatabase;
    use sqlx::postgres::PgPoolOptions;

    pub(crate) struct Postgres {
        pub(crate) pool: sqlx::PgPool,
        pub(crate) prefix: String,
    }

    impl Postgres {
        async fn connect() -> Self {
            let url = std::env::var("POSTGRES_URL").expect("POSTGRES_URL is not set: use cargo xtask test");
            let options =
                PgPoolOptions::new().max_connections(super::CONNECTIONS).acquire_timeout(super::PATIENCE);
            Self { pool: options.connect(&url).await.unwrap(), prefix: super::prefix() }
        }
    }

    database!(Postgres, sqlx::Postgres, PgDatabase, "{}_at = {}_at - interval '1 hour'", false);
}

#[cfg(feature = "mysql")]
pub(crate) mod mysql {
    //! MariaDB or MySQL, in a database that tests share.

    use queue_sql::MySqlDatabase;
    use sqlx::mysql::MySqlPoolOptions;

    pub(crate) struct MySql {
        pub(crate) pool: sqlx::MySqlPool,
        pub(crate) prefix: String,
    }

    impl MySql {
        async fn connect() -> Self {
            let url = std::env::var("MYSQL_URL").expect("MYSQL_URL is not set: use cargo xtask test");
            let options =
                MySqlPoolOptions::new().max_connections(super::CONNECTIONS).acquire_timeout(super::PATIENCE);
            Self { pool: options.connect(&url).await.unwrap(), prefix: super::prefix() }
        }
    }

    database!(MySql, sqlx::MySql, MySqlDatabase, "{}_us = {}_us - 3600000000", false);
}
