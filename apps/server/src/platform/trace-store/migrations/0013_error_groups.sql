-- Computes the error groups of all stored failed requests again, with … in place of all parts that differ between requests. Before, quoted
-- words, e-mail addresses and queries of URLs stayed in the groups, and a single error had as many groups as customers. The steps of the
-- expression, from the innermost: names of properties that the engine quotes (reading 'rate') stay, since they are code and not data. Then
-- quoted text, e-mail addresses, queries, UUIDs and dates are replaced, then words whose digits show that they are numbers or ids, then
-- signs. Adjacent … become one. The expressions take time in proportion to the length of the message, of which 2,000 characters are read.
ALTER TABLE traces DROP COLUMN IF EXISTS error_group;
ALTER TABLE traces ADD COLUMN IF NOT EXISTS error_group LowCardinality(String) MATERIALIZED
    multiIf(NOT is_error, '',
        error_message != '', substringUTF8(translate(
            replaceRegexpAll(replaceRegexpAll(
            arrayStringConcat(arrayMap(word -> if(
                match(word, '[0-9]') AND (length(word) >= 20 OR match(word, '^[0-9]|^[0-9a-fA-F]{8,}$|[0-9][A-Za-z]+[0-9]|(?:[0-9][A-Za-z]*){6}')),
                '…', word), extractAll(
            replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(
            substringUTF8(error_message, 1, 2000),
            '\\((reading|setting) \'([A-Za-z_$][A-Za-z0-9_$]*)\'\\)', '(\\1 \x01\\2\x01)'),
            '"(?:[^"\\\\]|\\\\.)*"|`[^`]*`|[“„”][^“”]*[“”]|‘[^‘’]*’|«[^«»]*»|‹[^‹›]*›|「[^「」]*」|『[^『』]*』', '…'),
            '(^|[^A-Za-z0-9])\'(?:[^\']|\'[A-Za-z])*\'', '\\1…'),
            '[^\\s@<>()\\[\\]"\',;:/=]+@[^\\s@<>()\\[\\]"\',;:/=?]+', '…'),
            '(/[^\\s?]*)\\?[^\\s]+', '\\1'),
            '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', '…'),
            '\\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?(?:[0-9]{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*,? [0-9]{4}|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* [0-9]{1,2},? [0-9]{4})(?:,? [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)?(?: ?(?:GMT|UTC|Z|AM|PM))?(?: ?[-+][0-9]{4})?(?: \\([A-Z][^()]*\\))?|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?: ?Z| ?UTC| ?GMT| ?[-+][0-9]{2}:?[0-9]{2})?', '…'),
            '[A-Za-z0-9]+|[^A-Za-z0-9]+')), ''),
            '(^|[\\s(=:,\\[])[-+]…', '\\1…'),
            '…(?:[^A-Za-z0-9\\s…]{0,2} ?…)+', '…'),
        '\x01', '\''), 1, 500),
        status_code = 0, 'No response', concat('HTTP ', toString(status_code)));

-- Until this statement is done, the groups of stored traces are computed when the traces are read.
ALTER TABLE traces MATERIALIZE COLUMN error_group;
