-- The files whose functions ran in a request, as a JSON object of paths and versions; empty if none were sent. Nearly all requests to an
-- endpoint have the same object, so it takes almost no space.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS sources String CODEC(ZSTD(3)) AFTER attributes;

-- The source code of functions. A service sends each function once an hour, and the engine merges equal rows.
CREATE TABLE IF NOT EXISTS sources
(
    project_id UUID,
    -- The path, as in `steps.file_path`.
    file String CODEC(ZSTD(1)),
    version String CODEC(ZSTD(1)),
    -- The function's first line, from 1.
    line UInt32 CODEC(ZSTD(1)),
    text String CODEC(ZSTD(3)),
    stored_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(stored_at)
ORDER BY (project_id, file, version, line);
