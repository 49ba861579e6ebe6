-- The tables of the queues, version 1, for MariaDB 10.6 or later and MySQL 8. Names begin with q_; put another prefix there if
-- you use one. By hand: mysql DATABASE < 0001_queue.sql; it can be run again, and by several at once.
-- Times are microseconds since 1970, UTC. What is text is stored as bytes of UTF-8, so that it is compared byte for byte.

CREATE TABLE IF NOT EXISTS q_migration (
  version BIGINT NOT NULL PRIMARY KEY,
  applied_us BIGINT NOT NULL
) ENGINE=InnoDB;

CREATE TABLE IF NOT EXISTS q_queue (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARBINARY(80) NOT NULL UNIQUE,
  tag BIGINT NOT NULL,
  ordered BOOLEAN NOT NULL,
  content_deduplication BOOLEAN NOT NULL,
  visibility_us BIGINT NOT NULL,
  delay_us BIGINT NOT NULL,
  retention_us BIGINT NOT NULL,
  max_receive_count INT NULL,
  dead_letter_id BIGINT NULL
) ENGINE=InnoDB;

-- Messages of standard queues.
CREATE TABLE IF NOT EXISTS q_message (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  queue_id BIGINT NOT NULL,
  visible_us BIGINT NOT NULL,
  received_us BIGINT NULL,
  sent_us BIGINT NOT NULL,
  receive_count INT NOT NULL DEFAULT 0,
  receipt BINARY(16) NULL,
  message_id BINARY(16) NOT NULL,
  group_id VARBINARY(128) NULL,
  attributes MEDIUMBLOB NULL,
  body MEDIUMBLOB NOT NULL,
  KEY q_message_ready (queue_id, visible_us, id)
) ENGINE=InnoDB;

-- Messages of ordered queues. Their ids are given out by their groups, so that no index on the id alone is needed.
CREATE TABLE IF NOT EXISTS q_ordered_message (
  id BIGINT NOT NULL,
  queue_id BIGINT NOT NULL,
  group_id VARBINARY(128) NOT NULL,
  visible_us BIGINT NOT NULL,
  received_us BIGINT NULL,
  sent_us BIGINT NOT NULL,
  receive_count INT NOT NULL DEFAULT 0,
  receipt BINARY(16) NULL,
  message_id BINARY(16) NOT NULL,
  moved_from BIGINT NULL, -- its id in the queue that it was moved from
  attributes MEDIUMBLOB NULL,
  body MEDIUMBLOB NOT NULL,
  PRIMARY KEY (queue_id, group_id, id)
) ENGINE=InnoDB;

-- The groups that have messages: when one can be received from; zero if all it has is past its retention. Whoever changes
-- messages of a group locks its row first.
CREATE TABLE IF NOT EXISTS q_group (
  queue_id BIGINT NOT NULL,
  group_id VARBINARY(128) NOT NULL,
  ready_us BIGINT NULL,
  last_id BIGINT NOT NULL, -- the id of its latest message; it begins with the time, so that a group made anew repeats none
  PRIMARY KEY (queue_id, group_id),
  KEY q_group_ready (queue_id, ready_us)
) ENGINE=InnoDB;

-- What was published to ordered queues within the deduplication window.
CREATE TABLE IF NOT EXISTS q_deduplication (
  queue_id BIGINT NOT NULL,
  identity VARBINARY(133) NOT NULL,
  message_id BINARY(16) NOT NULL,
  expires_us BIGINT NOT NULL,
  PRIMARY KEY (queue_id, identity),
  KEY q_deduplication_age (queue_id, expires_us)
) ENGINE=InnoDB;

-- What receives of ordered queues took, so that they can be repeated: the messages as JSON, a list of group and id.
CREATE TABLE IF NOT EXISTS q_attempt (
  queue_id BIGINT NOT NULL,
  attempt_id VARBINARY(128) NOT NULL,
  receipt BINARY(16) NOT NULL,
  visible_us BIGINT NOT NULL,
  messages BLOB NOT NULL,
  expires_us BIGINT NOT NULL,
  PRIMARY KEY (queue_id, attempt_id),
  KEY q_attempt_age (queue_id, expires_us)
) ENGINE=InnoDB;

INSERT IGNORE INTO q_migration (version, applied_us)
VALUES (1, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)));
