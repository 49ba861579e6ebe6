//! The statements of ordered queues.

use super::{Text, Writer};

/// Five minutes, in which a message sent again is a duplicate (Q9) and a receive can be repeated (Q8).
const WINDOW_US: i64 = 300_000_000;

const REMEMBER: &str = "
    INSERT INTO q_deduplication AS known (queue_id, identity, message_id, expires_us)
    SELECT ?1, j.value ->> 0, unhex(j.value ->> 1), {now} + {window} FROM json_each(?2) j WHERE true ORDER BY j.key
    ON CONFLICT (queue_id, identity) DO UPDATE SET message_id = excluded.message_id, expires_us = excluded.expires_us
        WHERE known.expires_us <= {now}
    RETURNING message_id";

const INSERT: &str = "
    INSERT INTO q_ordered_message (queue_id, group_id, place, message_id, visible_us, sent_us, attributes, body)
    VALUES (?1, ?2, 1 + COALESCE((SELECT max(place) FROM q_ordered_message WHERE queue_id = ?1 AND group_id = ?2), 0),
        ?3, {now} + ?4, {now}, ?5, ?6)";

const ENTER: &str = "
    INSERT INTO q_group (queue_id, group_id, ready_us, turn) SELECT ?1, j.value, NULL, 0 FROM json_each(?2) j WHERE true
    ON CONFLICT (queue_id, group_id) DO NOTHING";

/// Finds out from when on groups can be received from: none of their messages is in flight any longer, and the head is
/// visible. Those past their retention are as good as gone. What is in flight is among the first ten, as a receive takes
/// the first ten at most. With ?3 a group that is ready and stays so keeps its turn.
const TALLY: &str = "
    UPDATE q_group AS g SET (ready_us, turn) = (
        SELECT CASE WHEN count(*) = 0 THEN NULL
                WHEN ?3 AND g.ready_us <= {now} AND max(until_us) <= {now} THEN g.ready_us
                ELSE max({now}, max(until_us)) END,
            CASE WHEN ?3 AND g.ready_us <= {now} AND max(until_us) <= {now} THEN g.turn
                ELSE COALESCE(max(head), 0) END
        FROM (SELECT iif(receipt IS NOT NULL OR rank = 1, min(visible_us, sent_us + retention_us), 0) AS until_us,
                iif(rank = 1, id, NULL) AS head
            FROM (SELECT m.id, m.receipt, m.visible_us, m.sent_us, q.retention_us,
                    row_number() OVER (ORDER BY m.place) AS rank
                FROM (SELECT retention_us FROM q_queue WHERE id = ?1) q CROSS JOIN q_ordered_message m
                WHERE m.queue_id = ?1 AND m.group_id = g.group_id AND +m.sent_us > {now} - q.retention_us
                ORDER BY m.place LIMIT 10)))
    WHERE g.queue_id = ?1 AND g.group_id IN (SELECT value FROM json_each(?2))
    RETURNING ready_us IS NULL";

const LEAVE: &str = "
    DELETE FROM q_group AS g WHERE g.queue_id = ?1 AND g.group_id IN (SELECT value FROM json_each(?2))
        AND NOT EXISTS (SELECT 1 FROM q_ordered_message m WHERE m.queue_id = ?1 AND m.group_id = g.group_id)";

const READY: &str = "
    SELECT group_id, ready_us, turn FROM q_group
    WHERE queue_id = ?1 AND ready_us <= {now} AND (ready_us, turn) > (?2, ?3) ORDER BY ready_us, turn LIMIT ?4";

const HEADS: &str = "
    SELECT id, place, receive_count, visible_us <= {now} FROM q_ordered_message
    WHERE queue_id = ?1 AND group_id = ?2 AND place > ?3 AND +sent_us > {now} - ?4 ORDER BY place LIMIT ?5";

const TAKE: &str = "
    UPDATE q_ordered_message SET visible_us = {now} + ?2, receipt = ?3, received_us = {now},
        receive_count = receive_count + 1
    WHERE id IN (SELECT value FROM json_each(?1))
    RETURNING id, message_id, group_id, attributes, body, receive_count, sent_us, visible_us";

const RETAKE: &str = "
    UPDATE q_ordered_message SET visible_us = {now} + ?2, received_us = {now}
    WHERE id IN (SELECT value FROM json_each(?1))
    RETURNING id, message_id, group_id, attributes, body, receive_count, sent_us, visible_us";

/// Moves to queue ?1, behind all others of each group there.
const MOVE: &str = "
    UPDATE q_ordered_message AS m SET queue_id = ?1, place = to_place, visible_us = {now}, receive_count = 0,
        receipt = NULL, received_us = NULL
    FROM (SELECT n.id AS moved_id, row_number() OVER (PARTITION BY n.group_id ORDER BY j.key) + COALESCE((SELECT max(x.place)
            FROM q_ordered_message x WHERE x.queue_id = ?1 AND x.group_id = n.group_id), 0) AS to_place
        FROM json_each(?2) j CROSS JOIN q_ordered_message n ON n.id = j.value)
    WHERE m.id = moved_id
    RETURNING group_id";

const ATTEMPT: &str = "
    SELECT numbers, receipt FROM q_attempt a WHERE queue_id = ?1 AND attempt_id = ?2 AND expires_us > {now}
        AND visible_us > {now} AND json_array_length(numbers) = (SELECT count(*) FROM json_each(a.numbers) j
            CROSS JOIN q_ordered_message m ON m.id = j.value WHERE m.queue_id = ?1 AND m.receipt = a.receipt
                AND m.visible_us = a.visible_us AND m.sent_us > {now} - ?3)";

const NOTE: &str = "
    INSERT INTO q_attempt (queue_id, attempt_id, numbers, receipt, visible_us, expires_us)
    VALUES (?1, ?2, ?3, ?4, ?5, {now} + {window})
    ON CONFLICT (queue_id, attempt_id) DO UPDATE SET numbers = excluded.numbers, receipt = excluded.receipt,
        visible_us = excluded.visible_us, expires_us = excluded.expires_us";

const DELETE: &str = "
    DELETE FROM q_ordered_message WHERE id IN (SELECT m.id FROM json_each(?2) j
        CROSS JOIN q_ordered_message m ON m.id = j.value ->> 0 AND m.receipt = unhex(j.value ->> 1)
        WHERE m.queue_id = ?1 AND m.visible_us > {now})
    RETURNING id, receipt";

const CHANGE: &str = "
    UPDATE q_ordered_message AS m SET visible_us = {now} + (j.value ->> 2) FROM json_each(?2) j
    WHERE m.id = j.value ->> 0 AND m.receipt = unhex(j.value ->> 1) AND +m.queue_id = ?1
        AND +m.visible_us > {now} AND +m.sent_us > {now} - ?4 AND {now} - m.received_us + (j.value ->> 2) <= ?3
    RETURNING id, receipt";

const FACTS: &str = "
    SELECT m.id, m.queue_id, m.receipt, m.visible_us - {now}, {now} - m.received_us, {now} - m.sent_us
    FROM json_each(?1) j CROSS JOIN q_ordered_message m ON m.id = j.value";

const DEPTH: &str = "
    SELECT count(*) FILTER (WHERE visible_us <= {now}),
        count(*) FILTER (WHERE visible_us > {now} AND receipt IS NOT NULL),
        count(*) FILTER (WHERE visible_us > {now} AND receipt IS NULL),
        {now} - min(sent_us)
    FROM q_ordered_message WHERE queue_id = ?1 AND sent_us > {now} - ?2";

const EXPIRE: &str = "
    DELETE FROM q_ordered_message WHERE id IN (SELECT id FROM q_ordered_message
        WHERE queue_id = ?1 AND sent_us <= {now} - ?2 ORDER BY sent_us LIMIT ?3)
    RETURNING group_id";

/// The statements of ordered queues.
#[derive(Debug)]
pub(in crate::sql::sqlite) struct Ordered {
    pub(in crate::sql::sqlite) remember: Text,
    pub(in crate::sql::sqlite) known: Text,
    pub(in crate::sql::sqlite) insert: Text,
    pub(in crate::sql::sqlite) enter: Text,
    pub(in crate::sql::sqlite) tally: Text,
    pub(in crate::sql::sqlite) leave: Text,
    pub(in crate::sql::sqlite) ready: Text,
    pub(in crate::sql::sqlite) heads: Text,
    pub(in crate::sql::sqlite) take: Text,
    pub(in crate::sql::sqlite) retake: Text,
    pub(in crate::sql::sqlite) move_to: Text,
    pub(in crate::sql::sqlite) attempt: Text,
    pub(in crate::sql::sqlite) note: Text,
    pub(in crate::sql::sqlite) shorten: Text,
    pub(in crate::sql::sqlite) delete: Text,
    pub(in crate::sql::sqlite) change: Text,
    pub(in crate::sql::sqlite) facts: Text,
    pub(in crate::sql::sqlite) depth: Text,
    pub(in crate::sql::sqlite) purge: Text,
    pub(in crate::sql::sqlite) expire: Text,
}

impl Ordered {
    pub(super) fn new(writer: &Writer<'_>) -> Self {
        let write = |template: &str| writer.write(&template.replace("{window}", &WINDOW_US.to_string()));
        Self {
            remember: write(REMEMBER),
            known: write("SELECT message_id FROM q_deduplication WHERE queue_id = ?1 AND identity = ?2"),
            insert: write(INSERT),
            enter: write(ENTER),
            tally: write(TALLY),
            leave: write(LEAVE),
            ready: write(READY),
            heads: write(HEADS),
            take: write(TAKE),
            retake: write(RETAKE),
            move_to: write(MOVE),
            attempt: write(ATTEMPT),
            note: write(NOTE),
            shorten: write(
                "UPDATE q_attempt SET numbers = ?3, visible_us = ?4 WHERE queue_id = ?1 AND attempt_id = ?2",
            ),
            delete: write(DELETE),
            change: write(CHANGE),
            facts: write(FACTS),
            depth: write(DEPTH),
            purge: write(
                "DELETE FROM q_ordered_message WHERE id IN
                 (SELECT id FROM q_ordered_message WHERE queue_id = ?1 LIMIT ?2) RETURNING group_id",
            ),
            expire: write(EXPIRE),
        }
    }
}
