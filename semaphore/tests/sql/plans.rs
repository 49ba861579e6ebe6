//! Plans: every search is by the primary key, and updates stay on their page.

use sqlx::{AssertSqlSafe, Row, query, query_scalar};
use tokio::time::sleep;

use crate::support::{Db, Probe, ms, mysql, postgres, run, sqlite, take, url};

/// Many keys, so that a scan of all would be seen.
async fn fill<D: Probe>(db: &Db<D>, columns: &str, numbers: &str) {
    let sql = format!("INSERT INTO sem_slot (sem_key, slot, {columns}) {numbers}");
    assert_eq!(D::run(db, &sql).await, 5000);
}

// S2
#[test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
fn postgres_searches_by_the_primary_key() {
    run(async {
        let db = postgres().await;
        let numbers = "SELECT 'key' || n / 10, n % 10, now(), 0 FROM generate_series(0, 4999) AS n";
        fill(&db, "expires_at, fence", numbers).await;
        query(AssertSqlSafe(format!("ANALYZE {}slot", db.prefix)))
            .execute(db.semaphore.pool())
            .await
            .unwrap();
        let acquire = include_str!("../../src/sql/postgres/text.rs");
        let acquire = acquire.split("const ACQUIRE: &str = \"").nth(1).unwrap().split("\";").next().unwrap();
        let acquire = acquire.replace("\\\n", "").replace("sem_slot", &format!("{}slot", db.prefix));
        let acquire = acquire.replace("$1", "'key7'").replace("$2", "10").replace("$3", "gen_random_uuid()");
        let explain = format!("EXPLAIN {}", acquire.replace("$4", "NULL").replace("$5", "1000"));
        let plan: Vec<String> =
            query_scalar(AssertSqlSafe(explain)).fetch_all(db.semaphore.pool()).await.unwrap();
        let plan = plan.join("\n");
        assert!(!plan.contains("Seq Scan on t"), "{plan}");
        assert!(plan.matches("_slot_pkey").count() >= 3, "{plan}");
        assert!(plan.contains("One-Time Filter"), "the count is made after a miss only: {plan}");
    });
}

// S2
#[test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
fn updates_on_postgres_are_hot_and_no_other_index_is_kept() {
    run(async {
        let db = postgres().await;
        for _ in 0..300 {
            take(&db.semaphore, "k", 1).await.release().await.unwrap();
        }
        let indexes = format!("SELECT count(*) FROM pg_indexes WHERE tablename = '{}slot'", db.prefix);
        let indexes: i64 = query_scalar(AssertSqlSafe(indexes)).fetch_one(db.semaphore.pool()).await.unwrap();
        assert_eq!(indexes, 1);
        db.semaphore.pool().close().await; // its server processes leave their counts when they end
        let pool = sqlx::PgPool::connect(&url("POSTGRES_URL")).await.unwrap();
        let (mut updates, mut hot) = (0, 0);
        for _ in 0..50 {
            let counts = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = $1";
            let row = query(counts).bind(format!("{}slot", db.prefix)).fetch_one(&pool).await.unwrap();
            (updates, hot) = (row.get::<i64, _>(0), row.get::<i64, _>(1));
            if updates >= 600 {
                break;
            }
            sleep(ms(100)).await;
        }
        assert_eq!(updates, 600);
        // Some are not, while somebody's old snapshot keeps a full page from being cleaned.
        assert!(hot * 10 >= updates * 8, "{hot} of {updates}");
    });
}

// S2, P73
#[test]
#[ignore = "needs MariaDB: cargo xtask test"]
fn mysql_searches_by_the_primary_key_without_sorting() {
    run(async {
        let db = mysql().await;
        let numbers = "SELECT CONCAT('key', seq DIV 10), seq MOD 10, 0, 0 FROM seq_0_to_4999";
        fill(&db, "expires_us, fence", numbers).await;
        let explain = format!(
            "EXPLAIN UPDATE {}slot FORCE INDEX (PRIMARY) SET fence = LAST_INSERT_ID((fence + 1) * 65536 + slot) >> 16 \
             WHERE sem_key = 'key7' AND slot < 10 AND (token IS NULL OR LAST_INSERT_ID(slot + 1) = 0) LIMIT 1",
            db.prefix
        );
        let plan = query(AssertSqlSafe(explain)).fetch_one(db.semaphore.pool()).await.unwrap();
        assert_eq!(plan.get::<String, _>("type"), "range");
        assert_eq!(plan.get::<String, _>("key"), "PRIMARY");
        assert!(!plan.get::<String, _>("Extra").contains("filesort"));
    });
}

// S2
#[test]
fn sqlite_searches_by_the_primary_key() {
    run(async {
        let db = sqlite().await;
        let numbers = "WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 4999) \
            SELECT 'key' || (n / 10), n % 10, 0, 0, 0 FROM s";
        fill(&db, "acquired_us, expires_us, fence", numbers).await;
        let explain = format!(
            "EXPLAIN QUERY PLAN SELECT slot FROM {}slot WHERE sem_key = 'key7' AND slot < 10 \
             AND (token IS NULL OR expires_us <= 0) ORDER BY slot LIMIT 1",
            db.prefix
        );
        let plan: String = query(AssertSqlSafe(explain)).fetch_one(db.semaphore.pool()).await.unwrap().get(3);
        assert!(plan.starts_with("SEARCH") && plan.contains("PRIMARY KEY"), "{plan}");
    });
}
