//! The statements of standard queues.

use super::{Text, Writer};

/// The most messages of one INSERT: those of one call.
const MOST_ROWS: usize = 10;

const INSERT: &str = "
    INSERT INTO q_message (queue_id, message_id, visible_us, sent_us, group_id, attributes, body) VALUES ";
const ROW: &str = "(?, ?, {now} + ?, {now}, ?, ?, ?)";

/// A message that was received as often as it may (?5) goes to the dead-letter queue (?6) in its place. One that this very
/// receive (?3) took already, with a visibility of zero, is not taken twice.
const RECEIVE: &str = "
    UPDATE q_message SET
        queue_id = iif(receive_count >= ?5, ?6, queue_id),
        since_us = visible_us,
        visible_us = iif(receive_count >= ?5, {now}, {now} + ?2),
        receipt = iif(receive_count >= ?5, NULL, ?3),
        received_us = iif(receive_count >= ?5, NULL, {now}),
        receive_count = iif(receive_count >= ?5, 0, receive_count + 1)
    WHERE id IN (SELECT id FROM q_message
        WHERE queue_id = ?1 AND visible_us <= {now} AND sent_us > {now} - ?4 AND receipt IS NOT ?3
        ORDER BY visible_us, id LIMIT ?7)
    RETURNING id, message_id, group_id, attributes, body, receive_count, sent_us, since_us, queue_id";

const DELETE: &str = "
    DELETE FROM q_message WHERE id IN (SELECT m.id FROM json_each(?2) j
        CROSS JOIN q_message m ON m.id = j.value ->> 0 AND m.receipt = unhex(j.value ->> 1)
        WHERE m.queue_id = ?1)
    RETURNING id, receipt";

/// By number: a `+` keeps the planner from using an index for what it stands before.
const CHANGE: &str = "
    UPDATE q_message AS m SET visible_us = {now} + (j.value ->> 2) FROM json_each(?2) j
    WHERE m.id = j.value ->> 0 AND m.receipt = unhex(j.value ->> 1) AND +m.queue_id = ?1
        AND +m.visible_us > {now} AND +m.sent_us > {now} - ?4 AND {now} - m.received_us + (j.value ->> 2) <= ?3
    RETURNING id, receipt";

const FACTS: &str = "
    SELECT m.id, m.queue_id, m.receipt, m.visible_us - {now}, {now} - m.received_us, {now} - m.sent_us
    FROM json_each(?1) j CROSS JOIN q_message m ON m.id = j.value";

const DEPTH: &str = "
    SELECT count(*) FILTER (WHERE visible_us <= {now}),
        count(*) FILTER (WHERE visible_us > {now} AND receipt IS NOT NULL),
        count(*) FILTER (WHERE visible_us > {now} AND receipt IS NULL),
        {now} - min(sent_us)
    FROM q_message WHERE queue_id = ?1 AND sent_us > {now} - ?2";

/// Of those in the way of a receive. What is behind many younger ones, or hidden, is in nobody's way.
const EXPIRE: &str = "
    DELETE FROM q_message WHERE id IN (SELECT id FROM (SELECT id, sent_us FROM q_message
        WHERE queue_id = ?1 AND visible_us <= {now} ORDER BY visible_us LIMIT ?3)
        WHERE sent_us <= {now} - ?2 LIMIT ?4)";

const REDRIVE: &str = "
    UPDATE q_message SET queue_id = ?2, visible_us = {now}, receive_count = 0, receipt = NULL, received_us = NULL
    WHERE id IN (SELECT id FROM q_message WHERE queue_id = ?1 AND visible_us <= {now} AND sent_us > {now} - ?3
        ORDER BY visible_us, id LIMIT ?4)";

/// The statements of standard queues.
#[derive(Debug)]
pub(in crate::sql::sqlite) struct Standard {
    inserts: Vec<Text>,
    pub(in crate::sql::sqlite) receive: Text,
    pub(in crate::sql::sqlite) delete: Text,
    pub(in crate::sql::sqlite) change: Text,
    pub(in crate::sql::sqlite) facts: Text,
    pub(in crate::sql::sqlite) depth: Text,
    pub(in crate::sql::sqlite) purge: Text,
    pub(in crate::sql::sqlite) expire: Text,
    pub(in crate::sql::sqlite) redrive: Text,
}

impl Standard {
    pub(super) fn new(writer: &Writer<'_>) -> Self {
        let insert = |rows: usize| writer.write(&format!("{INSERT}{}", vec![ROW; rows].join(", ")));
        Self {
            inserts: (1..=MOST_ROWS).map(insert).collect(),
            receive: writer.write(RECEIVE),
            delete: writer.write(DELETE),
            change: writer.write(CHANGE),
            facts: writer.write(FACTS),
            depth: writer.write(DEPTH),
            purge: writer.write(
                "DELETE FROM q_message WHERE id IN (SELECT id FROM q_message WHERE queue_id = ?1 LIMIT ?2)",
            ),
            expire: writer.write(EXPIRE),
            redrive: writer.write(REDRIVE),
        }
    }

    /// The INSERT of so many rows, and of as many as it can of more.
    pub(in crate::sql::sqlite) fn insert(&self, rows: usize) -> (&Text, usize) {
        let rows = rows.clamp(1, self.inserts.len());
        (&self.inserts[rows - 1], rows)
    }
}
