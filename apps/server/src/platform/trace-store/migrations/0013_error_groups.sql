-- What failed requests say, with … for all that differs from one to the next, made again of all that are stored: quoted words, e-mail addresses and
-- addresses' queries were left before, and one error was as many groups as there were customers. From the innermost: names of properties that the
-- engine quotes (reading 'rate') are kept, since they are code and no data; then quoted text goes, e-mail addresses, queries, UUIDs and dates, words that
-- are numbers or ids by their digits, signs; what goes side by side is one …. The engine's expressions take time in proportion to the text, of which
-- 2,000 characters are read.
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

-- Until it is done, the groups of traces that are there already are made at reading.
ALTER TABLE traces MATERIALIZE COLUMN error_group;
