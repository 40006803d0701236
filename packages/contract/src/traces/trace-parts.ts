import { z } from 'zod';
import { KB } from '../limits/limit.ts';

/** Parts of a request beside its steps. All of them can be large. */
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

/** A part of up to this size comes with a trace that is read with `values=false`; a larger one is read separately. Bytes of its JSON. */
export const MAX_PART_BYTES = 64 * KB;

/** A part that is stored, but was too large to come with the trace. */
export const LeftOutPart = z.object({ part: TracePart, bytes: z.number() });
export type LeftOutPart = z.infer<typeof LeftOutPart>;
