export { boundResults, isResultTooLarge } from './bounded-results.ts';
export { traceClock } from './clock.ts';
export { countRows, hasTraces } from './count-rows.ts';
export {
  type AttributeHashes,
  findKnownName,
  HashBudget,
  hashOfName,
  hashOfPair,
  hashOfValue,
  hashSql,
  type KnownName,
  MAX_ATTRIBUTES,
} from './hashes/attribute-hash.ts';
export * from './hashes/trace-id.ts';
export * from './hashes/user-hash.ts';
export { traceMigrations } from './migrate.ts';
export { openTraceStore, openUnmigrated, refuseLostTables } from './open.ts';
export { joinRows, RowBytes, type Rows } from './rows/row-bytes.ts';
export { readFirstFields, takeRows } from './rows/row-parts.ts';
export * from './rows/tab-separated.ts';
export { defineColumns } from './tables/columns.ts';
export { SOURCE_COLUMNS } from './tables/sources.ts';
export { SPAN_COLUMNS, type SpanPlace, writeSpanRow } from './tables/spans.ts';
export { STEP_CAPTURED_SQL, STEP_ERROR_SQL, stepMembersSql } from './tables/step-json.ts';
export {
  STEP_CALL,
  STEP_CODE,
  STEP_COLUMNS,
  STEP_TRACE,
  STORED_AT,
  type StepCode,
  writeStep,
  writeStepRow,
} from './tables/steps.ts';
export {
  INSERT_COLUMNS,
  REQUEST_COLUMNS,
  SEARCH_COLUMNS,
  TRACE_COLUMNS,
  TRACES,
  type TraceColumn,
} from './tables/traces.ts';
export { readColumns } from './tables/typed-columns.ts';
export { readTextPages } from './text/text-pages.ts';
export type { QueryParams, TraceStore } from './trace-store.ts';
