import { FairMutex } from '../../platform/queues/fair-mutex.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';

/**
 * Returns the store for a search for findings, whose statements take seconds in total. `rows` runs one statement at a time, in a session
 * for background work. Lists and pages therefore do not wait for the search, and other background work waits for one statement at most.
 */
export function readInBackground(store: TraceStore): TraceStore {
  const turns = new FairMutex();
  return { ...store, rows: (row, sql, params) => turns.run('', () => store.rowsBeside(row, sql, params)) };
}
