-- The endpoint by which stats and filters group requests, computed once when a trace is stored: computing it for each query took half of
-- the time of the screens with stats. The endpoint is the route or, if no route is known, the path without its query and with `:id` in
-- place of segments that look like ids.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS endpoint LowCardinality(String) MATERIALIZED
    if(route != '', toString(route), arrayStringConcat(arrayMap(segment -> if(
        match(segment, '^([0-9]+|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$')
            OR (match(segment, '[0-9]') AND (match(segment, '^[0-9a-fA-F]{8,}$') OR length(segment) >= 20)),
        ':id', segment), splitByChar('/', cutQueryString(path))), '/'));

-- The error group of a failed request: its message with … in place of ids and numbers, which differ between requests, or the status if
-- there is no message. Empty for successful requests.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS error_group LowCardinality(String) MATERIALIZED
    multiIf(NOT is_error, '',
        error_message != '', replaceRegexpAll(substringUTF8(error_message, 1, 500),
            '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|\\b[0-9a-fA-F]{8,}\\b|\\b[0-9]+(?:\\.[0-9]+)*\\b', '…'),
        status_code = 0, 'No response', concat('HTTP ', toString(status_code)));

-- Computes the columns of stored traces. Until that is done, they are computed when a trace is read.
ALTER TABLE traces MATERIALIZE COLUMN endpoint;
ALTER TABLE traces MATERIALIZE COLUMN error_group;
