-- The country of the client's network (ISO 3166-1, two letters), looked up before the address was shortened; empty: not known.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS country LowCardinality(String);

-- The steps of an hour's requests, made anew with the hour's other rollups and read by the same rules.
CREATE TABLE IF NOT EXISTS step_rollups
(
    project_id UUID,
    hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
    built UInt64 CODEC(Delta, ZSTD(1)),
    service LowCardinality(String),
    environment LowCardinality(String),
    release LowCardinality(String),
    -- Of requests to other servers with :id for what looks like an id in the path.
    name LowCardinality(String),
    type LowCardinality(String),
    -- What a database, cache, queue or other server is called; empty for other steps.
    dependency LowCardinality(String),
    -- A row that stands for many calls counts as many.
    executions UInt64 CODEC(T64, ZSTD(1)),
    errors UInt64 CODEC(T64, ZSTD(1)),
    duration_micros_sum UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (project_id, hour, built, type, name);

-- How long the pauses that end a session took within the hour.
ALTER TABLE user_rollups ADD COLUMN IF NOT EXISTS paused_micros UInt64 CODEC(T64, ZSTD(1));

-- What was rolled up before all this was in it is made anew.
INSERT INTO rollup_marks
SELECT project_id, hour, generateUUIDv4(), now64(3)
FROM (SELECT DISTINCT project_id, hour FROM rollup_hours)
WHERE (project_id, hour) NOT IN (SELECT project_id, hour FROM rollup_marks);
