-- What a request's row says of its steps, as a number: of each different text one is read, and rows are told apart without reading theirs.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS step_kinds_hash UInt64 MATERIALIZED sipHash64(step_kinds) CODEC(ZSTD(1));
ALTER TABLE traces MATERIALIZE COLUMN step_kinds_hash;
