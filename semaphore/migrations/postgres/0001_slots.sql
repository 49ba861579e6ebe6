-- One row per slot of a key. While a token is set, expires_at is the end of the lease; while none is, since when the
-- slot is free. There is no index but the primary key: one on token or expires_at would end HOT updates.
CREATE TABLE IF NOT EXISTS sem_slot (
  sem_key     text COLLATE "C" NOT NULL CHECK (length(sem_key) BETWEEN 1 AND 255),
  slot        integer NOT NULL CHECK (slot >= 0),
  token       uuid,
  context     text,
  acquired_at timestamptz,
  expires_at  timestamptz NOT NULL,
  fence       bigint NOT NULL,
  PRIMARY KEY (sem_key, slot)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The highest fencing number of any slot that was ever collected: slots are made above it.
CREATE TABLE IF NOT EXISTS sem_floor (id smallint PRIMARY KEY CHECK (id = 1), fence bigint NOT NULL);

INSERT INTO sem_floor (id, fence) VALUES (1, 0) ON CONFLICT DO NOTHING;
