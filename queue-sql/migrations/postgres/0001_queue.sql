-- The tables of the queues, version 1. Names begin with q_; put another prefix there if you use one.
-- By hand, in one transaction: psql --single-transaction -v ON_ERROR_STOP=1 -f 0001_queue.sql

CREATE TABLE q_migration (
  version bigint PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE q_queue (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  tag bigint NOT NULL,
  ordered boolean NOT NULL,
  content_deduplication boolean NOT NULL,
  visibility_us bigint NOT NULL,
  delay_us bigint NOT NULL,
  retention_us bigint NOT NULL,
  max_receive_count integer,
  dead_letter_id bigint
);

-- Messages of standard queues. Dead versions have to go soon, as receives walk past them: a vacuum per so many rows,
-- not per share of the table, and without pauses. Statistics are made early, so that plans from the time when the table was
-- small don't last.
CREATE TABLE q_message (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  queue_id bigint NOT NULL,
  visible_at timestamptz NOT NULL,
  received_at timestamptz,
  sent_at timestamptz NOT NULL,
  receive_count integer NOT NULL DEFAULT 0,
  receipt uuid,
  message_id uuid NOT NULL,
  group_id text COLLATE "C",
  attributes text,
  body text NOT NULL
) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000
);

CREATE INDEX q_message_ready ON q_message (queue_id, visible_at, id);

-- Messages of ordered queues. A receive changes no indexed column: with room in its page the row stays where it is in the
-- index. No index on id alone: a plan that walks it passes all messages of other groups.
CREATE TABLE q_ordered_message (
  id bigint GENERATED ALWAYS AS IDENTITY,
  queue_id bigint NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  visible_at timestamptz NOT NULL,
  received_at timestamptz,
  sent_at timestamptz NOT NULL,
  receive_count integer NOT NULL DEFAULT 0,
  receipt uuid,
  message_id uuid NOT NULL,
  moved_from bigint, -- its id in the queue that it was moved from
  attributes text,
  body text NOT NULL,
  PRIMARY KEY (queue_id, group_id, id)
) WITH (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000
);

-- When a group can be received from: null if it has no messages. Whoever changes messages of a group locks its row first.
CREATE TABLE q_group (
  queue_id bigint NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  ready_at timestamptz,
  PRIMARY KEY (queue_id, group_id)
) WITH (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000
);

CREATE INDEX q_group_ready ON q_group (queue_id, ready_at);

-- What was published to ordered queues within the deduplication window.
CREATE TABLE q_deduplication (
  queue_id bigint NOT NULL,
  identity text COLLATE "C" NOT NULL,
  message_id uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (queue_id, identity)
) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0
);

CREATE INDEX q_deduplication_age ON q_deduplication (queue_id, expires_at);

-- What receives of ordered queues took, so that they can be repeated.
CREATE TABLE q_attempt (
  queue_id bigint NOT NULL,
  attempt_id text COLLATE "C" NOT NULL,
  receipt uuid NOT NULL,
  visible_at timestamptz NOT NULL,
  group_ids text[] NOT NULL,
  ids bigint[] NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (queue_id, attempt_id)
) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0
);

CREATE INDEX q_attempt_age ON q_attempt (queue_id, expires_at);

INSERT INTO q_migration (version) VALUES (1);
