-- One row per slot of a key. While a token is set, expires_us is the end of the lease; while none is, since when the
-- slot is free. Times are microseconds since 1970, so that no session's time zone touches them. A key's slots are
-- numbered without a gap.
CREATE TABLE IF NOT EXISTS sem_slot (
  sem_key     varbinary(255) NOT NULL,
  slot        smallint unsigned NOT NULL,
  token       binary(16) NULL,
  context     varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  acquired_us bigint NOT NULL DEFAULT 0,
  expires_us  bigint NOT NULL,
  fence       bigint unsigned NOT NULL,
  PRIMARY KEY (sem_key, slot)
) ENGINE = InnoDB;

-- The highest fencing number of any slot that was ever collected: slots are made above it.
CREATE TABLE IF NOT EXISTS sem_floor (id smallint NOT NULL PRIMARY KEY, fence bigint unsigned NOT NULL) ENGINE = InnoDB;

INSERT IGNORE INTO sem_floor (id, fence) VALUES (1, 0);
