//! Tests of how SQLite means to run the statements: by which index.

use sqlx::sqlite::SqlitePoolOptions;
use sqlx::{AssertSqlSafe, Row, SqlitePool};

use super::{Statements, Text};

/// A database with the tables, under a prefix.
async fn tables(prefix: &str) -> SqlitePool {
    let pool = SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await.unwrap();
    let file = include_str!("../../../../migrations/sqlite/0001_queue.sql");
    let made = crate::sql::schema::with_prefix(file, prefix);
    sqlx::raw_sql(AssertSqlSafe(made)).execute(&pool).await.unwrap();
    pool
}

/// What SQLite means to do, step by step.
async fn plan(pool: &SqlitePool, text: &Text) -> Vec<String> {
    let explain = format!("EXPLAIN QUERY PLAN {}", text.0);
    let rows = sqlx::query(AssertSqlSafe(explain)).fetch_all(pool).await.unwrap();
    rows.iter().map(|row| row.get("detail")).collect()
}

// TQ4, TQ5, TQ8, P73
#[tokio::test]
async fn each_statement_finds_its_rows_by_the_index_that_was_made_for_it() {
    let pool = tables("q_").await;
    let Statements { shared, standard, ordered } = Statements::new("q_");
    let by_number = "USING INTEGER PRIMARY KEY (rowid=?)";
    let ready = "SEARCH q_message USING INDEX q_message_ready (queue_id=? AND visible_us<?)";
    let place = "q_ordered_message_place (queue_id=? AND group_id=?";
    let turn = "USING COVERING INDEX q_group_ready (queue_id=? AND (ready_us,turn)>(?,?) AND ready_us<?)";
    let age = "USING COVERING INDEX q_ordered_message_age (queue_id=? AND sent_us<?)";
    let group = "SEARCH g USING PRIMARY KEY (queue_id=? AND group_id=?)";
    for (name, text, searches) in [
        ("receive", &standard.receive, vec![ready, by_number]),
        ("delete", &standard.delete, vec![by_number, by_number]),
        ("change", &standard.change, vec![by_number]),
        ("facts", &standard.facts, vec![by_number]),
        ("redrive", &standard.redrive, vec![ready, by_number]),
        ("expire", &standard.expire, vec![ready, by_number]),
        ("ready", &ordered.ready, vec![turn]),
        ("heads", &ordered.heads, vec![place]),
        ("take", &ordered.take, vec![by_number]),
        ("tally", &ordered.tally, vec![group, by_number, place]),
        ("leave", &ordered.leave, vec![group, place]),
        ("move", &ordered.move_to, vec![by_number, place, by_number]),
        ("delete, ordered", &ordered.delete, vec![by_number, by_number]),
        ("change, ordered", &ordered.change, vec![by_number]),
        ("expire, ordered", &ordered.expire, vec![by_number, age]),
        ("attempt", &ordered.attempt, vec!["SEARCH a USING PRIMARY KEY", by_number]),
        ("outlook", &shared.outlook, vec![by_number, "q_group_ready", "q_message_ready (queue_id=?)"]),
    ] {
        let plan = plan(&pool, text).await;
        let searched = plan.iter().filter(|step| step.starts_with("SEARCH")).count();
        assert_eq!(searched, searches.len(), "{name}: {plan:#?}");
        for search in searches {
            assert!(plan.iter().any(|step| step.contains(search)), "{name} by {search}: {plan:#?}");
        }
        assert!(
            !plan.iter().any(|step| step.starts_with("SCAN q_") || step.starts_with("SCAN m")),
            "{name}: {plan:#?}"
        );
    }
}

#[tokio::test]
async fn statements_are_for_the_tables_of_their_prefix() {
    let pool = tables("jobs_").await;
    let Statements { shared, standard, ordered } = Statements::new("jobs_");
    for text in [&shared.find, &shared.sweepable, &standard.receive, &ordered.tally, &ordered.remember] {
        assert!(!plan(&pool, text).await.is_empty());
    }
}

/// The product of a time in seconds and a thousand may be a hair less than whole.
#[tokio::test]
async fn the_clock_tells_whole_milliseconds_in_microseconds() {
    let pool = tables("q_").await;
    for millis in [1_700_000_000_001_i64, 1_764_529_421_123, 1_999_999_999_999] {
        let clock = super::NOW
            .replace("'subsec'", &format!("{}.{:03}, 'unixepoch', 'subsec'", millis / 1000, millis % 1000));
        let told: i64 =
            sqlx::query_scalar(AssertSqlSafe(format!("SELECT {clock}"))).fetch_one(&pool).await.unwrap();
        assert_eq!(told, millis * 1000);
    }
}
