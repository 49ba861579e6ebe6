-- Queues, version 1. Applied by `migrate`, or by hand: sqlite3 -bail jobs.db < 0001_queue.sql
-- Times are microseconds since 1970 by SQLite's clock, which counts milliseconds. SQLite 3.42 or later.

CREATE TABLE IF NOT EXISTS q_migration (
  version    INTEGER PRIMARY KEY,
  applied_us INTEGER NOT NULL
) STRICT;

CREATE TABLE q_queue (
  id                    INTEGER PRIMARY KEY AUTOINCREMENT,
  name                  TEXT NOT NULL UNIQUE,
  tag                   INTEGER NOT NULL,
  ordered               INTEGER NOT NULL,
  content_deduplication INTEGER NOT NULL,
  visibility_us         INTEGER NOT NULL,
  delay_us              INTEGER NOT NULL,
  retention_us          INTEGER NOT NULL,
  max_receive_count     INTEGER,
  dead_letter_id        INTEGER
) STRICT;

-- The messages of standard queues. Numbers are never used again (AUTOINCREMENT), as receipts carry them.
-- `since_us` is since when it was visible when it was received last: RETURNING sees no value from before the update, and
-- a receive answers in that order.
CREATE TABLE q_message (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  queue_id      INTEGER NOT NULL,
  message_id    BLOB NOT NULL,
  visible_us    INTEGER NOT NULL,
  since_us      INTEGER,
  receive_count INTEGER NOT NULL DEFAULT 0,
  receipt       BLOB,
  received_us   INTEGER,
  sent_us       INTEGER NOT NULL,
  group_id      TEXT,
  attributes    TEXT,
  body          TEXT NOT NULL
) STRICT;

-- The number is the last column of every index of a table with an INTEGER PRIMARY KEY.
CREATE INDEX q_message_ready ON q_message (queue_id, visible_us);

-- The messages of ordered queues, in each group by place. A message that moves to another queue keeps its number and
-- gets a place behind all others of its group there.
CREATE TABLE q_ordered_message (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  queue_id      INTEGER NOT NULL,
  group_id      TEXT NOT NULL,
  place         INTEGER NOT NULL,
  message_id    BLOB NOT NULL,
  visible_us    INTEGER NOT NULL,
  receive_count INTEGER NOT NULL DEFAULT 0,
  receipt       BLOB,
  received_us   INTEGER,
  sent_us       INTEGER NOT NULL,
  attributes    TEXT,
  body          TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX q_ordered_message_place ON q_ordered_message (queue_id, group_id, place);
-- Messages past their retention are anywhere in their groups.
CREATE INDEX q_ordered_message_age ON q_ordered_message (queue_id, sent_us);

-- The groups that have messages. `ready_us` is from when on a group can be received from, NULL if all it has is past its
-- retention; `turn`, the number of its head, parts those that became ready in the same millisecond.
CREATE TABLE q_group (
  queue_id INTEGER NOT NULL,
  group_id TEXT NOT NULL,
  ready_us INTEGER,
  turn     INTEGER NOT NULL,
  PRIMARY KEY (queue_id, group_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX q_group_ready ON q_group (queue_id, ready_us, turn);

CREATE TABLE q_deduplication (
  queue_id   INTEGER NOT NULL,
  identity   TEXT NOT NULL,
  message_id BLOB NOT NULL,
  expires_us INTEGER NOT NULL,
  PRIMARY KEY (queue_id, identity)
) STRICT, WITHOUT ROWID;

CREATE INDEX q_deduplication_age ON q_deduplication (queue_id, expires_us);

-- What a receive under an attempt id brought: the numbers, a JSON array, and until when they are hidden.
CREATE TABLE q_attempt (
  queue_id   INTEGER NOT NULL,
  attempt_id TEXT NOT NULL,
  numbers    TEXT NOT NULL,
  receipt    BLOB NOT NULL,
  visible_us INTEGER NOT NULL,
  expires_us INTEGER NOT NULL,
  PRIMARY KEY (queue_id, attempt_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX q_attempt_age ON q_attempt (queue_id, expires_us);

INSERT INTO q_migration (version, applied_us)
VALUES (1, CAST(unixepoch('subsec') * 1000 + 0.5 AS INTEGER) * 1000);
