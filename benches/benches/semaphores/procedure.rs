//! B14: against the design with a stored procedure, one row per slot and `SKIP LOCKED`, on MariaDB.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use anyhow::Context;
use benches::{Bar, Finding, Rounds, in_turn, rate};
use semaphore::MySqlSemaphore;
use sqlx::{AssertSqlSafe, Executor, MySql, Pool};
use uuid::Uuid;

use crate::pairs::permits;
use crate::site::{CLIENTS, Place};

const ROUNDS: usize = 21;
const TIME: Duration = Duration::from_millis(120);

/// Measures it.
pub(crate) async fn measure(place: &Place<MySql, MySqlSemaphore>) -> anyhow::Result<Finding> {
    let peer = Peer::create(&place.pool).await?;
    let missed = Arc::<AtomicU64>::default();
    tokio::join!(permits(&place.semaphore, &missed), peer.rate());
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        ratios.push(in_turn(|| permits(&place.semaphore, &missed), || peer.rate()).await);
    }
    peer.drop_all().await.context("dropping the procedure")?;
    let rounds = Rounds::new(ratios);
    let what = format!("MariaDB: acquire + release against a stored procedure ({})", rounds.spread());
    Ok(Finding::new("B14", what, rounds.median(), Bar::AtLeast(1.2)))
}

/// The other design.
struct Peer {
    pool: Pool<MySql>,
    name: String,
}

impl Peer {
    async fn create(pool: &Pool<MySql>) -> anyhow::Result<Self> {
        let name = format!("bench_{:08x}", fastrand::u32(..));
        let table = format!(
            "CREATE TABLE {name} (sem_key varchar(255) NOT NULL, slot int NOT NULL, token char(36) NULL,
             expires_at datetime(6) NULL, PRIMARY KEY (sem_key, slot), UNIQUE KEY (token)) ENGINE=InnoDB"
        );
        let rows: Vec<_> = (0..10).map(|slot| format!("('bench',{slot},NULL,NULL)")).collect();
        let fill = format!("INSERT INTO {name} VALUES {}", rows.join(","));
        let procedure = format!(
            "CREATE PROCEDURE {name}_acquire(IN k varchar(255), IN n int, IN t char(36), IN secs int)
             BEGIN
               DECLARE found int DEFAULT NULL;
               SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
               START TRANSACTION;
               SELECT slot INTO found FROM {name} WHERE sem_key = k AND slot < n
                 AND (token IS NULL OR expires_at < UTC_TIMESTAMP(6)) LIMIT 1 FOR UPDATE SKIP LOCKED;
               IF found IS NOT NULL THEN
                 UPDATE {name} SET token = t, expires_at = UTC_TIMESTAMP(6) + INTERVAL secs SECOND
                   WHERE sem_key = k AND slot = found;
               END IF;
               COMMIT;
               SELECT found;
             END"
        );
        for statement in [table, fill, procedure] {
            pool.execute(AssertSqlSafe(statement)).await?;
        }
        Ok(Self { pool: pool.clone(), name })
    }

    /// Pairs a second.
    async fn rate(&self) -> f64 {
        let (pool, name) = (self.pool.clone(), self.name.clone());
        rate(CLIENTS, TIME, move |_| {
            let (pool, name) = (pool.clone(), name.clone());
            async move {
                let token = Uuid::new_v4();
                let acquire = format!("CALL {name}_acquire('bench', 10, '{token}', 60)");
                pool.execute(AssertSqlSafe(acquire)).await.expect("the database answers");
                let release = format!("UPDATE {name} SET token = NULL, expires_at = NULL WHERE token = ?");
                let release = sqlx::query(AssertSqlSafe(release)).bind(token.to_string());
                release.execute(&pool).await.expect("the database answers");
            }
        })
        .await
    }

    async fn drop_all(&self) -> sqlx::Result<()> {
        let name = &self.name;
        self.pool.execute(AssertSqlSafe(format!("DROP PROCEDURE {name}_acquire"))).await?;
        self.pool.execute(AssertSqlSafe(format!("DROP TABLE {name}"))).await?;
        Ok(())
    }
}
