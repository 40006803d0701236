-- A path without a route is cut to 500 characters where it names an endpoint. Thousands of paths of 8,000 characters took seven times their
-- size of memory while they were stored, and nobody reads such a name. Endpoints that are stored stay as they are.
ALTER TABLE traces MODIFY COLUMN endpoint LowCardinality(String) MATERIALIZED
    if(route != '', toString(route), arrayStringConcat(arrayMap(segment -> if(
        match(segment, '^([0-9]+|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$')
            OR (match(segment, '[0-9]') AND (match(segment, '^[0-9a-fA-F]{8,}$') OR length(segment) >= 20)),
        ':id', segment), splitByChar('/', substringUTF8(cutQueryString(path), 1, 500))), '/'));
