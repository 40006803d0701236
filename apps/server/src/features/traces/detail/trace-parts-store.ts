import { MAX_PART_BYTES, TRACE_PARTS, type TracePart } from '@throughline/contract';

/** The columns of `traces` that hold a trace's parts, each as JSON text; empty if nothing was captured. */
const COLUMNS = {
  'request.headers': 'request_headers',
  'request.query': 'request_query',
  'request.body': 'request_body',
  'response.headers': 'response_headers',
  'response.body': 'response_body',
  user: 'user',
  attributes: 'attributes',
} as const satisfies Record<TracePart, string>;

/** Ways to read a trace's parts: `whole` reads all, `small` omits large ones, `heads` reads the beginning of each. */
export type PartsRead = 'whole' | 'small' | 'heads';

/** Number of characters that is enough to see the kind of a value. */
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

/** Builds the SELECT list for a trace's parts. With `small`, `part_bytes` holds the size of each, in the order of {@link TRACE_PARTS}. */
export function selectParts(read: PartsRead): string {
  const columns = TRACE_PARTS.map((part) => READ[read](COLUMNS[part]));
  if (read === 'small') columns.push(`[${ALL_BYTES}] AS part_bytes`);
  return columns.join(', ');
}

/** Builds the SELECT item for one part, named `part`. */
export function selectPart(part: TracePart, read: Exclude<PartsRead, 'small'>): string {
  const column = `traces.${COLUMNS[part]}`;
  return `${read === 'whole' ? column : selectHead(column)} AS part`;
}
