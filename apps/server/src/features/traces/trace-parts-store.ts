import { MAX_PART_BYTES, TRACE_PARTS, type TracePart } from '@throughline/contract';
import { readColumns, TRACES, type TraceColumn } from '../../platform/trace-store/index.ts';

/**
 * Columns of `traces` that contain the captured parts of a trace (such as headers, query and body), each part as JSON. A column is empty if
 * nothing was captured.
 */
const COLUMNS = {
  'request.headers': 'request_headers',
  'request.query': 'request_query',
  'request.body': 'request_body',
  'response.headers': 'response_headers',
  'response.body': 'response_body',
  user: 'user',
  attributes: 'attributes',
} as const satisfies Record<TracePart, TraceColumn>;

export const PARTS = readColumns(TRACES, Object.values(COLUMNS));

/** How the parts of a trace are read: `whole` reads all, `small` skips large parts, `heads` reads the beginning of each part. */
export type PartsRead = 'whole' | 'small' | 'heads';

/** Enough characters to show the kind of a value. */
const HEAD_CHARACTERS = 200;

const READ: Readonly<Record<PartsRead, (column: string) => string>> = {
  whole: (column) => column,
  small: (column) => `if(length(traces.${column}) > ${MAX_PART_BYTES}, '', traces.${column}) AS ${column}`,
  heads: (column) => `${selectHead(`traces.${column}`)} AS ${column}`,
};

const ALL_BYTES = TRACE_PARTS.map((part) => `length(traces.${COLUMNS[part]})`).join(', ');

function selectHead(column: string): string {
  return `substringUTF8(${column}, 1, ${HEAD_CHARACTERS})`;
}

/**
 * Builds the SELECT list for a trace's parts. With `small`, `part_bytes` contains the size of each part, in the order of {@link
 * TRACE_PARTS}.
 */
export function selectParts(read: PartsRead): string {
  const columns = TRACE_PARTS.map((part) => READ[read](COLUMNS[part]));
  if (read === 'small') columns.push(`[${ALL_BYTES}] AS part_bytes`);
  return columns.join(', ');
}

/** Builds the SELECT item for one captured part of a trace, with the alias `part`. */
export function selectPart(part: TracePart, read: Exclude<PartsRead, 'small'>): string {
  const column = `traces.${COLUMNS[part]}`;
  return `${read === 'whole' ? column : selectHead(column)} AS part`;
}
