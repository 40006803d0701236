-- What figures and filters group requests by, made once when a trace is stored: making it anew for every reading took half of the time of the
-- screens of figures. The route, or where none is known the path with `:id` for what looks like an id, without a query.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS endpoint LowCardinality(String) MATERIALIZED
    if(route != '', toString(route), arrayStringConcat(arrayMap(segment -> if(
        match(segment, '^([0-9]+|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$')
            OR (match(segment, '[0-9]') AND (match(segment, '^[0-9a-fA-F]{8,}$') OR length(segment) >= 20)),
        ':id', segment), splitByChar('/', cutQueryString(path))), '/'));

-- What a failed request says, with … for ids and numbers, which differ from one to the next; its status where it says nothing. Empty for others.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS error_group LowCardinality(String) MATERIALIZED
    multiIf(NOT is_error, '',
        error_message != '', replaceRegexpAll(substringUTF8(error_message, 1, 500),
            '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|\\b[0-9a-fA-F]{8,}\\b|\\b[0-9]+(?:\\.[0-9]+)*\\b', '…'),
        status_code = 0, 'No response', concat('HTTP ', toString(status_code)));

-- Those that are there already: until it is done, they are made at reading.
ALTER TABLE traces MATERIALIZE COLUMN endpoint;
ALTER TABLE traces MATERIALIZE COLUMN error_group;
