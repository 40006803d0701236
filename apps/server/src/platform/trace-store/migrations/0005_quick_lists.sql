-- A day's part of the table is merged into one an hour after the last trace of the day: each part costs every list some tenths of a
-- millisecond, and four or five a day were left over.
ALTER TABLE traces MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

-- Which granules may have an attribute with a value. Parts from before get theirs when they are merged; until then they are read.
ALTER TABLE traces ADD INDEX IF NOT EXISTS by_attribute
    arrayMap(pair -> concat(pair.1, ':', pair.2), JSONExtractKeysAndValuesRaw(attributes)) TYPE bloom_filter(0.01) GRANULARITY 1;
ALTER TABLE steps ADD INDEX IF NOT EXISTS by_attribute
    arrayMap(pair -> concat(pair.1, ':', pair.2), JSONExtractKeysAndValuesRaw(metadata)) TYPE bloom_filter(0.01) GRANULARITY 4;
ALTER TABLE spans ADD INDEX IF NOT EXISTS by_attribute
    arrayMap(pair -> concat(pair.1, ':', pair.2), JSONExtractKeysAndValuesRaw(metadata)) TYPE bloom_filter(0.01) GRANULARITY 4;
