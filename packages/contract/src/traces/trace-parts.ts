import { z } from 'zod';
import { KB } from '../limits/limit.ts';

/** Parts of a request other than its steps. Any of them can be large. */
export const TRACE_PARTS = [
  'request.headers',
  'request.query',
  'request.body',
  'response.headers',
  'response.body',
  'user',
  'attributes',
] as const;
export const TracePart = z.enum(TRACE_PARTS, { error: `part is one of ${TRACE_PARTS.join(', ')}` });
export type TracePart = z.infer<typeof TracePart>;

/**
 * Maximum size, in bytes of JSON, of a part returned with a trace when `values=false`. Larger parts are read
 * separately.
 */
export const MAX_PART_BYTES = 64 * KB;

/** A stored part that was too large to return with the trace. */
export const LeftOutPart = z.object({ part: TracePart, bytes: z.number() });
export type LeftOutPart = z.infer<typeof LeftOutPart>;
