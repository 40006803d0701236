import type { RecordedStep } from '../../record/recorded-step.ts';
import type { Dropped } from '../../record/types.ts';
import { CapturedText } from '../../record/writer/captured-text.ts';
import type { FinishedTrace, TraceHead, WireStep, WireTrace } from '../encode/wire.ts';
import { writeJson } from '../encode/write-json.ts';

/**
 * Why a trace is sent without its values: the queue is full (`backlog`), the values cannot be serialized (`fault`), or they are too large
 * (`size`).
 */
export type DropReason = 'backlog' | 'fault' | 'size';

/** The attribute that says why a trace has no values. */
export const WITHOUT_VALUES = 'throughline.withoutValues';

/** True if {@link dropValues} would make the trace smaller. */
export function holdsValues({ request, attributes }: TraceHead): boolean {
  return request.headers !== undefined && attributes?.[WITHOUT_VALUES] === undefined;
}

/**
 * Returns the trace as if it had been recorded without values, but with its errors and, unless they can be the fault, with its headers and
 * query. `dropped` counts what was left out.
 */
export function dropValues(trace: FinishedTrace, reason: DropReason): FinishedTrace {
  const { flow } = trace;
  const bytes = flow.reduce((sum, step) => sum + sumValueBytes(step), 0);
  const dropped = countDropped(trace.dropped, flow, bytes);
  return { ...dropHeadValues(trace, dropped, reason), ...removeValues(trace) };
}

function removeValues({
  flow,
  secrets,
  writer,
}: FinishedTrace): Pick<FinishedTrace, 'flow' | 'secrets' | 'writer'> {
  return { flow: flow.map(stepWithoutValues), secrets, writer };
}

/** Drops the values like {@link dropValues}, from a serialized trace. */
export function dropWrittenValues(json: Uint8Array, reason: DropReason): Uint8Array {
  const trace: WireTrace = JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.length).toString());
  const flow = trace.flow.map(stepWithoutValues);
  const write = (bytes: number) => {
    const dropped = countDropped(trace.dropped, trace.flow, bytes);
    return Buffer.from(writeJson({ ...dropHeadValues(trace, dropped, reason), flow }));
  };
  return write(json.length - write(0).length);
}

function dropHeadValues(trace: TraceHead, dropped: Dropped, reason: DropReason): TraceHead {
  const { request, response, attributes } = trace;
  return {
    _id: trace._id,
    traceId: trace.traceId,
    spanId: trace.spanId,
    parentSpanId: trace.parentSpanId,
    request: reason === 'fault' ? withoutMessage(request) : { ...request, body: undefined },
    response: {
      statusCode: response.statusCode,
      headers: reason === 'fault' ? undefined : response.headers,
    },
    timing: trace.timing,
    performance: trace.performance,
    error: trace.error,
    user: trace.user,
    sessionId: trace.sessionId,
    attributes: { ...attributes, [WITHOUT_VALUES]: reason },
    sources: trace.sources,
    dropped,
  };
}

function withoutMessage({
  method,
  path,
  route,
  url,
  ip,
  userAgent,
}: TraceHead['request']): TraceHead['request'] {
  return { method, path, route, url: url?.split('?', 1)[0], ip, userAgent };
}

function countDropped(dropped: Dropped, flow: readonly (RecordedStep | WireStep)[], bytes: number): Dropped {
  const values = flow.reduce((sum, step) => sum + countValues(step), 0);
  return { steps: dropped.steps, values: dropped.values + values, bytes: dropped.bytes + bytes };
}

function countValues({ inputs, outputs, variables }: RecordedStep | WireStep): number {
  return [inputs, outputs, variables].filter((value) => value !== undefined).length;
}

function sumValueBytes({ inputs, outputs, variables }: RecordedStep): number {
  return [inputs, outputs, variables].reduce(
    (sum: number, value) => sum + (value instanceof CapturedText ? value.end - value.start : 0),
    0,
  );
}

function stepWithoutValues<Step extends RecordedStep | WireStep>(step: Step): Step {
  return { ...step, inputs: undefined, outputs: undefined, variables: undefined };
}
