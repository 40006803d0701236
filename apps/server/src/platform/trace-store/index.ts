<<<<<<< HEAD
export { type AttributeHashes, hashOfName, hashOfPair, hashSql, MOST_ATTRIBUTES } from './attribute-hash.ts';
=======
export { hashOfName, hashOfPair, hashSql } from './attribute-hash.ts';
>>>>>>> 7518e3207c605a17dc1862c6b0f3939e63871cf8
export { traceClock } from './clock.ts';
export { TraceStoreTooNew, traceMigrations } from './migrate.ts';
export { openTraceStore, openUnmigrated, type QueryParams, type TraceStore } from './open.ts';
export * from './tab-separated.ts';
export * from './trace-id.ts';
