//! The statements as `PostgreSQL` takes them.
//!
//! Searches use `now()`, the start of the statement: `clock_timestamp()` in a search can't be an index condition, and what had
//! run out at the start has run out. Leases are set by `clock_timestamp()`. Compares beside a whole primary key use
//! `clock_timestamp()` too, as the statement may have waited for the row's lock.

use crate::sql::text::Text;

pub(super) const TEXT: Text<&'static str> = Text {
    now: "now()",
    acquire: ACQUIRE,
    grow: GROW,
    renew: "UPDATE sem_slot SET expires_at = clock_timestamp() + $4::bigint * interval '1 microsecond', \
              context = coalesce($5, context) \
            WHERE sem_key = $1 AND slot = $2 AND token = $3 AND expires_at > clock_timestamp()",
    // The new end is the old one if that has passed: it tells a late release, and since when the slot is free.
    release: "UPDATE sem_slot SET token = NULL, context = NULL, expires_at = least(expires_at, clock_timestamp()) \
              WHERE sem_key = $1 AND slot = $2 AND token = $3 RETURNING expires_at >= now()",
    release_all: "UPDATE sem_slot SET token = NULL, context = NULL, expires_at = clock_timestamp() \
                  WHERE sem_key = $1 AND token IS NOT NULL AND expires_at > now()",
    holders: "SELECT sem_key, slot, token, context, fence, \
                (extract(epoch FROM acquired_at) * 1000000)::bigint, \
                (extract(epoch FROM expires_at) * 1000000)::bigint, \
                (extract(epoch FROM expires_at - now()) * 1000000)::bigint \
              FROM sem_slot WHERE sem_key = ANY($1) AND token IS NOT NULL AND expires_at > now() ORDER BY sem_key, slot",
    raise: "UPDATE sem_floor SET fence = idle.top FROM ( \
              SELECT max(fence) AS top FROM sem_slot WHERE expires_at <= now() - $1::bigint * interval '1 microsecond' \
            ) AS idle WHERE id = 1 AND fence < idle.top",
    collect: COLLECT,
    idle: "",
    ledger: "SELECT pg_advisory_xact_lock(hashtext('sem_ledger')); \
             CREATE TABLE IF NOT EXISTS sem_ledger ( \
               version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
    version: "SELECT coalesce(max(version), 0) FROM sem_ledger",
    note: "INSERT INTO sem_ledger (version) VALUES ($1)",
    prepared: true,
};

/// A row that is locked is being taken, renewed, freed or collected: the next one will do. After a miss, and only then,
/// the rows are counted, so that "full" is told from "not made yet" and from "locked just now" without a second trip.
///
/// The first part picks by the latest version of a row, the last one counts by the statement's snapshot: a slot that
/// another took in the meantime counts as free, and the miss as contended, never the other way round.
const ACQUIRE: &str = "\
    WITH free AS MATERIALIZED ( \
      SELECT slot FROM sem_slot \
      WHERE sem_key = $1 AND slot < $2 AND (token IS NULL OR expires_at <= now()) \
      ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED \
    ), taken AS ( \
      UPDATE sem_slot AS s SET token = $3, context = $4, acquired_at = clock_timestamp(), \
        expires_at = clock_timestamp() + $5::bigint * interval '1 microsecond', fence = s.fence + 1 \
      FROM free WHERE s.sem_key = $1 AND s.slot = free.slot RETURNING s.slot, s.fence \
    ) \
    SELECT slot, fence, NULL::bigint, NULL::bigint FROM taken \
    UNION ALL \
    SELECT NULL, NULL, count(*), count(*) FILTER (WHERE token IS NOT NULL AND expires_at > now()) \
    FROM sem_slot WHERE sem_key = $1 AND slot < $2 AND NOT EXISTS (SELECT 1 FROM taken)";

/// The share lock on the floor is held until the new rows are committed: whoever raises the floor waits for it, and if
/// the raise came first, the lock waits for that and reads what it wrote. A new slot is idle from a second on only, lest it
/// be collected before it can be taken.
const GROW: &str = "\
    WITH floor AS MATERIALIZED (SELECT fence FROM sem_floor WHERE id = 1 FOR SHARE) \
    INSERT INTO sem_slot (sem_key, slot, expires_at, fence) \
    SELECT $1, n, now() + interval '1 second', floor.fence FROM floor, generate_series($2, $3 - 1) AS n \
    ON CONFLICT DO NOTHING";

/// Keys go as a whole, as many of them as have `$2` slots together, but one at least. A row that is locked is not idle.
/// Rows are locked first and compared again then, as another may have had them.
const COLLECT: &str = "\
    WITH keys AS ( \
      SELECT sem_key, count(*) AS slots FROM sem_slot GROUP BY sem_key \
      HAVING max(expires_at) <= now() - $1::bigint * interval '1 microsecond' ORDER BY sem_key LIMIT $2 \
    ), sums AS ( \
      SELECT sem_key, sum(slots) OVER (ORDER BY sem_key) AS total, slots FROM keys \
    ), idle AS MATERIALIZED ( \
      SELECT sem_key FROM sums WHERE total <= $2 OR total = slots \
    ), free AS MATERIALIZED ( \
      SELECT sem_key, slot FROM sem_slot \
      WHERE sem_key IN (SELECT sem_key FROM idle) AND expires_at <= now() - $1::bigint * interval '1 microsecond' \
        AND fence <= (SELECT fence FROM sem_floor WHERE id = 1) \
      FOR UPDATE SKIP LOCKED \
    ) \
    DELETE FROM sem_slot AS s USING free WHERE s.sem_key = free.sem_key AND s.slot = free.slot";
