import {
  formatInstant,
  Repeat,
  type Step,
  StepType,
  type TaggedValue,
  type Trace,
  type TracePart,
  type TraceRow,
  VALUE_FORMS,
} from '@throughline/contract';
import { REDACTED_TEXT } from '@throughline/contract/redaction';
import { z } from 'zod';
import { type StoredTrace, toTraceRow } from '../store.ts';

/**
 * Masks data for public viewers. Each object is built from a list of allowed fields, so that a field added elsewhere is not exposed.
 * Allowed are names from the program's source code, service names, route templates, times, statuses and counts. Everything that a request
 * or a library supplied is masked: paths, error messages, keys of captured objects, and step names that are SQL, addresses or log lines.
 */

/**
 * HTTP methods that public viewers can see: the common ones among the methods that Node's server accepts. Any other string could contain
 * data.
 */
export const KNOWN_METHODS: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT QUERY'.split(' '),
);
const OTHER_METHOD = 'OTHER';

export function maskRow(row: TraceRow): TraceRow {
  const { request, error } = row;
  const method = request.method.toUpperCase();
  return {
    _id: row._id,
    traceId: row.traceId,
    projectId: row.projectId,
    request: {
      method: KNOWN_METHODS.has(method) ? method : OTHER_METHOD,
      path: request.route ?? REDACTED_TEXT,
      route: request.route,
    },
    response: { statusCode: row.response.statusCode },
    timing: { startTime: row.timing.startTime, duration: row.timing.duration },
    error: { hasError: error.hasError, errorMessage: maskText(error.errorMessage), errorCode: null },
    service: row.service,
    environment: '',
    release: '',
    userId: null,
    sessionId: null,
    country: null,
    instance: '',
    stepCount: row.stepCount,
  };
}

/** Builds a masked trace in the format of `traceText`. Needs only the beginning of each captured part (headers, query, body). */
export function maskTrace(trace: StoredTrace, steps: readonly Step[]): Trace {
  const row = maskRow(toTraceRow({ ...trace, step_count: steps.length }));
  return {
    ...row,
    spanId: trace.span_id || null,
    parentSpanId: trace.parent_span_id || null,
    request: {
      ...row.request,
      url: null,
      headers: {},
      ...maskCaptured('query', trace.request_query),
      ...maskCaptured('body', trace.request_body),
      ip: null,
      userAgent: null,
    },
    response: { ...row.response, headers: {}, ...maskCaptured('body', trace.response_body) },
    performance: {
      memoryUsage: trace.heap_used === null ? null : { heapUsed: trace.heap_used },
      cpuUsage: trace.cpu_usage,
      eventLoopDelay: trace.event_loop_delay,
    },
    serviceVersion: '',
    runtime: trace.runtime,
    user: null,
    attributes: {},
    flow: [...steps],
    dropped: { steps: trace.dropped_steps, values: trace.dropped_values, bytes: trace.dropped_bytes },
    createdAt: formatInstant(trace.stored_micros),
  };
}

/** The fields of a stored step that masking reads. */
const StoredStep = z.object({
  stepId: z.string(),
  parentStepId: z.string().nullable(),
  sequence: z.number(),
  stepName: z.string(),
  stepType: StepType,
  startTime: z.string(),
  endTime: z.string(),
  duration: z.number(),
  repeat: Repeat.optional(),
  functionName: z.string().nullable(),
  filePath: z.string().nullable(),
  lineNumber: z.number().nullable(),
  error: z.unknown().optional(),
  inputs: z.unknown().optional(),
  outputs: z.unknown().optional(),
  variables: z
    .object({
      capturedAt: z.unknown().optional(),
      parameters: z.unknown().optional(),
      localVariables: z.unknown().optional(),
      returnValue: z.unknown().optional(),
      thisContext: z.unknown().optional(),
    })
    .optional()
    .catch(undefined),
});

export function maskStep(json: string): Step {
  const step = StoredStep.parse(JSON.parse(json));
  const { variables, functionName } = step;
  return {
    stepId: step.stepId,
    parentStepId: step.parentStepId,
    sequence: step.sequence,
    // A step name that is not the function's name can be a log line, an address or SQL.
    stepName: functionName ?? step.stepType,
    stepType: step.stepType,
    startTime: step.startTime,
    endTime: step.endTime,
    duration: step.duration,
    ...(step.repeat === undefined ? {} : { repeat: step.repeat }),
    functionName,
    filePath: step.filePath,
    lineNumber: step.lineNumber,
    ...maskMember('inputs', step.inputs),
    ...maskMember('outputs', step.outputs),
    ...(variables === undefined
      ? {}
      : {
          variables: {
            ...(variables.capturedAt === 'exit' || variables.capturedAt === 'throw'
              ? { capturedAt: variables.capturedAt }
              : {}),
            ...maskMembers('parameters', variables.parameters),
            ...maskMembers('localVariables', variables.localVariables),
            ...maskMember('returnValue', variables.returnValue),
            ...maskMember('thisContext', variables.thisContext),
          },
        }),
    error: step.error === null || step.error === undefined ? null : { message: REDACTED_TEXT },
  };
}

function maskText(text: string | null): string | null {
  return text === null ? null : REDACTED_TEXT;
}

/** Masks a captured part, given the beginning of its JSON. Returns an empty object if nothing was captured. */
function maskCaptured<Name extends string>(
  name: Name,
  head: string,
): { readonly [name in Name]?: TaggedValue } {
  const shown: { [name in Name]?: TaggedValue } = {};
  if (head !== '') shown[name] = { $type: 'redacted', of: readKindOfJson(head) };
  return shown;
}

/** Parts of which public viewers can see the kind of the value. */
const MASKED_PARTS: ReadonlySet<TracePart> = new Set(['request.query', 'request.body', 'response.body']);

/** Masks one part of a trace, given the beginning of its JSON. */
export function maskPart(part: TracePart, head: string): { readonly value?: TaggedValue } {
  return MASKED_PARTS.has(part) ? maskCaptured('value', head) : {};
}

function maskMember<Name extends string>(
  name: Name,
  value: unknown,
): { readonly [name in Name]?: TaggedValue } {
  const shown: { [name in Name]?: TaggedValue } = {};
  if (value !== undefined) shown[name] = mask(value);
  return shown;
}

/**
 * Names of parameters and variables are part of the source code, like function names. Public viewers see these names, with masked values.
 */
const BINDING = /^[\p{ID_Start}$_][\p{ID_Continue}$]{0,99}(@\d{1,7})?$/u;

function maskMembers<Name extends string>(
  name: Name,
  value: unknown,
): { readonly [name in Name]?: TaggedValue | { readonly [binding: string]: TaggedValue } } {
  if (!isBindings(value)) return maskMember(name, value);
  const shown: { [name in Name]?: { readonly [binding: string]: TaggedValue } } = {};
  shown[name] = Object.fromEntries(Object.entries(value).map(([binding, bound]) => [binding, mask(bound)]));
  return shown;
}

function isBindings(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !('$type' in value) &&
    Object.keys(value).every((name) => BINDING.test(name))
  );
}

/** Reduces a value to its kind. Hides its class, its size and whether it is set. */
function mask(value: unknown): TaggedValue {
  return { $type: 'redacted', of: findKind(value) };
}

/** `$type` tags that do not name the kind of a value, but why it is missing or incomplete. */
const NO_KIND: ReadonlySet<string> = new Set([
  'undefined',
  'redacted',
  'cut',
  'reference',
  'hole',
  'accessor',
  'proxy',
]);

/** Returns the kind of a value, given the beginning of its JSON. */
function readKindOfJson(head: string): string {
  const [, form] = /^\s*\{\s*"\$type"\s*:\s*"(\w+)"/.exec(head) ?? [];
  if (form !== undefined) return readKindOfForm(form);
  const kinds: Readonly<Record<string, string>> = { '{': 'object', '[': 'array', '"': 'string' };
  const first = head.trimStart().charAt(0);
  return kinds[first] ?? (/[-0-9]/.test(first) ? 'number' : 'value');
}

function findKind(value: unknown): string {
  if (value === null || typeof value === 'boolean') return 'value';
  if (typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) return 'array';
  const form = '$type' in value && typeof value.$type === 'string' ? value.$type : 'object';
  return readKindOfForm(form);
}

function readKindOfForm(form: string): string {
  return Object.hasOwn(VALUE_FORMS, form) && !NO_KIND.has(form) ? form : 'value';
}
