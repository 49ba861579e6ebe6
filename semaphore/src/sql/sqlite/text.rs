//! The statements as `SQLite` takes them.
//!
//! `'now'` is read once a statement, after the write lock was had, in whole milliseconds: what is less is cut off, always, so
//! that a lease may be shorter than was asked for by less than one. A permit's margin is larger.

use crate::sql::text::Text;

pub(super) const TEXT: Text<&'static str> = Text {
    now: "(CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000)",
    acquire: ACQUIRE,
    grow: "",
    renew: "UPDATE sem_slot SET expires_us = {now} + ?4, context = coalesce(?5, context) \
            WHERE sem_key = ?1 AND slot = ?2 AND token = ?3 AND expires_us > {now}",
    // The new end is the old one if that has passed: it tells a late release, and since when the slot is free.
    release: "UPDATE sem_slot SET token = NULL, context = NULL, \
                acquired_us = expires_us > {now}, expires_us = min(expires_us, {now}) \
              WHERE sem_key = ?1 AND slot = ?2 AND token = ?3 RETURNING acquired_us",
    release_all: "UPDATE sem_slot SET token = NULL, context = NULL, expires_us = {now} \
                  WHERE sem_key = ?1 AND token IS NOT NULL AND expires_us > {now}",
    holders: "SELECT sem_key, slot, token, context, fence, acquired_us, expires_us, expires_us - {now} \
              FROM sem_slot WHERE sem_key IN (SELECT value FROM json_each(?1)) \
                AND token IS NOT NULL AND expires_us > {now} ORDER BY sem_key, slot",
    raise: "UPDATE sem_floor SET fence = (SELECT max(fence) FROM sem_slot WHERE expires_us <= {now} - ?1) \
            WHERE id = 1 AND fence < (SELECT max(fence) FROM sem_slot WHERE expires_us <= {now} - ?1)",
    collect: COLLECT,
    idle: "",
    ledger: "CREATE TABLE IF NOT EXISTS sem_ledger (version INTEGER PRIMARY KEY) STRICT",
    version: "SELECT coalesce(max(version), 0) FROM sem_ledger",
    note: "INSERT INTO sem_ledger (version) VALUES (?1)",
    prepared: true,
};

/// Takes the lowest free slot, or else makes the next one above the floor. As there is one writer at a time, nobody comes
/// in between; as keys are collected as a whole, their slots have no gap, and their number is the next one's.
const ACQUIRE: &str = "\
    INSERT INTO sem_slot (sem_key, slot, token, context, acquired_us, expires_us, fence) \
    SELECT ?1, pick.slot, ?3, ?4, {now}, {now} + ?5, (SELECT fence + 1 FROM sem_floor WHERE id = 1) \
    FROM (SELECT coalesce( \
        (SELECT slot FROM sem_slot \
         WHERE sem_key = ?1 AND slot < ?2 AND (token IS NULL OR expires_us <= {now}) ORDER BY slot LIMIT 1), \
        (SELECT count(*) FROM sem_slot WHERE sem_key = ?1 AND slot < ?2)) AS slot) AS pick \
    WHERE pick.slot < ?2 \
    ON CONFLICT (sem_key, slot) DO UPDATE SET token = excluded.token, context = excluded.context, \
      acquired_us = excluded.acquired_us, expires_us = excluded.expires_us, fence = sem_slot.fence + 1 \
    RETURNING slot, fence";

/// Keys go as a whole, as many of them as have `?2` slots together, but one at least.
const COLLECT: &str = "\
    WITH keys AS ( \
      SELECT sem_key, count(*) AS slots FROM sem_slot GROUP BY sem_key \
      HAVING max(expires_us) <= {now} - ?1 AND max(fence) <= (SELECT fence FROM sem_floor WHERE id = 1) \
      ORDER BY sem_key LIMIT ?2 \
    ), sums AS ( \
      SELECT sem_key, sum(slots) OVER (ORDER BY sem_key) AS total, slots FROM keys \
    ) \
    DELETE FROM sem_slot WHERE sem_key IN (SELECT sem_key FROM sums WHERE total <= ?2 OR total = slots)";
