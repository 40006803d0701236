-- One row per OpenTelemetry span. Spans arrive in any order and from any service. The request that a span belongs to depends on the spans
-- that are stored when a trace is read, so the request is not stored here. Rows with equal keys are the same span, sent again.
CREATE TABLE IF NOT EXISTS spans
(
    project_id UUID,
    trace_id String CODEC(ZSTD(1)),
    span_id String CODEC(ZSTD(1)),
    -- Empty for a root span.
    parent_span_id String CODEC(ZSTD(1)),
    -- True if the span is a request, which has a row in `traces`.
    entry Bool,
    service LowCardinality(String),
    name LowCardinality(String),
    type LowCardinality(String),
    -- Nanoseconds since 1970, as sent.
    start_nanos UInt64 CODEC(Delta, ZSTD(1)),
    duration_nanos UInt64 CODEC(T64, ZSTD(1)),
    status_code UInt16,
    has_error Bool,
    function_name LowCardinality(String),
    file_path LowCardinality(String),
    line_number Nullable(UInt32) CODEC(ZSTD(1)),
    -- JSON, as in `steps`.
    error String CODEC(ZSTD(3)),
    metadata String CODEC(ZSTD(3)),
    captured String CODEC(ZSTD(1)),
    -- JSON that describes the sender; the same for all spans of a process.
    resource LowCardinality(String),
    stored_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
    INDEX by_stored_at stored_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(stored_at)
PARTITION BY toDate(stored_at)
ORDER BY (project_id, trace_id, span_id)
SETTINGS index_granularity = 1024;

-- True if the trace's steps are rows of `spans`.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS has_spans Bool DEFAULT false;

-- The id of the quota reservation that counted the row's group of traces in the month's counter.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS claim UUID CODEC(ZSTD(1));

-- Lets late spans correct the step counts of stored rows.
ALTER TABLE traces MODIFY SETTING enable_block_number_column = 1, enable_block_offset_column = 1;
