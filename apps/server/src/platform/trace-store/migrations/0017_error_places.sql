-- Where the error of a failed request was thrown: the type of the error, the function and its file, one per line. Empty for successful
-- requests, for requests that were stored before this column existed, and if no step threw the request's error. Requests that failed with
-- one message in different places are different errors.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS error_place LowCardinality(String) AFTER error_code;
