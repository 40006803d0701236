import { type AccountPlan, MAX_CLOCK_LEAD_HOURS, MAX_MICROS } from '@throughline/contract';
import { checkAge } from '../../../platform/http/plan-limit-errors.ts';
import { KIND, type SentSpan } from './sent-span.ts';

const TRACE_ID = /^(?!0{32})[\da-f]{32}$/;
const SPAN_ID = /^(?!0{16})[\da-f]{16}$/;
const NO_SPAN = /^0*$/;
const MAX_NANOS = MAX_MICROS * 1000n;
const MAX_AHEAD_MICROS = BigInt(MAX_CLOCK_LEAD_HOURS) * 3_600_000_000n;

/** A span that can be stored; `entry` is true if the span is a request. */
export interface AcceptedSpan {
  readonly ok: true;
  readonly span: SentSpan;
  readonly entry: boolean;
}

export type SpanVerdict =
  | AcceptedSpan
  | { readonly ok: false; readonly code: 'invalid_trace' | 'too_old'; readonly message: string };

/**
 * Checks one span. The age is checked only for requests. A step has no age limit of its own: it is stored with its request, and the clock
 * of the step's service can differ by hours from the clock of the request's service.
 */
export function checkSpan(
  sent: SentSpan,
  { nowMicros, account }: { readonly nowMicros: bigint; readonly account: AccountPlan },
): SpanVerdict {
  if (!isTraceId(sent.traceId)) return rejectSpan('trace_id must be 16 bytes, not all zero');
  if (!SPAN_ID.test(sent.spanId)) return rejectSpan('span_id must be 8 bytes, not all zero');
  const span = NO_SPAN.test(sent.parentSpanId) ? { ...sent, parentSpanId: '' } : sent;
  if (span.parentSpanId !== '' && !SPAN_ID.test(span.parentSpanId))
    return rejectSpan('parent_span_id must be 8 bytes or empty');
  if (!isStorable(span.startNanos))
    return rejectSpan('start_time_unix_nano must be set and before the year 2262');
  if (span.endNanos !== 0n && !isStorable(span.endNanos))
    return rejectSpan('end_time_unix_nano must be before the year 2262');
  const entry = span.kind === KIND.server || span.kind === KIND.consumer || span.parentSpanId === '';
  if (!entry) return { ok: true, span, entry };
  const startMicros = span.startNanos / 1000n;
  if (startMicros > nowMicros + MAX_AHEAD_MICROS)
    return rejectSpan(
      `start_time_unix_nano is more than ${MAX_CLOCK_LEAD_HOURS} hours ahead of the server's clock`,
    );
  const tooOld = checkAge(account, startMicros, nowMicros);
  if (tooOld !== undefined) return { ok: false, code: 'too_old', message: tooOld.message };
  return { ok: true, span, entry };
}

/** Caches the last valid trace id, since the spans of a trace usually arrive one after the other. */
let lastTraceId = '';

function isTraceId(id: string): boolean {
  if (id === lastTraceId && id !== '') return true;
  if (!TRACE_ID.test(id)) return false;
  lastTraceId = id;
  return true;
}

function isStorable(nanos: bigint): boolean {
  return nanos > 0n && nanos <= MAX_NANOS;
}

function rejectSpan(message: string): SpanVerdict {
  return { ok: false, code: 'invalid_trace', message };
}
