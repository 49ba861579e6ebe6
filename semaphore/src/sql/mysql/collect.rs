//! The collection of idle keys in MySQL and `MariaDB`.

use sqlx::mysql::MySqlConnection;
use sqlx::{AssertSqlSafe, Executor, Row, raw_sql};

use super::{Text, literals, query};
use crate::sql::ask::Collect;

/// Removes whole keys, as many of them as have `ask.limit` slots together, but one at least.
///
/// A miss counts a key's slots by the highest, so no gap may come about: the floor's row is locked, and then all rows of
/// the keys, so that nobody makes or takes a slot in between. What was used since the keys were found is left alone. The
/// server gets the whole transaction in one packet, so that a client that freezes or dies holds no lock meanwhile.
pub(super) async fn collect(
    conn: &mut MySqlConnection,
    text: &Text,
    ask: &Collect,
) -> Result<u64, sqlx::Error> {
    let found = query(&text.idle).bind(ask.idle_us).bind(ask.limit).fetch_all(&mut *conn).await?;
    let (mut keys, mut top, mut slots) = (Vec::new(), 0, 0);
    for row in found {
        slots += row.try_get::<i64, _>(2)?;
        if slots > ask.limit && !keys.is_empty() {
            break;
        }
        keys.push(row.try_get::<Vec<u8>, _>(0)?);
        top = row.try_get::<u64, _>(1)?.max(top);
    }
    if keys.is_empty() {
        return Ok(0);
    }
    let sql = text.collect.replace("{keys}", &literals(keys.iter().map(Vec::as_slice)));
    let sql = sql.replace("{idle}", &ask.idle_us.to_string()).replace("{top}", &top.to_string());
    let affected = raw_sql(AssertSqlSafe(sql)).execute(&mut *conn).await;
    if affected.is_err() {
        conn.execute("ROLLBACK").await?; // it may have failed with the transaction open
    }
    Ok(affected?.rows_affected().saturating_sub(1)) // one is the floor's
}
