-- Requests made of spans say themselves what they are searched by; the few that do not yet are searched span by span, which needs no index. Each insert and
-- each merge read the JSON text of all attributes for it.
ALTER TABLE spans DROP INDEX IF EXISTS by_attribute;

-- More parts are merged at once, so that a row is merged less often.
ALTER TABLE traces MODIFY SETTING merge_selector_base = 10;
ALTER TABLE steps MODIFY SETTING merge_selector_base = 10;
ALTER TABLE spans MODIFY SETTING merge_selector_base = 10;
