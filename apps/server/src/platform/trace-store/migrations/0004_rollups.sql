-- What analytics need of an hour's traces, made anew as a whole whenever the hour's traces have changed: nothing is ever added to it, so what is
-- sent twice, comes late, or is deleted cannot make it wrong. `built` tells one making from the next, and only the newest that stands
-- in rollup_hours counts.
CREATE TABLE IF NOT EXISTS request_rollups
(
    project_id UUID,
    hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
    built UInt64 CODEC(Delta, ZSTD(1)),
    method LowCardinality(String),
    -- The route, or the path with what looks like an id as :id.
    endpoint LowCardinality(String),
    -- 2 for 200 to 299; 0: the request got no answer.
    status_class UInt8,
    service LowCardinality(String),
    environment LowCardinality(String),
    release LowCardinality(String),
    requests UInt64 CODEC(T64, ZSTD(1)),
    errors UInt64 CODEC(T64, ZSTD(1)),
    duration_micros_sum UInt64 CODEC(T64, ZSTD(1)),
    duration_micros_max UInt64 CODEC(T64, ZSTD(1)),
    durations AggregateFunction(quantilesDD(0.005, 0.5, 0.95, 0.99), Float64) CODEC(ZSTD(1)),
    steps_sum UInt64 CODEC(T64, ZSTD(1)),
    steps_max UInt32 CODEC(T64, ZSTD(1)),
    -- Sums, and of how many requests: not every request tells.
    heap_used_sum Float64 CODEC(ZSTD(1)),
    heap_used_count UInt64 CODEC(T64, ZSTD(1)),
    cpu_usage_sum Float64 CODEC(ZSTD(1)),
    cpu_usage_count UInt64 CODEC(T64, ZSTD(1)),
    event_loop_delay_sum Float64 CODEC(ZSTD(1)),
    event_loop_delay_count UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (project_id, hour, built, endpoint, method, status_class);

-- The same hour by hour for each user: hours, not days, since a day is another one in each time zone.
CREATE TABLE IF NOT EXISTS user_rollups
(
    project_id UUID,
    hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
    built UInt64 CODEC(Delta, ZSTD(1)),
    user_id String CODEC(ZSTD(1)),
    requests UInt64 CODEC(T64, ZSTD(1)),
    errors UInt64 CODEC(T64, ZSTD(1)),
    duration_micros_sum UInt64 CODEC(T64, ZSTD(1)),
    first_start DateTime64(6, 'UTC') CODEC(ZSTD(1)),
    last_start DateTime64(6, 'UTC') CODEC(ZSTD(1)),
    -- Pauses of half an hour or more within the hour: with first and last, a user's sessions can be counted over any hours.
    pauses UInt32 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (project_id, hour, built, user_id);

-- Which making of an hour counts: written last, so one that was cut off does not.
CREATE TABLE IF NOT EXISTS rollup_hours
(
    project_id UUID,
    hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
    built UInt64 CODEC(Delta, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (project_id, hour, built);

-- Hours whose traces may have changed since they were rolled up: written before the change, so a crash in between only costs work.
CREATE TABLE IF NOT EXISTS rollup_marks
(
    project_id UUID,
    hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
    mark UUID,
    marked_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (project_id, hour, mark);

-- What was stored before there were rollups.
INSERT INTO rollup_marks
SELECT project_id, hour, generateUUIDv4(), now64(3)
FROM (SELECT DISTINCT project_id, toStartOfHour(start_time) AS hour FROM traces)
WHERE (project_id, hour) NOT IN (SELECT project_id, hour FROM rollup_marks);
