//! The outlook: when each queue has something to receive, and what slows receiving down.

use std::time::Duration;

use queue_core::QueueError;
use sqlx::Row;
use sqlx::postgres::PgRow;

use super::PgStore;
use crate::call::call;
use crate::micros;
use crate::store::QueueId;

/// One look into an index per queue.
pub(super) const OUTLOOK: &str = "
SELECT q.id, (extract(epoch FROM CASE WHEN q.ordered
  THEN (SELECT ready_at FROM q_group AS g WHERE g.queue_id = q.id ORDER BY ready_at LIMIT 1)
  ELSE (SELECT visible_at FROM q_message AS m
    WHERE m.queue_id = q.id AND visible_at >= timestamptz 'epoch' + x.low * interval '1 microsecond'
      AND sent_at > now() - q.retention_us * interval '1 microsecond'
    ORDER BY visible_at, id LIMIT 1)
  END - clock_timestamp()) * 1000000)::bigint
FROM unnest($1::bigint[], $2::bigint[]) AS x (id, low) JOIN q_queue AS q ON q.id = x.id";

/// Of client sessions that hold back what can be cleaned up in this database, and of prepared transactions.
pub(super) const OLDEST_TRANSACTION: &str = "
SELECT (extract(epoch FROM max(age)) * 1000000)::bigint FROM (
  SELECT clock_timestamp() - xact_start AS age FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
    AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
  UNION ALL
  SELECT clock_timestamp() - prepared FROM pg_prepared_xacts WHERE database = current_database()) AS held";

impl PgStore {
    pub(super) async fn look(
        &self,
        queues: &[QueueId],
    ) -> Result<Vec<(QueueId, Option<Duration>)>, QueueError> {
        let lows: Vec<_> = queues.iter().map(|queue| self.horizon.look(*queue)).collect();
        let look = || self.mode.query(&self.sql.outlook).bind(queues.to_vec()).bind(lows.clone());
        let rows = call!(self, "look", connection => self.mode.rows(connection, look()))?;
        rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| self.unreadable("look", error))
    }

    pub(super) async fn find_oldest_transaction(&self) -> Result<Option<Duration>, QueueError> {
        let what = "oldest transaction";
        let oldest = || self.mode.query(&self.sql.oldest_transaction);
        let rows = call!(self, what, connection => self.mode.rows(connection, oldest()))?;
        let age = rows.first().map(|row| row.try_get::<Option<i64>, _>(0)).transpose();
        Ok(age.map_err(|error| self.unreadable(what, error))?.flatten().map(micros::duration))
    }
}

fn read(row: &PgRow) -> Result<(QueueId, Option<Duration>), sqlx::Error> {
    Ok((row.try_get(0)?, row.try_get::<Option<i64>, _>(1)?.map(micros::duration)))
}
