import type { TextMapPropagator } from '@opentelemetry/api';
import { parseTraceParent } from '../http/context/traceparent.ts';
import { getContextSpan, withSpan } from './context.ts';
import { NonRecordingSpan } from './spans/non-recording-span.ts';

const header = 'traceparent';
const noTrace = /^0+$/;

/** Writes and reads W3C Trace Context headers (level 1) in the messages of libraries. */
export const traceContextPropagator: TextMapPropagator = {
  inject(context, carrier, setter) {
    const span = getContextSpan(context)?.spanContext();
    if (span === undefined || noTrace.test(span.traceId)) return;
    setter.set(carrier, header, formatTraceParent(span));
  },
  extract(context, carrier, getter) {
    const value = getter.get(carrier, header);
    const parent = parseTraceParent(Array.isArray(value) ? value[0] : value);
    if (parent === undefined) return context;
    const { traceId, spanId, sampled } = parent;
    const span = new NonRecordingSpan({ traceId, spanId, traceFlags: sampled ? 1 : 0, isRemote: true });
    return withSpan(context, span);
  },
  fields: () => [header],
};

export function formatTraceParent(span: { traceId: string; spanId: string; traceFlags: number }): string {
  return `00-${span.traceId}-${span.spanId}-${(span.traceFlags & 1) === 1 ? '01' : '00'}`;
}
