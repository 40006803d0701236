export { boundedResults, isResultTooLarge } from './bounded-results.ts';
export { traceClock } from './clock.ts';
export { countRows, hasTraces } from './count-rows.ts';
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
} from './hashes/attribute-hash.ts';
export * from './hashes/trace-id.ts';
export * from './hashes/user-hash.ts';
export { traceMigrations } from './migrate.ts';
export { openTraceStore, openUnmigrated, refuseLostTables } from './open.ts';
export * from './text/tab-separated.ts';
export { textPages } from './text/text-pages.ts';
export type { QueryParams, TraceStore } from './trace-store.ts';
