export {
  type AttributeHashes,
  HashBudget,
  hashOfName,
  hashOfPair,
  hashOfValue,
  hashSql,
  type KnownName,
  knownName,
  MAX_ATTRIBUTES,
} from './attribute-hash.ts';
export { boundedResults, isResultTooLarge } from './bounded-results.ts';
export { traceClock } from './clock.ts';
export { countRows, hasTraces } from './count-rows.ts';
export { traceMigrations } from './migrate.ts';
export { openTraceStore, openUnmigrated, type QueryParams, type TraceStore } from './open.ts';
export * from './tab-separated.ts';
export { textPages } from './text-pages.ts';
export * from './trace-id.ts';
export * from './user-hash.ts';
