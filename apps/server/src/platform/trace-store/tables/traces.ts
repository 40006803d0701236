import {
  defineTypedColumns,
  FLAG,
  HASHES,
  instant,
  JSON_TEXT,
  LONG_NUMBER,
  NUMBER,
  OPTIONAL_NUMBER,
  PLAIN,
  TEXT,
} from './typed-columns.ts';

/** Columns of the request itself. */
const REQUEST = {
  project_id: PLAIN,
  start_time: instant('start_micros'),
  id: PLAIN,
  id_time_ms: LONG_NUMBER,
  trace_id: PLAIN,
  span_id: PLAIN,
  parent_span_id: PLAIN,
  method: TEXT,
  path: TEXT,
  route: TEXT,
  /** 0 if the request got no response. */
  status_code: NUMBER,
  duration_micros: LONG_NUMBER,
  is_error: FLAG,
  has_error: FLAG,
  error_message: TEXT,
  error_code: TEXT,
  /** Where the error was thrown; see `ErrorPlace`. */
  error_place: TEXT,
  service: TEXT,
  environment: TEXT,
  release: TEXT,
  service_version: TEXT,
  instance: TEXT,
  runtime: TEXT,
  user_id: TEXT,
  session_id: TEXT,
  ip: PLAIN,
  country: PLAIN,
  user_agent: TEXT,
  heap_used: OPTIONAL_NUMBER,
  cpu_usage: OPTIONAL_NUMBER,
  event_loop_delay: OPTIONAL_NUMBER,
  dropped_steps: LONG_NUMBER,
  dropped_values: LONG_NUMBER,
  dropped_bytes: LONG_NUMBER,
  url: TEXT,
  request_headers: JSON_TEXT,
  request_query: JSON_TEXT,
  request_body: JSON_TEXT,
  response_headers: JSON_TEXT,
  response_body: JSON_TEXT,
  user: JSON_TEXT,
  attributes: JSON_TEXT,
  /** The version of each source file, by path, as JSON. */
  sources: JSON_TEXT,
  stored_at: instant('stored_micros'),
};

/**
 * Hashes of the attributes of the request and its steps, by which the trace is found. If spans were stored before the trace, the hashes of
 * the spans' attributes are included.
 */
const SEARCH = { attribute_pairs: HASHES, attribute_names: HASHES };

/** Columns whose values are known only when the row is inserted. */
const INSERT = {
  /** True if the row contains all attributes of the request and its steps. */
  attributes_whole: FLAG,
  /** True if the trace's steps are spans. */
  has_spans: FLAG,
  step_count: NUMBER,
  /** The kinds of the trace's steps, which filters use; empty if unknown. */
  step_kinds: JSON_TEXT,
  /**
   * The id of the quota reservation that counted the trace. The column keeps its original name, because migrations must be repeatable: the
   * migration that adds the column would add it a second time after a rename.
   */
  claim: PLAIN,
};

/** The columns of `traces` with their types. The insert, the rows of the trace list, and all readers are derived from this object. */
export const TRACES = { ...REQUEST, ...SEARCH, ...INSERT };
export type TraceColumn = keyof typeof TRACES;

export const REQUEST_COLUMNS = defineTypedColumns(REQUEST);
export const SEARCH_COLUMNS = defineTypedColumns(SEARCH);
export const INSERT_COLUMNS = defineTypedColumns(INSERT);

/** The columns of `traces`, in the order in which the fields of a row are written. */
export const TRACE_COLUMNS: readonly TraceColumn[] = [
  ...REQUEST_COLUMNS.names,
  ...SEARCH_COLUMNS.names,
  ...INSERT_COLUMNS.names,
];
