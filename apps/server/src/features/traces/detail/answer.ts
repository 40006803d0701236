import { formatInstant, type LeftOutPart, MAX_PART_BYTES, TRACE_PARTS } from '@throughline/contract';
import { type StoredTrace, toTraceRow } from '../store.ts';

export function traceAnswer(trace: StoredTrace, steps: readonly string[]): string {
  return `{"trace":${traceText(trace, steps)}}`;
}

export async function* traceAnswerPieces(trace: StoredTrace, steps: StepPages): AsyncGenerator<string> {
  yield '{"trace":';
  yield* traceTextPieces(trace, steps);
  yield '}';
}

export interface StepPages {
  readonly count: number;
  /** Steps as JSON, in order. */
  readonly pages: AsyncIterable<readonly string[]>;
}

/** Builds a trace as JSON. Values and steps are stored as JSON and copied unchanged. */
export function traceText(trace: StoredTrace, steps: readonly string[]): string {
  return buildText(trace, { count: steps.length, text: steps.join(',') });
}

export async function* traceTextPieces(trace: StoredTrace, steps: StepPages): AsyncGenerator<string> {
  const text = buildText(trace, { count: steps.count, text: '' });
  yield text.slice(0, -END_OF_FLOW.length);
  let isFirst = true;
  for await (const page of steps.pages) {
    if (page.length === 0) continue;
    yield `${isFirst ? '' : ','}${page.join(',')}`;
    isFirst = false;
  }
  yield END_OF_FLOW;
}

/** End of a trace's JSON; the steps come last. */
const END_OF_FLOW = ']}';

function buildText(trace: StoredTrace, steps: { readonly count: number; readonly text: string }): string {
  // The step count of the row can be too low, because spans can have arrived since the row was written.
  const { request, response, ...row } = toTraceRow({ ...trace, step_count: steps.count });
  const value = (name: string, json: string) => (json === '' ? [] : [`"${name}":${json}`]);
  const leftOut = listLeftOut(trace);
  const fields = [
    ...encodeMembers({ ...row, spanId: trace.span_id || null, parentSpanId: trace.parent_span_id || null }),
    `"request":${joinObject([
      ...encodeMembers({
        ...request,
        url: trace.url || null,
        ip: trace.ip || null,
        userAgent: trace.user_agent || null,
      }),
      `"headers":${trace.request_headers || '{}'}`,
      ...value('query', trace.request_query),
      ...value('body', trace.request_body),
    ])}`,
    `"response":${joinObject([
      ...encodeMembers(response),
      `"headers":${trace.response_headers || '{}'}`,
      ...value('body', trace.response_body),
    ])}`,
    ...encodeMembers({
      performance: {
        memoryUsage: trace.heap_used === null ? null : { heapUsed: trace.heap_used },
        cpuUsage: trace.cpu_usage,
        eventLoopDelay: trace.event_loop_delay,
      },
      serviceVersion: trace.service_version,
      runtime: trace.runtime,
      dropped: { steps: trace.dropped_steps, values: trace.dropped_values, bytes: trace.dropped_bytes },
      createdAt: formatInstant(trace.stored_micros),
      ...(leftOut.length > 0 && { leftOut }),
    }),
    `"user":${trace.user || 'null'}`,
    `"attributes":${trace.attributes || '{}'}`,
    `"flow":[${steps.text}]`,
  ];
  return joinObject(fields);
}

function listLeftOut({ part_bytes: sizes = [] }: StoredTrace): LeftOutPart[] {
  return TRACE_PARTS.map((part, index) => ({ part, bytes: sizes[index] ?? 0 })).filter(
    ({ bytes }) => bytes > MAX_PART_BYTES,
  );
}

function encodeMembers(values: object): string[] {
  return Object.entries(values).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
}

function joinObject(members: readonly string[]): string {
  return `{${members.join(',')}}`;
}
