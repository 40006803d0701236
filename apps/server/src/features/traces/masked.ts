import {
  microsToInstant,
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
import { type StoredTrace, toTraceRow } from './store.ts';

/**
 * What visitors of a public project get. Each shape is put together anew from what may be shown, so that a field which is added elsewhere is
 * not shown by itself. Shown are names that stand in the program's source, templates of routes, times, statuses and counts; whatever a request
 * brought along, or a library said, is not: paths, texts of errors, names of steps that are SQL, addresses or log lines, keys of captured objects.
 */

/** The methods of HTTP that Node's server lets through and people use: any other text may say something. */
export const KNOWN_METHODS: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT QUERY'.split(' '),
);
const OTHER_METHOD = 'OTHER';

export function maskedRow(row: TraceRow): TraceRow {
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
    error: { hasError: error.hasError, errorMessage: masked(error.errorMessage), errorCode: null },
    service: row.service,
    environment: '',
    release: '',
    userId: null,
    sessionId: null,
    country: null,
    stepCount: row.stepCount,
  };
}

/** A trace as `traceText` puts it together, of what may be shown. Of its parts the heads are enough. */
export function maskedTrace(trace: StoredTrace, steps: readonly Step[]): Trace {
  const row = maskedRow(toTraceRow({ ...trace, step_count: steps.length }));
  return {
    ...row,
    spanId: trace.span_id || null,
    parentSpanId: trace.parent_span_id || null,
    request: {
      ...row.request,
      url: null,
      headers: {},
      ...captured('query', trace.request_query),
      ...captured('body', trace.request_body),
      ip: null,
      userAgent: null,
    },
    response: { ...row.response, headers: {}, ...captured('body', trace.response_body) },
    performance: {
      memoryUsage: trace.heap_used === null ? null : { heapUsed: trace.heap_used },
      cpuUsage: trace.cpu_usage,
      eventLoopDelay: trace.event_loop_delay,
    },
    serviceVersion: '',
    instance: '',
    runtime: trace.runtime,
    user: null,
    attributes: {},
    flow: [...steps],
    dropped: { steps: trace.dropped_steps, values: trace.dropped_values, bytes: trace.dropped_bytes },
    createdAt: microsToInstant(trace.stored_micros),
  };
}

/** What is read of a stored step; all else is left where it is. */
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

/** A step, given as the JSON text that the store makes. */
export function maskedStep(json: string): Step {
  const step = StoredStep.parse(JSON.parse(json));
  const { variables, functionName } = step;
  return {
    stepId: step.stepId,
    parentStepId: step.parentStepId,
    sequence: step.sequence,
    // A name that is not the function's own may be a line of a log, an address or SQL.
    stepName: functionName ?? step.stepType,
    stepType: step.stepType,
    startTime: step.startTime,
    endTime: step.endTime,
    duration: step.duration,
    ...(step.repeat === undefined ? {} : { repeat: step.repeat }),
    functionName,
    filePath: step.filePath,
    lineNumber: step.lineNumber,
    ...member('inputs', step.inputs),
    ...member('outputs', step.outputs),
    ...(variables === undefined
      ? {}
      : {
          variables: {
            ...(variables.capturedAt === 'exit' || variables.capturedAt === 'throw'
              ? { capturedAt: variables.capturedAt }
              : {}),
            ...members('parameters', variables.parameters),
            ...members('localVariables', variables.localVariables),
            ...member('returnValue', variables.returnValue),
            ...member('thisContext', variables.thisContext),
          },
        }),
    error: step.error === null || step.error === undefined ? null : { message: REDACTED_TEXT },
  };
}

function masked(text: string | null): string | null {
  return text === null ? null : REDACTED_TEXT;
}

/** A captured part, of which the beginning of its JSON text is given: empty where nothing was captured. */
function captured<Name extends string>(name: Name, head: string): { readonly [name in Name]?: TaggedValue } {
  const shown: { [name in Name]?: TaggedValue } = {};
  if (head !== '') shown[name] = { $type: 'redacted', of: kindOfJson(head) };
  return shown;
}

/** The parts that visitors may know the kind of. */
const MASKED_PARTS: ReadonlySet<TracePart> = new Set(['request.query', 'request.body', 'response.body']);

/** One part of a trace, of which the beginning is given. */
export function maskedPart(part: TracePart, head: string): { readonly value?: TaggedValue } {
  return MASKED_PARTS.has(part) ? captured('value', head) : {};
}

function member<Name extends string>(name: Name, value: unknown): { readonly [name in Name]?: TaggedValue } {
  const shown: { [name in Name]?: TaggedValue } = {};
  if (value !== undefined) shown[name] = mask(value);
  return shown;
}

/** Names of parameters and locals are words of the program, as a function's name is: they stay, each beside its masked value. */
const BINDING = /^[\p{ID_Start}$_][\p{ID_Continue}$]{0,99}(@\d{1,7})?$/u;

function members<Name extends string>(
  name: Name,
  value: unknown,
): { readonly [name in Name]?: TaggedValue | { readonly [binding: string]: TaggedValue } } {
  if (!isBindings(value)) return member(name, value);
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

/** A value as the one thing that is told of it: its kind. Not its class, its size, or whether it is there. */
function mask(value: unknown): TaggedValue {
  return { $type: 'redacted', of: findKind(value) };
}

/** Forms that are kinds of values; the others say what became of one. */
const NO_KIND: ReadonlySet<string> = new Set([
  'undefined',
  'redacted',
  'cut',
  'reference',
  'hole',
  'accessor',
  'proxy',
]);

/** The kind of a value whose JSON text begins like this. */
function kindOfJson(head: string): string {
  const [, form] = /^\s*\{\s*"\$type"\s*:\s*"(\w+)"/.exec(head) ?? [];
  if (form !== undefined) return kindOfForm(form);
  const kinds: Readonly<Record<string, string>> = { '{': 'object', '[': 'array', '"': 'string' };
  const first = head.trimStart().charAt(0);
  return kinds[first] ?? (/[-0-9]/.test(first) ? 'number' : 'value');
}

function findKind(value: unknown): string {
  if (value === null || typeof value === 'boolean') return 'value';
  if (typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) return 'array';
  const form = '$type' in value && typeof value.$type === 'string' ? value.$type : 'object';
  return kindOfForm(form);
}

function kindOfForm(form: string): string {
  return Object.hasOwn(VALUE_FORMS, form) && !NO_KIND.has(form) ? form : 'value';
}
