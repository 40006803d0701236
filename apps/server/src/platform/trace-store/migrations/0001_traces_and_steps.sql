-- One row a request. Sorted as lists read it; `id_time_ms` is the time in the UUIDv7 `id`, so that looking an id up skips all granules
-- but its neighbours. Partitioned by the day of storing, never of the request: an insert then is one partition, thus atomic, and a
-- sender's clock cannot make partitions. Equal keys are the same trace; senders' repeats are found before they are inserted, and
-- the engine folds what two servers may store at the same moment.
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
    -- 0: the request got no answer.
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
    -- JSON text as it was sent, redacted; empty where nothing was sent.
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

-- One row a step, in the order of the flow. A step counts only while its trace's row is there: that one is written last.
-- The granules are small, since a step's values are large and one trace is read at a time.
CREATE TABLE IF NOT EXISTS steps
(
    project_id UUID,
    -- The time in `trace`.
    trace_time_ms UInt64 CODEC(Delta, ZSTD(1)),
    -- The `id` of its row in traces.
    trace UUID,
    ordinal UInt32 CODEC(Delta, ZSTD(1)),
    step_id String CODEC(ZSTD(1)),
    parent_step_id String CODEC(ZSTD(1)),
    sequence UInt64 CODEC(Delta, ZSTD(1)),
    name LowCardinality(String),
    type LowCardinality(String),
    -- Since 1970. A sender may say any year from 1900 on, and ClickHouse reads no negative DateTime64 with a fraction.
    start_micros Int64 CODEC(Delta, ZSTD(1)),
    duration_micros UInt64 CODEC(T64, ZSTD(1)),
    -- What the end sent differs from start + duration by; almost always 0.
    end_drift_micros Int64 CODEC(T64, ZSTD(1)),
    function_name LowCardinality(String),
    file_path LowCardinality(String),
    line_number Nullable(UInt32) CODEC(ZSTD(1)),
    -- JSON text of the error as it was sent, redacted; empty for none.
    error String CODEC(ZSTD(3)),
    -- JSON text of what was sent, redacted; empty for none.
    metadata String CODEC(ZSTD(3)),
    -- JSON text of {inputs, outputs, variables}, redacted, as far as they were sent; empty for none. One column, since
    -- outputs and returnValue are the same text in most steps, and only what is in one block is stored once.
    captured String CODEC(ZSTD(1)),
    stored_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(stored_at)
PARTITION BY toDate(stored_at)
ORDER BY (project_id, trace_time_ms, trace, ordinal)
SETTINGS index_granularity = 1024;

-- Answers to batches that carried an Idempotency-Key.
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
