-- The kinds of a request's steps, and how often each was called: a JSON list of [calls, failed, type, name, dependency, query]. Requests of one endpoint
-- mostly have the same, so there are few. Empty: not known, as of requests from before, whose steps are looked through.
ALTER TABLE traces ADD COLUMN IF NOT EXISTS step_kinds LowCardinality(String);
