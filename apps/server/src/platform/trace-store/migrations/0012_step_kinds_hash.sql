-- The row's step kinds as a number. A query reads one row of each number, and compares rows without reading the step kinds of each.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS step_kinds_hash UInt64 MATERIALIZED sipHash64(step_kinds) CODEC(ZSTD(1));
ALTER TABLE traces MATERIALIZE COLUMN step_kinds_hash;
