-- The country of the client's network (ISO 3166-1, two letters), looked up before the address was truncated; empty if unknown.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS country LowCardinality(String);

-- The steps of an hour's requests. Rebuilt together with the hour's other rollups, and read by the same rules.
CREATE TABLE IF NOT EXISTS step_rollups
(
    project_id UUID,
    hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
    built UInt64 CODEC(Delta, ZSTD(1)),
    service LowCardinality(String),
    environment LowCardinality(String),
    release LowCardinality(String),
    -- The step's name. Requests to other servers have :id in place of path segments that look like ids.
    name LowCardinality(String),
    type LowCardinality(String),
    -- The name of the database, cache, queue or other server that the step calls; empty for other steps.
    dependency LowCardinality(String),
    -- The number of calls. A step that represents many calls counts all of them.
    executions UInt64 CODEC(T64, ZSTD(1)),
    errors UInt64 CODEC(T64, ZSTD(1)),
    duration_micros_sum UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (project_id, hour, built, type, name);

-- The total duration of the pauses that end a session within the hour.
ALTER TABLE user_rollups ADD COLUMN IF NOT EXISTS paused_micros UInt64 CODEC(T64, ZSTD(1));

-- Marks all rolled-up hours, so that their rollups are rebuilt with the new columns and tables.
INSERT INTO rollup_marks
SELECT project_id, hour, generateUUIDv4(), now64(3)
FROM (SELECT DISTINCT project_id, hour FROM rollup_hours)
WHERE (project_id, hour) NOT IN (SELECT project_id, hour FROM rollup_marks);
