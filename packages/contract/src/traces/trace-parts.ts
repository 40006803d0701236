import { z } from 'zod';
import { KB } from '../limits/limit.ts';

/** Captured parts of a request other than its steps. Each of them can be large. */
export const TRACE_PARTS = [
  'request.headers',
  'request.query',
  'request.body',
  'response.headers',
  'response.body',
  'user',
  'attributes',
] as const;
export const TracePart = z.enum(TRACE_PARTS, { error: `part must be one of ${TRACE_PARTS.join(', ')}` });
export type TracePart = z.infer<typeof TracePart>;

/**
 * With `values=false` or `parts=small`, a captured part is returned with the trace if its JSON has at most this number of bytes. Larger
 * parts are read by separate requests.
 */
export const MAX_PART_BYTES = 64 * KB;

/** A captured part that was too large to return with the trace, and its size. */
export const LeftOutPart = z.object({ part: TracePart, bytes: z.number() });
export type LeftOutPart = z.infer<typeof LeftOutPart>;
