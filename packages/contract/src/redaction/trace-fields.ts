import type { z } from 'zod';
import type { IngestStep, IngestTrace, Service } from '../traces/ingest.ts';
import type { TraceSource } from '../traces/sources.ts';
import type { CapturedValue } from '../values.ts';
import { hideQueryCopies } from './query-copies.ts';
import type { Redactor } from './redactor.ts';
import { redactSource } from './source/redact-source.ts';
import { buildObject, type Fields } from './syntax/forms.ts';

/**
 * How each field of a trace is redacted. `unchanged`: not at all (numbers, times, ids in Throughline's own format, keywords).
 * `id`: an id that the sender chose. `text`: must remain a string. `value`: a captured value. `fields`: an object
 * whose keys are names. `identity`: an object that identifies the user. `sources`: files with source code.
 */
type Rule = 'unchanged' | 'id' | 'text' | 'value' | 'fields' | 'identity' | 'sources';

/** A rule for each field of a contract type. If a field without a rule is added to the type, compilation fails. */
type Rules<Type> = string extends keyof Type
  ? AnyRules
  : { readonly [Field in keyof Required<Type>]: Rule | Rules<NonNullable<Type[Field]>> };
type AnyRules = { readonly [field: string]: Rule | AnyRules };

const TRACE_HEAD_RULES = {
  _id: 'unchanged',
  traceId: 'unchanged',
  spanId: 'unchanged',
  parentSpanId: 'unchanged',
  request: {
    method: 'text',
    path: 'text',
    route: 'text',
    url: 'text',
    headers: 'fields',
    query: 'value',
    body: 'value',
    ip: 'text',
    userAgent: 'text',
  },
  response: { statusCode: 'unchanged', headers: 'fields', body: 'value' },
  timing: { startTime: 'unchanged', duration: 'unchanged' },
  performance: { memoryUsage: { heapUsed: 'unchanged' }, cpuUsage: 'unchanged', eventLoopDelay: 'unchanged' },
  error: { hasError: 'unchanged', errorMessage: 'text', errorCode: 'text' },
  user: 'identity',
  sessionId: 'text',
  attributes: 'fields',
  sources: 'sources',
  dropped: { steps: 'unchanged', values: 'unchanged', bytes: 'unchanged' },
} as const satisfies Rules<Omit<IngestTrace, 'flow'>>;

const STEP_RULES = {
  stepId: 'id',
  parentStepId: 'id',
  sequence: 'unchanged',
  stepName: 'text',
  stepType: 'unchanged',
  startTime: 'unchanged',
  endTime: 'unchanged',
  duration: 'unchanged',
  repeat: 'unchanged',
  functionName: 'text',
  filePath: 'text',
  lineNumber: 'unchanged',
  inputs: 'value',
  outputs: 'value',
  variables: {
    capturedAt: 'unchanged',
    parameters: 'fields',
    localVariables: 'fields',
    returnValue: 'value',
    thisContext: 'value',
  },
  error: { message: 'text', name: 'text', stack: 'text', code: 'text' },
  metadata: 'fields',
} as const satisfies Rules<IngestStep>;

const SERVICE_RULES = {
  name: 'text',
  version: 'text',
  environment: 'text',
  release: 'text',
  instance: 'text',
  runtime: 'text',
} as const satisfies Rules<z.output<typeof Service>>;

/**
 * Redacts a trace without its steps. Returns the same object if it contains no secrets; never changes the
 * object.
 */
export function redactTraceHead<Head extends object>(head: Head, redactor: Redactor): Head {
  return redactFields(head, TRACE_HEAD_RULES, redactor, []);
}

export function redactService<Sender extends object>(service: Sender, redactor: Redactor): Sender {
  return redactFields(service, SERVICE_RULES, redactor, []);
}

/** Redacts the fields of a step. Returns the same object if it contains no secrets. `ids` redacts the step ids of the trace. */
export function redactStepFields<Step extends object>(step: Step, redactor: Redactor, ids?: StepIds): Step {
  const shown = redactFields(step, STEP_RULES, redactor, [], ids);
  const statement = 'inputs' in step ? readStatement(step.inputs) : undefined;
  // If the statement contains one of the project's own names, all of its values are hidden: the redaction finds the parameter in
  // `salary = ?`, but not in every expression, such as `salary BETWEEN ? AND ?`.
  const isOwn = statement !== undefined && redactor.mentionsOwnName(statement);
  return redactor.hasPaths || isOwn ? hideQueryCopies(shown) : shown;
}

function readStatement(inputs: unknown): string | undefined {
  const statement: unknown =
    typeof inputs === 'object' && inputs !== null ? Reflect.get(inputs, 'statement') : undefined;
  return typeof statement === 'string' ? statement : undefined;
}

function redactFields<Type extends object>(
  given: Type,
  rules: AnyRules,
  redactor: Redactor,
  path: readonly string[],
  ids?: StepIds,
): Type {
  const fields = toFields(given);
  // A copy of the object, which is created only if a field contains a secret.
  let shown: { [field: string]: unknown } | undefined;
  let others: [string, CapturedValue][] | undefined;
  for (const field of Object.keys(fields)) {
    const value = fields[field];
    if (value === undefined || value === null) continue;
    const rule = Object.hasOwn(rules, field) ? rules[field] : undefined;
    if (rule === 'unchanged') continue;
    if (rule === undefined) {
      others ??= [];
      others.push([field, value]);
      continue;
    }
    const result = redactField(value, rule, redactor, redactor.hasPaths ? [...path, field] : path, ids);
    if (result === value) continue;
    shown ??= { ...fields };
    shown[field] = result;
  }
  if (others !== undefined) {
    // Fields without a rule, such as an error's own properties, are redacted like members of any object.
    const unknown = buildObject(others);
    const result = redactor.fieldsBeside(unknown, fields, path);
    if (result !== unknown) {
      shown ??= { ...fields };
      for (const field of Object.keys(unknown)) delete shown[field];
      Object.assign(shown, result);
    }
  }
  // Safe cast: each redacted value has the type of its field.
  return (shown ?? given) as Type;
}

function redactField(
  value: unknown,
  rule: Rule | AnyRules,
  redactor: Redactor,
  path: readonly string[],
  ids: StepIds | undefined,
): unknown {
  if (typeof value === 'string' && (rule === 'text' || rule === 'id')) {
    return rule === 'id' && ids !== undefined ? ids.show(value) : redactor.textAt(value, path);
  }
  if (typeof rule === 'object') {
    return isObject(value)
      ? redactFields(value, rule, redactor, path, ids)
      : redactor.value(asCaptured(value), path);
  }
  if (rule === 'sources' && Array.isArray(value)) return redactSources(value, redactor);
  if (rule === 'identity' && isObject(value)) return redactor.identityFields(toFields(value), path);
  return rule === 'fields' && isObject(value)
    ? redactor.fields(toFields(value), path)
    : redactor.value(asCaptured(value), path);
}

/** Redacts the source code in a trace's files. Returns the same array if it contains no secrets. */
function redactSources(sources: readonly TraceSource[], redactor: Redactor): readonly TraceSource[] {
  const shown = sources.map((source) => {
    const file = redactor.text(source.file);
    const { functions } = source;
    if (functions === undefined) return file === source.file ? source : { ...source, file };
    const isJsx = /x$/i.test(source.file);
    const texts = functions.map(({ text }) => redactSource(text, isJsx, redactor));
    if (file === source.file && texts.every((text, at) => text === functions[at]?.text)) return source;
    return { ...source, file, functions: functions.map((each, at) => ({ ...each, text: texts[at] ?? '' })) };
  });
  return shown.every((source, at) => source === sources[at]) ? sources : shown;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Casts a captured value, which is declared as unknown because it comes from JSON or from a snapshot. */
function asCaptured(value: unknown): CapturedValue {
  return value as CapturedValue;
}

function toFields(value: object): Fields {
  return value as Fields;
}

/**
 * Redacts the step ids of a trace. A step is shown with the same id everywhere, even if its id is a secret. Redacted ids are numbered, so
 * that they stay distinct.
 */
export class StepIds {
  readonly #redactor: Redactor;
  readonly #changed = new Map<string, string>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  show(id: string): string {
    const known = this.#changed.get(id);
    if (known !== undefined) return known;
    const shown = this.#redactor.text(id);
    if (shown === id) return id;
    const numbered = `${shown} ${this.#changed.size + 1}`;
    this.#changed.set(id, numbered);
    return numbered;
  }
}
