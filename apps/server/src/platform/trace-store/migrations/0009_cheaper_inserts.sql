-- Drops an index that each insert and each merge had to build from the JSON of all attributes. The row of a request that was sent as spans
-- contains the data by which the request is found. The few rows that do not contain it yet are searched span by span, which uses no index.
ALTER TABLE spans DROP INDEX IF EXISTS by_attribute;

-- Merges more parts at a time, so that each row is merged less often.
ALTER TABLE traces MODIFY SETTING merge_selector_base = 10;
ALTER TABLE steps MODIFY SETTING merge_selector_base = 10;
ALTER TABLE spans MODIFY SETTING merge_selector_base = 10;
