//! Each test on each database.

use crate::database::Database;

/// Makes a test for each database of each function; those that need a server are ignored without one.
macro_rules! on_each_database {
    ($(#[test] $test:ident;)+) => {
        #[cfg(feature = "sqlite")]
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $test() {
                    $crate::each::run::<$crate::database::sqlite::Sqlite>(async |it| super::$test(it).await).await;
                }
            )+
        }
        #[cfg(feature = "postgres")]
        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                #[ignore = "needs PostgreSQL: cargo xtask test"]
                async fn $test() {
                    $crate::each::run::<$crate::database::postgres::Postgres>(async |it| super::$test(it).await).await;
                }
            )+
        }
        #[cfg(feature = "mysql")]
        mod mysql {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                #[ignore = "needs MariaDB: cargo xtask test"]
                async fn $test() {
                    $crate::each::run::<$crate::database::mysql::MySql>(async |it| super::$test(it).await).await;
                }
            )+
        }
    };
}

pub(crate) use on_each_database;

/// Runs a test on tables of its own.
pub(crate) async fn run<D: Database>(test: impl AsyncFnOnce(&D)) {
    let database = D::fresh().await;
    test(&database).await;
    database.remove().await;
}
