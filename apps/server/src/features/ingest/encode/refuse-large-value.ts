import { INGEST_LIMITS } from '@throughline/contract';
import { buildFault } from '../decode/read-trace.ts';

const MAX_VALUE_BYTES = INGEST_LIMITS.valueBytes.max;

/**
 * Refuses the JSON of a captured value that is too large: the server must be able to hold several copies of a row in memory.
 * @throws TraceFault
 */
export function refuseLargeValue(json: string, path: readonly PropertyKey[]): void {
  // Every character has at least one byte, so this fast check finds most values that are too large.
  if (json.length > MAX_VALUE_BYTES) {
    const megabytes = MAX_VALUE_BYTES / 1024 / 1024;
    throw buildFault(path, `must take at most ${megabytes} MB as JSON (limit valueBytes)`);
  }
}
