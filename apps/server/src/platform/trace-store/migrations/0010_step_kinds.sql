-- The kinds of a request's steps, and how often each was called: a JSON list of [calls, failed, type, name, dependency, query]. Most
-- requests to one endpoint have the same list, so there are few different lists. Empty if unknown, as for requests from before this
-- migration, whose steps are searched instead.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS step_kinds LowCardinality(String);
