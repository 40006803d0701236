-- The data that analytics need about one hour of traces. After a change of the hour's traces, the hour is rebuilt completely and nothing is
-- added to the old rows, so traces that are sent twice, arrive late or are deleted cannot make the rollup wrong. `built` is the number of
-- the build; only the newest build in rollup_hours counts.
CREATE TABLE IF NOT EXISTS request_rollups
(
    project_id UUID,
    hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
    built UInt64 CODEC(Delta, ZSTD(1)),
    method LowCardinality(String),
    -- The route, or the path with :id in place of segments that look like ids.
    endpoint LowCardinality(String),
    -- The first digit of the status: 2 for 200 to 299; 0 if the request got no response.
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
    -- Sums, and the number of requests in each sum: not every request reports these metrics.
    heap_used_sum Float64 CODEC(ZSTD(1)),
    heap_used_count UInt64 CODEC(T64, ZSTD(1)),
    cpu_usage_sum Float64 CODEC(ZSTD(1)),
    cpu_usage_count UInt64 CODEC(T64, ZSTD(1)),
    event_loop_delay_sum Float64 CODEC(ZSTD(1)),
    event_loop_delay_count UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (project_id, hour, built, endpoint, method, status_class);

-- The hourly stats of each user. Stored by hour and not by day, since days differ between time zones.
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
    -- The number of pauses of half an hour or more within the hour. Together with the first and the last start, the sessions of a user can
    -- be counted over any range of hours.
    pauses UInt32 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (project_id, hour, built, user_id);

-- The completed builds of each hour. The row of a build is written last, so an interrupted build does not count.
CREATE TABLE IF NOT EXISTS rollup_hours
(
    project_id UUID,
    hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
    built UInt64 CODEC(Delta, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (project_id, hour, built);

-- Dirty hours: hours whose traces can have changed since they were rolled up. A mark is written before the change, so a crash between the
-- two only causes an unneeded rebuild.
CREATE TABLE IF NOT EXISTS rollup_marks
(
    project_id UUID,
    hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
    mark UUID,
    marked_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (project_id, hour, mark);

-- Marks the hours of traces that were stored before rollups existed.
INSERT INTO rollup_marks
SELECT project_id, hour, generateUUIDv4(), now64(3)
FROM (SELECT DISTINCT project_id, toStartOfHour(start_time) AS hour FROM traces)
WHERE (project_id, hour) NOT IN (SELECT project_id, hour FROM rollup_marks);
