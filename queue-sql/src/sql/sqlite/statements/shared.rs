//! The statements that both kinds of queue need: records, the outlook, what has grown old.

use super::{Text, Writer};

const COLUMNS: &str = "id, tag, name, ordered, content_deduplication, visibility_us, delay_us, retention_us, \
     max_receive_count, dead_letter_id";

/// A message past its retention is not looked at: it would make a receive that finds nothing come again and again.
const OUTLOOK: &str = "
    SELECT q.id, CASE
        WHEN q.ordered THEN (SELECT g.ready_us FROM q_group g
            WHERE g.queue_id = q.id AND g.ready_us > 0 ORDER BY g.ready_us LIMIT 1)
        ELSE (SELECT m.visible_us FROM q_message m
            WHERE m.queue_id = q.id AND m.sent_us > {now} - q.retention_us ORDER BY m.visible_us LIMIT 1)
        END - {now}
    FROM json_each(?1) j CROSS JOIN q_queue q ON q.id = j.value";

/// Whether there is anything for a sweep: a read, so that a sweep of nothing takes no lock.
const SWEEPABLE: &str = "
    SELECT EXISTS (SELECT 1 FROM q_deduplication WHERE queue_id = ?1 AND expires_us <= {now})
        OR EXISTS (SELECT 1 FROM q_attempt WHERE queue_id = ?1 AND expires_us <= {now})
        OR EXISTS (SELECT 1 FROM q_ordered_message WHERE queue_id = ?1 AND sent_us <= {now} - ?2)
        OR EXISTS (SELECT 1 FROM (SELECT sent_us FROM q_message
            WHERE queue_id = ?1 AND visible_us <= {now} ORDER BY visible_us LIMIT ?3) WHERE sent_us <= {now} - ?2)";

/// The statements that both kinds of queue need.
#[derive(Debug)]
pub(in crate::sql::sqlite) struct Shared {
    pub(in crate::sql::sqlite) version: Text,
    pub(in crate::sql::sqlite) find: Text,
    pub(in crate::sql::sqlite) create: Text,
    pub(in crate::sql::sqlite) update: Text,
    pub(in crate::sql::sqlite) outlook: Text,
    pub(in crate::sql::sqlite) sweepable: Text,
    pub(in crate::sql::sqlite) forget_identities: Text,
    pub(in crate::sql::sqlite) forget_attempts: Text,
}

impl Shared {
    pub(super) fn new(writer: &Writer<'_>) -> Self {
        let old = |table: &str, key: &str| {
            writer.write(&format!(
                "DELETE FROM {table} WHERE queue_id = ?1 AND {key} IN (SELECT {key} FROM {table}
                 WHERE queue_id = ?1 AND expires_us <= {{now}} ORDER BY expires_us LIMIT ?2)"
            ))
        };
        Self {
            version: writer.write("SELECT COALESCE(max(version), 0) FROM q_migration"),
            find: writer.write(&format!("SELECT {COLUMNS} FROM q_queue WHERE name = ?1")),
            create: writer.write(
                "INSERT INTO q_queue (name, tag, ordered, content_deduplication, visibility_us, delay_us, retention_us,
                 max_receive_count, dead_letter_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                 ON CONFLICT (name) DO NOTHING",
            ),
            update: writer.write(
                "UPDATE q_queue SET content_deduplication = ?4, visibility_us = ?5, delay_us = ?6, retention_us = ?7,
                 max_receive_count = ?8, dead_letter_id = ?9 WHERE name = ?1 AND ordered = ?3",
            ),
            outlook: writer.write(OUTLOOK),
            sweepable: writer.write(SWEEPABLE),
            forget_identities: old("q_deduplication", "identity"),
            forget_attempts: old("q_attempt", "attempt_id"),
        }
    }
}
