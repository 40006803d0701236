-- A step can represent many calls of its function. The column has JSON with the number of calls and their durations; empty for one call.
ALTER TABLE steps ADD COLUMN IF NOT EXISTS repeat String CODEC(ZSTD(1)) AFTER line_number;
