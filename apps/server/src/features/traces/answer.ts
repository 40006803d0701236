import { type LeftOutPart, MAX_PART_BYTES, microsToInstant, TRACE_PARTS } from '@throughline/contract';
import { type StoredTrace, toTraceRow } from './store.ts';

/** The answer to reading one trace as JSON text. */
export function traceAnswer(trace: StoredTrace, steps: readonly string[]): string {
  return `{"trace":${traceText(trace, steps)}}`;
}

/** A trace as JSON text. Values and steps are JSON already and go in as they are. */
export function traceText(trace: StoredTrace, steps: readonly string[]): string {
  // Of spans some may have come since the trace's row was written.
  const { request, response, ...row } = toTraceRow({ ...trace, step_count: steps.length });
  const value = (name: string, json: string) => (json === '' ? [] : [`"${name}":${json}`]);
  const leftOut = leftOutOf(trace);
  const fields = [
    ...membersOf({ ...row, spanId: trace.span_id || null, parentSpanId: trace.parent_span_id || null }),
    `"request":${objectOf([
      ...membersOf({
        ...request,
        url: trace.url || null,
        ip: trace.ip || null,
        userAgent: trace.user_agent || null,
      }),
      `"headers":${trace.request_headers || '{}'}`,
      ...value('query', trace.request_query),
      ...value('body', trace.request_body),
    ])}`,
    `"response":${objectOf([
      ...membersOf(response),
      `"headers":${trace.response_headers || '{}'}`,
      ...value('body', trace.response_body),
    ])}`,
    ...membersOf({
      performance: {
        memoryUsage: trace.heap_used === null ? null : { heapUsed: trace.heap_used },
        cpuUsage: trace.cpu_usage,
        eventLoopDelay: trace.event_loop_delay,
      },
      serviceVersion: trace.service_version,
      instance: trace.instance,
      runtime: trace.runtime,
      sessionId: trace.session_id || null,
      dropped: { steps: trace.dropped_steps, values: trace.dropped_values, bytes: trace.dropped_bytes },
      createdAt: microsToInstant(trace.stored_micros),
      ...(leftOut.length > 0 && { leftOut }),
    }),
    `"user":${trace.user || 'null'}`,
    `"attributes":${trace.attributes || '{}'}`,
    `"flow":[${steps.join(',')}]`,
  ];
  return objectOf(fields);
}

function leftOutOf({ part_bytes: sizes = [] }: StoredTrace): LeftOutPart[] {
  return TRACE_PARTS.map((part, index) => ({ part, bytes: sizes[index] ?? 0 })).filter(
    ({ bytes }) => bytes > MAX_PART_BYTES,
  );
}

function membersOf(values: object): string[] {
  return Object.entries(values).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
}

function objectOf(members: readonly string[]): string {
  return `{${members.join(',')}}`;
}
