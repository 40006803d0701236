-- One row per request, sorted as lists read the rows. `id_time_ms` is the time in the UUIDv7 `id`, so that a search for an id skips all
-- granules except those of about that time. The partition is the day of storing, not of the request: each insert is then a single partition
-- and therefore atomic, and a sender with a wrong clock cannot create partitions. Rows with equal keys are the same trace: repeats of a
-- sender are found before the insert, and the engine merges rows that two servers store at the same moment.
CREATE TABLE IF NOT EXISTS traces
(
    project_id UUID,
    start_time DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
    id UUID,
    id_time_ms UInt64 CODEC(Delta, ZSTD(1)),
    trace_id String CODEC(ZSTD(1)),
    span_id String CODEC(ZSTD(1)),
    parent_span_id String CODEC(ZSTD(1)),
    method LowCardinality(String),
    path String CODEC(ZSTD(1)),
    route LowCardinality(String),
    -- 0 if the request got no response.
    status_code UInt16,
    duration_micros UInt64 CODEC(T64, ZSTD(1)),
    is_error Bool,
    has_error Bool,
    error_message String CODEC(ZSTD(1)),
    error_code LowCardinality(String),
    service LowCardinality(String),
    environment LowCardinality(String),
    release LowCardinality(String),
    step_count UInt32 CODEC(T64, ZSTD(1)),
    service_version LowCardinality(String),
    instance LowCardinality(String),
    runtime LowCardinality(String),
    user_id String CODEC(ZSTD(1)),
    session_id String CODEC(ZSTD(1)),
    ip String CODEC(ZSTD(1)),
    user_agent String CODEC(ZSTD(1)),
    heap_used Nullable(Float64) CODEC(ZSTD(1)),
    cpu_usage Nullable(Float64) CODEC(ZSTD(1)),
    event_loop_delay Nullable(Float64) CODEC(ZSTD(1)),
    dropped_steps UInt64 CODEC(T64, ZSTD(1)),
    dropped_values UInt64 CODEC(T64, ZSTD(1)),
    dropped_bytes UInt64 CODEC(T64, ZSTD(1)),
    -- JSON as it was sent, redacted; empty if nothing was sent.
    url String CODEC(ZSTD(3)),
    request_headers String CODEC(ZSTD(3)),
    request_query String CODEC(ZSTD(3)),
    request_body String CODEC(ZSTD(3)),
    response_headers String CODEC(ZSTD(3)),
    response_body String CODEC(ZSTD(3)),
    user String CODEC(ZSTD(3)),
    attributes String CODEC(ZSTD(3)),
    stored_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
    INDEX by_id_time id_time_ms TYPE minmax GRANULARITY 1,
    INDEX by_trace_id trace_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(stored_at)
PARTITION BY toDate(stored_at)
ORDER BY (project_id, start_time, id)
SETTINGS index_granularity = 8192;

-- One row per step, in the order of the flow. A step counts only while its trace has a row: the row of the trace is written last. The
-- granules are small, since a step's values are large and traces are read one at a time.
CREATE TABLE IF NOT EXISTS steps
(
    project_id UUID,
    -- The time that the UUIDv7 `trace` contains.
    trace_time_ms UInt64 CODEC(Delta, ZSTD(1)),
    -- The `id` of the trace's row in `traces`.
    trace UUID,
    ordinal UInt32 CODEC(Delta, ZSTD(1)),
    step_id String CODEC(ZSTD(1)),
    parent_step_id String CODEC(ZSTD(1)),
    sequence UInt64 CODEC(Delta, ZSTD(1)),
    name LowCardinality(String),
    type LowCardinality(String),
    -- Microseconds since 1970. A sender can send any year since 1900, and ClickHouse cannot read a negative DateTime64 with a fraction.
    start_micros Int64 CODEC(Delta, ZSTD(1)),
    duration_micros UInt64 CODEC(T64, ZSTD(1)),
    -- The difference between the sent end and start + duration; almost always 0.
    end_drift_micros Int64 CODEC(T64, ZSTD(1)),
    function_name LowCardinality(String),
    file_path LowCardinality(String),
    line_number Nullable(UInt32) CODEC(ZSTD(1)),
    -- The error as JSON as it was sent, redacted; empty if there was none.
    error String CODEC(ZSTD(3)),
    -- The metadata as JSON as it was sent, redacted; empty if there was none.
    metadata String CODEC(ZSTD(3)),
    -- JSON of {inputs, outputs, variables}, redacted, with the members that were sent; empty if there were none. A single column, since
    -- outputs and returnValue are equal in most steps, and equal text is compressed to one copy only within one block.
    captured String CODEC(ZSTD(1)),
    stored_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(stored_at)
PARTITION BY toDate(stored_at)
ORDER BY (project_id, trace_time_ms, trace, ordinal)
SETTINGS index_granularity = 1024;

-- Responses to batches that had an Idempotency-Key.
CREATE TABLE IF NOT EXISTS ingest_batches
(
    project_id UUID,
    -- The first 128 bits of the key's SHA-256.
    key UUID,
    answer String CODEC(ZSTD(1)),
    stored_at DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(stored_at)
PARTITION BY toDate(stored_at)
ORDER BY (project_id, key)
TTL toDateTime(stored_at) + INTERVAL 25 HOUR DELETE
SETTINGS ttl_only_drop_parts = 1;
