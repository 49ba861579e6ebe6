//! Databases that hang: a call ends by its deadline, and those who poll go on.

use std::time::Duration;

use queue_core::{Consumer, Outgoing, Publisher, QueueError, QueueErrorKind, Rejected};
use queue_sql::{SqlQueue, SqlStore as Store};
use tokio::time::Instant;

use crate::support::{millis, send};

const DEADLINE: Duration = Duration::from_secs(3);

/// How much later than its deadline a call may end on a busy machine.
const LATE: Duration = Duration::from_secs(10);

/// That the call failed in a way that passes, and in time; answers whether it may have been done all the same.
async fn fails_in_time<T>(what: &str, call: impl Future<Output = Result<T, QueueError>>) -> bool {
    let asked = Instant::now();
    let error = call.await.err().expect(what);
    let passing = [QueueErrorKind::Transient, QueueErrorKind::Indeterminate];
    assert!(passing.contains(&error.kind()), "{what}: {error}");
    assert!(asked.elapsed() < DEADLINE + LATE, "{what} took {:?}", asked.elapsed());
    error.kind() == QueueErrorKind::Indeterminate
}

/// Every call of a queue whose database hangs; answers whether "late" may be stored all the same.
async fn all_fail_in_time<S: Store>(queue: &SqlQueue<S>) -> bool {
    let message = Outgoing::new("late");
    let publish = async {
        let rejected = queue.publish(vec![message.clone()]).await.remove(0);
        rejected.map_err(|rejected| {
            assert_eq!(rejected.message(), &message);
            Rejected::into_error(rejected)
        })
    };
    let may_be_stored = fails_in_time("publish", publish).await;
    let receive = queue_core::ReceiveOptions::new(1).with_wait(millis(100));
    fails_in_time("receive", queue.receive(receive)).await;
    may_be_stored
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use super::*;
    use crate::database::Database;
    use crate::database::sqlite::Sqlite;
    use crate::each::run;
    use crate::support::drain;

    // P29
    #[tokio::test]
    async fn a_writer_that_never_ends_holds_a_call_up_no_longer_than_its_deadline() {
        run::<Sqlite>(async |database| {
            let queue =
                database.builder().deadline(DEADLINE).build().unwrap().queue("jobs").build().await.unwrap();
            send(&queue, "a").await;
            let hung = database.pool().begin_with("BEGIN EXCLUSIVE").await.unwrap();
            let may_be_stored = all_fail_in_time(&queue).await;
            hung.rollback().await.unwrap();
            let got = drain(&queue).await;
            assert!(got == ["a"] || (may_be_stored && got == ["a", "late"]), "{got:?}");
        })
        .await;
    }
}

#[cfg(any(feature = "postgres", feature = "mysql"))]
mod served {
    use harness::Proxy;
    use sqlx::Pool;
    use tokio::net::TcpListener;
    use worker::{Receiver, WorkerClass, handler};

    use super::*;
    use crate::database::Database;
    use crate::support::{secs, until};

    /// A database that is a server.
    pub(super) trait Served: Database {
        /// Its URL.
        fn url() -> String;
        /// Connections to a server at that URL, made when they are needed.
        fn at(url: &str) -> Pool<Self::Sqlx>;
        /// The queue "jobs" through other connections.
        fn queue(
            &self,
            pool: Pool<Self::Sqlx>,
        ) -> impl Future<Output = Result<SqlQueue<Self::Store>, QueueError>> + Send;
    }

    async fn proxy<D: Served>() -> Proxy {
        let url = D::url();
        let upstream = url[url.rfind('@').unwrap() + 1..].split('/').next().unwrap().parse().unwrap();
        Proxy::start(upstream).await.unwrap()
    }

    /// The queue without the proxy.
    async fn jobs<D: Served>(database: &D) -> SqlQueue<D::Store> {
        database.open().queue("jobs").build().await.unwrap()
    }

    pub(super) async fn a_hung_call_ends_by_its_deadline<D: Served>(database: &D) {
        let (proxy, direct) = (proxy::<D>().await, jobs(database).await);
        let queue = database.queue(D::at(&proxy.url(&D::url()))).await.unwrap();
        send(&direct, "a").await;
        proxy.stall();
        all_fail_in_time(&queue).await;
        proxy.pass();
        until("it works again", async || {
            let options = queue_core::ReceiveOptions::new(1).with_wait(Duration::ZERO);
            queue.receive(options).await.is_ok_and(|got| got.len() == 1)
        })
        .await;
    }

    pub(super) async fn a_server_that_never_answers_is_given_up<D: Served>(database: &D) {
        let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (url, address) = (D::url(), silent.local_addr().unwrap());
        let end = url.rfind('@').unwrap() + 1;
        let path = url[end..].find('/').unwrap() + end;
        let pool = D::at(&format!("{}{address}{}", &url[..end], &url[path..]));
        fails_in_time("build", database.queue(pool)).await;
    }

    pub(super) async fn a_receiver_goes_on_after_its_database_hung<D: Served>(database: &D) {
        let (proxy, direct) = (proxy::<D>().await, jobs(database).await);
        let queue = database.queue(D::at(&proxy.url(&D::url()))).await.unwrap();
        let work = handler(async |_message: queue_core::Message, _context: queue_core::Context| {
            Ok::<_, std::io::Error>(())
        });
        let receiver =
            Receiver::builder(queue).pollers(WorkerClass::MAIN, 2).slots(4).wait(secs(1)).visibility(secs(5));
        let running = receiver.handler(work).start();
        send(&direct, "a b c").await;
        until("three are handled", async || running.account().handled == 3).await;
        proxy.stall();
        send(&direct, "d e f").await;
        until("a receive fails", async || running.account().failed_receives > 0).await;
        tokio::time::sleep(millis(300)).await;
        proxy.pass();
        until("all are handled", async || running.account().handled >= 6).await;
        let account = running.stop(secs(20)).await;
        assert_eq!(account.orphaned, 0, "{account:?}");
        assert_eq!(crate::support::depth(&direct).await.total(), 0);
    }

    /// Implements [`Served`], and makes the tests.
    macro_rules! served {
        ($module:ident, $name:ident, $database:ty, $pool:ty, $variable:literal, $ignored:literal) => {
            mod $module {
                use super::*;
                use crate::database::$module::$name;
                use crate::each::run;

                impl Served for $name {
                    fn url() -> String {
                        std::env::var($variable).unwrap()
                    }

                    fn at(url: &str) -> Pool<Self::Sqlx> {
                        <$pool>::new().max_connections(4).connect_lazy(url).unwrap()
                    }

                    async fn queue(
                        &self,
                        pool: Pool<Self::Sqlx>,
                    ) -> Result<SqlQueue<Self::Store>, QueueError> {
                        let builder = <$database>::builder(pool).prefix(self.prefix.as_str());
                        builder.deadline(DEADLINE).build()?.queue("jobs").build().await
                    }
                }

                // P24, P29
                #[tokio::test(flavor = "multi_thread")]
                #[ignore = $ignored]
                async fn a_hung_call_ends_by_its_deadline_and_the_next_goes_on() {
                    run::<$name>(async |it| a_hung_call_ends_by_its_deadline(it).await).await;
                }

                // P24, P29
                #[tokio::test(flavor = "multi_thread")]
                #[ignore = $ignored]
                async fn a_server_that_takes_connections_and_never_answers_is_given_up() {
                    run::<$name>(async |it| a_server_that_never_answers_is_given_up(it).await).await;
                }

                // W7, W8, P29
                #[tokio::test(flavor = "multi_thread")]
                #[ignore = $ignored]
                async fn a_receiver_goes_on_when_its_database_goes_on() {
                    run::<$name>(async |it| a_receiver_goes_on_after_its_database_hung(it).await).await;
                }
            }
        };
    }

    #[cfg(feature = "postgres")]
    served!(
        postgres,
        Postgres,
        queue_sql::PgDatabase,
        sqlx::postgres::PgPoolOptions,
        "POSTGRES_URL",
        "needs PostgreSQL: cargo xtask test"
    );
    #[cfg(feature = "mysql")]
    served!(
        mysql,
        MySql,
        queue_sql::MySqlDatabase,
        sqlx::mysql::MySqlPoolOptions,
        "MYSQL_URL",
        "needs MariaDB: cargo xtask test"
    );
}
