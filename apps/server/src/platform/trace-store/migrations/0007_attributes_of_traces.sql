-- The attributes of a request and all its steps beside each other, so that a search for one reads a few numbers a trace: the first 8 bytes of
-- the SHA-256 of `name:JSON`, and of the name alone.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS attribute_pairs Array(UInt64) CODEC(ZSTD(1));
ALTER TABLE traces ADD COLUMN IF NOT EXISTS attribute_names Array(UInt64) CODEC(ZSTD(1));

-- Whether all are there. Not of traces from before, of those whose steps are spans, which come when they like, and of those with very many.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS attributes_whole Bool DEFAULT false;

ALTER TABLE traces ADD INDEX IF NOT EXISTS by_attribute_pair attribute_pairs TYPE bloom_filter(0.01) GRANULARITY 1;
ALTER TABLE traces ADD INDEX IF NOT EXISTS by_attribute_name attribute_names TYPE bloom_filter(0.01) GRANULARITY 1;
ALTER TABLE traces ADD INDEX IF NOT EXISTS by_attributes_whole attributes_whole TYPE minmax GRANULARITY 1;

-- A search always looked into the steps too, so this one never left a granule out.
ALTER TABLE traces DROP INDEX IF EXISTS by_attribute;
