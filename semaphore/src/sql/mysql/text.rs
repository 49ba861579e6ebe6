//! The statements as MySQL and `MariaDB` take them.
//!
//! The clock is `UTC_TIMESTAMP(6)`, the start of the statement, whatever the session's time zone and its changes to and
//! from summer time. A lease that is set by the start of a statement is, if it waited, shorter than was asked for, and still
//! ends after the holder's trusted time, which is counted from before it was sent.

use crate::sql::text::Text;

pub(super) const TEXT: Text<&'static str> = Text {
    now: "TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6))",
    acquire: ACQUIRE,
    grow: GROW,
    renew: "UPDATE sem_slot SET expires_us = {now} + ?, context = COALESCE(?, context) \
            WHERE sem_key = ? AND slot = ? AND token = ? AND expires_us > {now}",
    // The answer's "last insert id" tells whether the lease still ran.
    release: "UPDATE sem_slot SET token = NULL, context = NULL, \
                expires_us = IF(LAST_INSERT_ID(expires_us > {now}), {now}, expires_us) \
              WHERE sem_key = ? AND slot = ? AND token = ?",
    release_all: "UPDATE sem_slot SET token = NULL, context = NULL, expires_us = {now} \
                  WHERE sem_key = ? AND token IS NOT NULL AND expires_us > {now}",
    // Sent with the keys put in: a prepared statement would have to be another for each number of keys.
    holders: "SELECT sem_key, slot, token, context, fence, acquired_us, expires_us, expires_us - {now} \
              FROM sem_slot WHERE sem_key IN ({keys}) \
                AND token IS NOT NULL AND expires_us > {now} ORDER BY sem_key, slot",
    raise: "",
    // Sent as one packet with the keys, the idle time and the highest number put in: see the file collect.rs.
    collect: "START TRANSACTION; \
              UPDATE sem_floor SET fence = GREATEST(fence, {top}) WHERE id = 1; \
              SELECT MAX(fence) FROM sem_slot WHERE sem_key IN ({keys}) FOR UPDATE; \
              DELETE gone FROM sem_slot AS gone JOIN ( \
                SELECT sem_key FROM sem_slot WHERE sem_key IN ({keys}) GROUP BY sem_key \
                HAVING MAX(expires_us) <= {now} - {idle} AND MAX(fence) <= {top} \
              ) AS idle ON idle.sem_key = gone.sem_key; \
              COMMIT",
    idle: "SELECT sem_key, MAX(fence), COUNT(*) FROM sem_slot GROUP BY sem_key \
           HAVING MAX(expires_us) <= {now} - ? ORDER BY sem_key LIMIT ?",
    ledger: "CREATE TABLE IF NOT EXISTS sem_ledger ( \
               version int NOT NULL PRIMARY KEY, applied_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP) \
             ENGINE = InnoDB",
    version: "SELECT COALESCE(MAX(version), 0) FROM sem_ledger",
    note: "INSERT IGNORE INTO sem_ledger (version) VALUES (?)",
    prepared: true,
};

/// The answer's "last insert id" brings the slot and the number of a hit. On the way there, and so after a miss, it
/// brings the number of slots there are: each slot that is passed over notes its own number plus one; they are passed
/// in the order of the primary key, and have no gap (see `COLLECT`). No row at all leaves it zero.
const ACQUIRE: &str = "\
    UPDATE sem_slot FORCE INDEX (PRIMARY) SET token = ?, context = ?, \
      acquired_us = {now}, expires_us = {now} + ?, fence = LAST_INSERT_ID((fence + 1) * 65536 + slot) >> 16 \
    WHERE sem_key = ? AND slot < ? AND (token IS NULL OR expires_us <= {now} OR LAST_INSERT_ID(slot + 1) = 0) \
    LIMIT 1";

/// The share lock on the floor is held until the new rows are committed: whoever raises the floor waits for it, and if
/// the raise came first, the lock waits for that and reads what it wrote. A new slot is idle from a second on only, lest it
/// be collected before it can be taken.
const GROW: &str = "\
    INSERT IGNORE INTO sem_slot (sem_key, slot, expires_us, fence) \
    WITH RECURSIVE series (n, until) AS ( \
      SELECT CAST(? AS SIGNED), CAST(? AS SIGNED) UNION ALL SELECT n + 1, until FROM series WHERE n + 1 < until) \
    SELECT ?, series.n, {now} + 1000000, sem_floor.fence FROM sem_floor CROSS JOIN series WHERE sem_floor.id = 1 \
    LOCK IN SHARE MODE";
