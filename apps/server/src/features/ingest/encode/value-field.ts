import { INGEST_LIMITS } from '@throughline/contract';
import { jsonField } from '../../../platform/trace-store/index.ts';
import { faultAt } from '../decode/read-trace.ts';

const MAX_VALUE_BYTES = INGEST_LIMITS.valueBytes.max;

/**
 * Formats the JSON of a captured value as a field of a row.
 * @throws TraceFault if the value is too large: the server must be able to hold several copies of a row in memory
 */
export function valueField(json: string, path: readonly PropertyKey[]): string {
  refuseLargeValue(json, path);
  return jsonField(json);
}

/** @throws TraceFault */
export function refuseLargeValue(json: string, path: readonly PropertyKey[]): void {
  // A character has at least one byte.
  if (json.length > MAX_VALUE_BYTES) {
    const megabytes = MAX_VALUE_BYTES / 1024 / 1024;
    throw faultAt(path, `must take at most ${megabytes} MB as JSON (limit valueBytes)`);
  }
}
