-- The files whose functions ran in a request, as a JSON object of paths and versions; empty where none was sent. The same for nearly all requests to
-- an endpoint, so that it takes next to no space.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS sources String CODEC(ZSTD(3)) AFTER attributes;

-- The text of functions. A service sends each once an hour, and the engine folds those that are the same.
CREATE TABLE IF NOT EXISTS sources
(
    project_id UUID,
    -- As in `steps.file_path`.
    file String CODEC(ZSTD(1)),
    version String CODEC(ZSTD(1)),
    -- The function's first line, from 1.
    line UInt32 CODEC(ZSTD(1)),
    text String CODEC(ZSTD(3)),
    stored_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(stored_at)
ORDER BY (project_id, file, version, line);
