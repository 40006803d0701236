-- The callers of requests. Rebuilt together with the hour's other rollups, and read by the same rules. One row per request with a known
-- caller, so that lists find the requests themselves.
CREATE TABLE IF NOT EXISTS caller_rollups
(
    project_id UUID,
    hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
    built UInt64 CODEC(Delta, ZSTD(1)),
    -- The calling service, and the called service.
    source LowCardinality(String),
    service LowCardinality(String),
    -- The `id` of the request's row in `traces`.
    request UUID CODEC(ZSTD(1)),
    start_time DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
    environment LowCardinality(String),
    release LowCardinality(String),
    is_error Bool,
    duration_micros UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (project_id, hour, built, source, service);

-- Marks all rolled-up hours, so that they are rebuilt with this table, and with all spans of a service in one trace counted.
INSERT INTO rollup_marks
SELECT project_id, hour, generateUUIDv4(), now64(3)
FROM (SELECT DISTINCT project_id, hour FROM rollup_hours)
WHERE (project_id, hour) NOT IN (SELECT project_id, hour FROM rollup_marks);
