-- One row a span of OpenTelemetry's, in whatever order and from whatever service it came. Which request a span is a step of follows from
-- the spans that are there when one looks, so it is not stored. Equal keys are the same span sent again.
CREATE TABLE IF NOT EXISTS spans
(
    project_id UUID,
    trace_id String CODEC(ZSTD(1)),
    span_id String CODEC(ZSTD(1)),
    -- Empty for a root.
    parent_span_id String CODEC(ZSTD(1)),
    -- A request of its own, which has a row in traces.
    entry Bool,
    service LowCardinality(String),
    name LowCardinality(String),
    type LowCardinality(String),
    -- Since 1970, as they were sent.
    start_nanos UInt64 CODEC(Delta, ZSTD(1)),
    duration_nanos UInt64 CODEC(T64, ZSTD(1)),
    status_code UInt16,
    has_error Bool,
    function_name LowCardinality(String),
    file_path LowCardinality(String),
    line_number Nullable(UInt32) CODEC(ZSTD(1)),
    -- JSON text as in steps.
    error String CODEC(ZSTD(3)),
    metadata String CODEC(ZSTD(3)),
    captured String CODEC(ZSTD(1)),
    -- JSON text of what describes the sender; the same for all spans of a process.
    resource LowCardinality(String),
    stored_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
    INDEX by_stored_at stored_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(stored_at)
PARTITION BY toDate(stored_at)
ORDER BY (project_id, trace_id, span_id)
SETTINGS index_granularity = 1024;

-- The trace's steps are rows of spans.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS has_spans Bool DEFAULT false;

-- What the month's counter knows the group by with which the row was stored.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS claim UUID CODEC(ZSTD(1));

-- Step counts are corrected in place when spans come late.
ALTER TABLE traces MODIFY SETTING enable_block_number_column = 1, enable_block_offset_column = 1;
