import {
  EchoSearch,
  HiddenTexts,
  type Redactor,
  redactStepFields,
  redactTraceHead,
} from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import { JsonWriter } from '../../record/writer/json-writer.ts';
import { fitHead } from './fit-head.ts';
import type { FinishedTrace, TraceHead, WireStep } from './wire.ts';
import { writeJson } from './write-json.ts';
import { fitStep, writeStep } from './write-step.ts';

const FIRST_BLOCK = 64 * 1024;
/** Maximum size of the buffer that is reused for the next trace, in bytes. */
const KEPT_BLOCK = 4 * 1024 * 1024;
const FLOW = ',"flow":[';
const HEAD = -1;
const CLOSE = 0x7d;
const CLOSE_LIST = 0x5d;

let writer = new JsonWriter(FIRST_BLOCK);

/**
 * Serializes the trace as UTF-8 JSON without secrets; unredacted if `redactor` is null. A string that is redacted because of its name is
 * redacted in the whole trace. Takes about 15 µs for a trace of 15 steps. The bytes are valid until the next call.
 */
export function writeTrace(trace: FinishedTrace, redactor: Redactor | null): Uint8Array {
  writer.end = 0;
  if (redactor === null) write(trace, null);
  else redactor.collectSecrets(trace.secrets, () => write(trace, redactor));
  const json = copyWritten();
  if (redactor === null || trace.secrets.size === 0) return json;
  const parts = findPartsWithEchoes(json, new EchoSearch(trace.secrets));
  if (parts.length === 0) return json;
  const hidden = new HiddenTexts(trace.secrets);
  return redactor.hideSecrets(hidden, () => withoutTexts(json, parts, redactor));
}

function copyWritten(): Uint8Array {
  const json = writer.bytes.subarray(0, writer.end);
  if (writer.capacity > KEPT_BLOCK) writer = new JsonWriter(FIRST_BLOCK);
  return json;
}

/** Positions in the writer: the start of each step, followed by the end of the last step. */
const steps: number[] = [];

function write(trace: FinishedTrace, redactor: Redactor | null): void {
  const { flow, leavesOutMessages } = trace;
  const head = takeHead(trace);
  steps.length = 0;
  const shown = redactor === null ? head : redactTraceHead(head, redactor);
  const fitting = fitHead(shown);
  writer.json(writeJson(leavesOutMessages === true ? leaveOutMessages(fitting) : fitting));
  writer.end--;
  writer.json(FLOW);
  for (const step of flow) {
    steps.push(writer.end);
    writeStep(writer, step, redactor);
  }
  steps.push(writer.end);
  writer.close(CLOSE_LIST);
  writer.end--;
  writer.byte(CLOSE);
}

/** Returns the trace without its steps. Names each field, because copying the remaining fields of an object takes ten times as long. */
function takeHead(trace: FinishedTrace): TraceHead {
  return {
    _id: trace._id,
    traceId: trace.traceId,
    spanId: trace.spanId,
    parentSpanId: trace.parentSpanId,
    request: trace.request,
    response: trace.response,
    timing: trace.timing,
    performance: trace.performance,
    error: trace.error,
    user: trace.user,
    sessionId: trace.sessionId,
    attributes: trace.attributes,
    sources: trace.sources,
    dropped: trace.dropped,
  } satisfies { readonly [Field in keyof Required<TraceHead>]: TraceHead[Field] };
}

/** Returns the trace's head without headers. A marker replaces each body. */
function leaveOutMessages(head: TraceHead): TraceHead {
  const { request, response } = head;
  return {
    ...head,
    request: { ...request, headers: {}, body: markBody(request.body) },
    response: { ...response, headers: {}, body: markBody(response.body) },
  };
}

function markBody(body: CapturedValue | undefined): CapturedValue | undefined {
  if (typeof body === 'object' && body !== null && '$type' in body && body.$type === 'cut') return body;
  return body === undefined ? undefined : { $type: 'cut', of: 'body', reason: 'budget' };
}

/** Returns the parts of a trace that can contain a secret again: indexes of steps, and -1 for the head. */
function findPartsWithEchoes(json: Uint8Array, search: EchoSearch): number[] {
  const found = search.isIn(json.subarray(0, steps[0])) ? [HEAD] : [];
  for (let step = 0; step < steps.length - 1; step++) {
    if (search.isIn(json.subarray(steps[step], steps[step + 1]))) found.push(step);
  }
  return found;
}

/** Returns the trace with the secrets redacted in `parts`. All other parts are copied unchanged. */
function withoutTexts(json: Uint8Array, parts: readonly number[], redactor: Redactor): Uint8Array {
  const pieces: Uint8Array[] = [];
  const [flowStart = 0] = steps;
  let copied = 0;
  for (const part of parts) {
    const start = part === HEAD ? 0 : (steps[part] ?? 0);
    const end = part === HEAD ? flowStart : (steps[part + 1] ?? 0) - 1;
    pieces.push(json.subarray(copied, start));
    pieces.push(
      Buffer.from(
        part === HEAD ? redactHead(json, flowStart, redactor) : stepWithout(json, start, end, redactor),
      ),
    );
    copied = end;
  }
  pieces.push(json.subarray(copied));
  return Buffer.concat(pieces);
}

/** Returns the JSON of the trace up to its first step, redacted. */
function redactHead(json: Uint8Array, end: number, redactor: Redactor): string {
  const head: TraceHead = JSON.parse(`${decodeText(json, 0, end - FLOW.length)}}`);
  return `${writeJson(fitHead(redactTraceHead(head, redactor))).slice(0, -1)}${FLOW}`;
}

function stepWithout(json: Uint8Array, start: number, end: number, redactor: Redactor): string {
  const step: WireStep = JSON.parse(decodeText(json, start, end));
  return writeJson(fitStep(redactStepFields(step, redactor)));
}

function decodeText(json: Uint8Array, start: number, end: number): string {
  return Buffer.from(json.buffer, json.byteOffset + start, end - start).toString();
}
