-- Who asked for requests, made anew with the hour's other rollups and read by the same rules: a row for each request whose caller is known, so that
-- lists find the requests themselves.
CREATE TABLE IF NOT EXISTS caller_rollups
(
    project_id UUID,
    hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
    built UInt64 CODEC(Delta, ZSTD(1)),
    -- The service that asked, and the one that answered.
    source LowCardinality(String),
    service LowCardinality(String),
    -- The `id` of its row in traces.
    request UUID CODEC(ZSTD(1)),
    start_time DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
    environment LowCardinality(String),
    release LowCardinality(String),
    is_error Bool,
    duration_micros UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (project_id, hour, built, source, service);

-- What was rolled up before this was in it, and before spans of one service and trace were all counted, is made anew.
INSERT INTO rollup_marks
SELECT project_id, hour, generateUUIDv4(), now64(3)
FROM (SELECT DISTINCT project_id, hour FROM rollup_hours)
WHERE (project_id, hour) NOT IN (SELECT project_id, hour FROM rollup_marks);
