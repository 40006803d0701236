import { TRACE_SORTS, type TraceSort } from '@throughline/contract';
import { z } from 'zod';

/** The position of a page's last row in the sort order. The position does not change when rows are added. */
export interface Cursor {
  readonly sort: TraceSort;
  /** Start of the row's trace in epoch microseconds. */
  readonly startMicros: bigint;
  /** The duration in microseconds or the number of steps, if the list is sorted by duration or by steps. */
  readonly rank: bigint;
  readonly id: string;
  /**
   * Start of the time range that the search over captured values has covered so far, in epoch microseconds; undefined without such a
   * search.
   */
  readonly searchedSince?: bigint | undefined;
}

const micros = z
  .string()
  .regex(/^-?\d{1,17}$/)
  .transform(BigInt);
const Written = z.tuple([z.enum(TRACE_SORTS), micros, micros, z.uuid()], micros);

export function writeCursor(cursor: Cursor): string {
  const { sort, startMicros, rank, id, searchedSince } = cursor;
  const parts = [sort, String(startMicros), String(rank), id];
  if (searchedSince !== undefined) parts.push(String(searchedSince));
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Returns undefined for a string that {@link writeCursor} did not write. */
export function readCursor(text: string): Cursor | undefined {
  const read = Written.safeParse(parse(Buffer.from(text, 'base64url').toString()));
  if (!read.success) return undefined;
  const [sort, startMicros, rank, id, searchedSince] = read.data;
  return { sort, startMicros, rank, id, searchedSince };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
