-- Cuts the path of a request without a route to 500 characters when the path is its endpoint. While thousands of paths of 8,000 characters
-- were stored, they took seven times their size in memory, and nobody reads such a name. Stored endpoints do not change.
ALTER TABLE traces MODIFY COLUMN endpoint LowCardinality(String) MATERIALIZED
    if(route != '', toString(route), arrayStringConcat(arrayMap(segment -> if(
        match(segment, '^([0-9]+|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$')
            OR (match(segment, '[0-9]') AND (match(segment, '^[0-9a-fA-F]{8,}$') OR length(segment) >= 20)),
        ':id', segment), splitByChar('/', substringUTF8(cutQueryString(path), 1, 500))), '/'));
