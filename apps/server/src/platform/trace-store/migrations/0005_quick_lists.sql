-- Merges the parts of a day into one part, an hour after the last trace of the day was stored. Each part costs every list some tenths of a
-- millisecond, and each day had four or five parts left.
ALTER TABLE traces MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

-- Shows which granules can contain an attribute with a value. Older parts get the index when they are merged; until then they are read
-- completely.
ALTER TABLE traces ADD INDEX IF NOT EXISTS by_attribute
    arrayMap(pair -> concat(pair.1, ':', pair.2), JSONExtractKeysAndValuesRaw(attributes)) TYPE bloom_filter(0.01) GRANULARITY 1;
ALTER TABLE steps ADD INDEX IF NOT EXISTS by_attribute
    arrayMap(pair -> concat(pair.1, ':', pair.2), JSONExtractKeysAndValuesRaw(metadata)) TYPE bloom_filter(0.01) GRANULARITY 4;
ALTER TABLE spans ADD INDEX IF NOT EXISTS by_attribute
    arrayMap(pair -> concat(pair.1, ':', pair.2), JSONExtractKeysAndValuesRaw(metadata)) TYPE bloom_filter(0.01) GRANULARITY 4;
