-- One row per slot of a key. While a token is set, expires_us is the end of the lease; while none is, since when the
-- slot is free. Times are microseconds since 1970. A key's slots are numbered without a gap.
CREATE TABLE IF NOT EXISTS sem_slot (
  sem_key     TEXT NOT NULL,
  slot        INTEGER NOT NULL,
  token       BLOB,
  context     TEXT,
  acquired_us INTEGER NOT NULL,
  expires_us  INTEGER NOT NULL,
  fence       INTEGER NOT NULL,
  PRIMARY KEY (sem_key, slot)
) WITHOUT ROWID, STRICT;

-- The highest fencing number of any slot that was ever collected: slots are made above it.
CREATE TABLE IF NOT EXISTS sem_floor (id INTEGER PRIMARY KEY CHECK (id = 1), fence INTEGER NOT NULL) STRICT;

INSERT OR IGNORE INTO sem_floor (id, fence) VALUES (1, 0);
