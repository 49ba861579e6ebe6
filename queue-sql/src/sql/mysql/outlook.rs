//! Looking ahead: when a queue has something, and how long the oldest transaction has been open.

use std::time::Duration;

use queue_core::QueueError;
use sqlx::mysql::MySqlRow;
use sqlx::{MySqlConnection, Row};

use super::{MySqlStore, unreadable};
use crate::call::call;
use crate::micros;
use crate::store::QueueId;

/// The first entry of an index for each queue. The list is one value, so that the text is the same for any number of queues.
/// A message past its retention counts until the sweep has removed it; a receive finds nothing then.
pub(super) const OUTLOOK: &str = "
SELECT j.id, :now, COALESCE(
  (SELECT g.ready_us FROM q_group g FORCE INDEX (q_group_ready)
   WHERE g.queue_id = j.id AND g.ready_us > 0 ORDER BY g.ready_us LIMIT 1),
  (SELECT m.visible_us FROM q_message m FORCE INDEX (q_message_ready)
   WHERE m.queue_id = j.id ORDER BY m.visible_us LIMIT 1))
FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) j";

/// Transactions are told by the server's own time zone.
pub(super) const OLDEST_TRANSACTION: &str = "
SELECT TIMESTAMPDIFF(MICROSECOND, MIN(trx_started), CONVERT_TZ(UTC_TIMESTAMP(6), '+00:00', 'SYSTEM'))
FROM information_schema.innodb_trx WHERE trx_mysql_thread_id <> CONNECTION_ID()";

impl MySqlStore {
    pub(super) async fn look_out(
        &self,
        queues: &[QueueId],
    ) -> Result<Vec<(QueueId, Option<Duration>)>, QueueError> {
        let list = format!("{queues:?}");
        let rows =
            call!(self, "outlook", connection => self.sql.outlook.query().bind(&list).fetch_all(connection))?;
        let outlook: Result<Vec<_>, sqlx::Error> = rows.iter().map(outlook).collect();
        outlook.map_err(|error| unreadable("outlook", error))
    }

    pub(super) async fn find_oldest_transaction(&self) -> Result<Option<Duration>, QueueError> {
        let age = call!(self, "oldest transaction", connection => self.oldest(connection))?;
        Ok(age.map(micros::duration))
    }

    async fn oldest(&self, connection: &mut MySqlConnection) -> Result<Option<i64>, sqlx::Error> {
        self.sql.oldest_transaction.query().fetch_one(connection).await?.try_get(0)
    }
}

fn outlook(row: &MySqlRow) -> Result<(QueueId, Option<Duration>), sqlx::Error> {
    let (now, ready_us): (i64, Option<i64>) = (row.try_get(1)?, row.try_get(2)?);
    Ok((row.try_get(0)?, ready_us.map(|ready_us| micros::duration(ready_us - now))))
}
