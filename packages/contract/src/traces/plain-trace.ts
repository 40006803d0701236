import { isInstant } from '../instants/instants.ts';
import {
  type IngestStep,
  type IngestTrace,
  MAX_CHARACTERS,
  MAX_LINE_NUMBER,
  MAX_MILLISECONDS,
  STEP_TYPES,
} from './ingest.ts';
import { SOURCE_LIMITS, SOURCE_VERSION, type TraceSource } from './sources.ts';

/**
 * Fast checks, about ten times faster than the schemas, that recognize most valid traces. The checks accept only the forms that
 * senders usually send. The schema checks everything else: rare values, and values that the schema changes or can reject.
 */

type Members<Type> = { readonly [name in keyof Type]?: unknown };

const TYPES: ReadonlySet<unknown> = new Set(STEP_TYPES);

/**
 * True if {@link IngestStep} certainly accepts the step, and changes none of the members that the schema knows. The step can have other
 * members, which the schema would remove.
 */
export function isPlainStep(sent: unknown): sent is IngestStep {
  if (!isObject<IngestStep>(sent)) return false;
  const { stepId, parentStepId, sequence, stepName, stepType, startTime, endTime, duration } = sent;
  return (
    isText(stepId, MAX_CHARACTERS.stepId) &&
    stepId !== '' &&
    (isAbsent(parentStepId) || isText(parentStepId, MAX_CHARACTERS.stepId)) &&
    (sequence === undefined || isCount(sequence, Number.MAX_SAFE_INTEGER)) &&
    isText(stepName, MAX_CHARACTERS.name) &&
    TYPES.has(stepType) &&
    isTime(startTime) &&
    (endTime === undefined || isTime(endTime)) &&
    isMilliseconds(duration) &&
    hasPlainSource(sent)
  );
}

function hasPlainSource(sent: Members<IngestStep>): boolean {
  const { repeat, functionName, filePath, lineNumber, variables, error } = sent;
  return (
    isAbsent(repeat) &&
    isAbsent(error) &&
    isTextOrAbsent(functionName, MAX_CHARACTERS.name) &&
    isTextOrAbsent(filePath, MAX_CHARACTERS.filePath) &&
    (isAbsent(lineNumber) || isCount(lineNumber, MAX_LINE_NUMBER)) &&
    (isAbsent(variables) || isObject(variables))
  );
}

type Head = Omit<IngestTrace, 'flow'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TRACE_ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;

/**
 * Returns the trace's members without its steps, if {@link IngestTrace} certainly accepts these members unchanged. Returns undefined if the
 * schema must check them.
 */
export function readPlainHead(sent: unknown): Head | undefined {
  if (!isObject<IngestTrace>(sent)) return undefined;
  const { flow: _steps, ...head } = sent;
  return isPlainHead(head) ? head : undefined;
}

function isPlainHead(head: Members<Head>): head is Head {
  const { _id, traceId, spanId, parentSpanId, sessionId, attributes, sources, user } = head;
  return (
    hasOnly(head, HEAD_MEMBERS) &&
    (_id === undefined || matches(_id, UUID)) &&
    (traceId === undefined || matches(traceId, TRACE_ID)) &&
    (isAbsent(spanId) || matches(spanId, SPAN_ID)) &&
    (isAbsent(parentSpanId) || matches(parentSpanId, SPAN_ID)) &&
    isTextOrAbsent(sessionId, MAX_CHARACTERS.sessionId) &&
    (isAbsent(attributes) || isObject(attributes)) &&
    (isAbsent(sources) || isPlainSources(sources)) &&
    isPlainRequest(head.request) &&
    isPlainResponse(head.response) &&
    isPlainTiming(head.timing) &&
    isPlainPerformance(head.performance) &&
    isPlainError(head.error) &&
    (isAbsent(user) || (isObject<{ id: string }>(user) && isTextOrAbsent(user.id, MAX_CHARACTERS.userId))) &&
    isPlainDropped(head.dropped)
  );
}

const HEAD_MEMBERS = nameAll<Head>({
  _id: 1,
  traceId: 1,
  spanId: 1,
  parentSpanId: 1,
  request: 1,
  response: 1,
  timing: 1,
  performance: 1,
  error: 1,
  user: 1,
  sessionId: 1,
  attributes: 1,
  sources: 1,
  dropped: 1,
});

type Request = Head['request'];
const REQUEST_MEMBERS = nameAll<Request>({
  method: 1,
  path: 1,
  route: 1,
  url: 1,
  headers: 1,
  query: 1,
  body: 1,
  ip: 1,
  userAgent: 1,
});

function isPlainRequest(sent: unknown): boolean {
  if (!isObject<Request>(sent) || !hasOnly(sent, REQUEST_MEMBERS)) return false;
  const { method, path, route, url, headers, ip, userAgent } = sent;
  return (
    isText(method, MAX_CHARACTERS.method) &&
    method !== '' &&
    isText(path, MAX_CHARACTERS.path) &&
    isTextOrAbsent(route, MAX_CHARACTERS.path) &&
    isTextOrAbsent(url, MAX_CHARACTERS.url) &&
    (headers === undefined || isObject(headers)) &&
    isTextOrAbsent(ip, MAX_CHARACTERS.ip) &&
    isTextOrAbsent(userAgent, MAX_CHARACTERS.userAgent)
  );
}

type Response = NonNullable<Head['response']>;
const RESPONSE_MEMBERS = nameAll<Response>({ statusCode: 1, headers: 1, body: 1 });
const MIN_STATUS = 100;
const MAX_STATUS = 999;

function isPlainResponse(sent: unknown): boolean {
  if (isAbsent(sent)) return true;
  if (!isObject<Response>(sent) || !hasOnly(sent, RESPONSE_MEMBERS)) return false;
  const { statusCode, headers } = sent;
  return (
    (isAbsent(statusCode) ||
      (typeof statusCode === 'number' && isCount(statusCode, MAX_STATUS) && statusCode >= MIN_STATUS)) &&
    (headers === undefined || isObject(headers))
  );
}

type Timing = Head['timing'];
const TIMING_MEMBERS = nameAll<Timing>({ startTime: 1, duration: 1 });

function isPlainTiming(sent: unknown): boolean {
  if (!isObject<Timing>(sent) || !hasOnly(sent, TIMING_MEMBERS)) return false;
  return isTime(sent.startTime) && isMilliseconds(sent.duration);
}

/** True for a list of files without source code, the usual case. */
function isPlainSources(sent: unknown): boolean {
  return Array.isArray(sent) && sent.length <= SOURCE_LIMITS.files && sent.every(isPlainSource);
}

const SOURCE_MEMBERS: ReadonlySet<string> = new Set(['file', 'version']);

function isPlainSource(sent: unknown): boolean {
  if (!isObject<TraceSource>(sent) || !hasOnly(sent, SOURCE_MEMBERS)) return false;
  const { file, version } = sent;
  return isText(file, SOURCE_LIMITS.path) && file !== '' && matches(version, SOURCE_VERSION);
}

type Performance = NonNullable<Head['performance']>;
const PERFORMANCE_MEMBERS = nameAll<Performance>({ memoryUsage: 1, cpuUsage: 1, eventLoopDelay: 1 });
const MEMORY_MEMBERS = nameAll<NonNullable<Performance['memoryUsage']>>({ heapUsed: 1 });

function isPlainPerformance(sent: unknown): boolean {
  if (isAbsent(sent)) return true;
  if (!isObject<Performance>(sent) || !hasOnly(sent, PERFORMANCE_MEMBERS)) return false;
  const { memoryUsage, cpuUsage, eventLoopDelay } = sent;
  return (
    (isAbsent(memoryUsage) || isPlainMemory(memoryUsage)) &&
    (isAbsent(cpuUsage) || isAmount(cpuUsage)) &&
    (isAbsent(eventLoopDelay) || isAmount(eventLoopDelay))
  );
}

function isPlainMemory(sent: unknown): boolean {
  return isObject<{ heapUsed: number }>(sent) && hasOnly(sent, MEMORY_MEMBERS) && isAmount(sent.heapUsed);
}

type ErrorOfTrace = NonNullable<Head['error']>;
const ERROR_MEMBERS = nameAll<ErrorOfTrace>({ hasError: 1, errorMessage: 1, errorCode: 1 });

function isPlainError(sent: unknown): boolean {
  if (isAbsent(sent)) return true;
  if (!isObject<ErrorOfTrace>(sent) || !hasOnly(sent, ERROR_MEMBERS)) return false;
  const { hasError, errorMessage, errorCode } = sent;
  return (
    typeof hasError === 'boolean' &&
    isTextOrAbsent(errorMessage, MAX_CHARACTERS.errorMessage) &&
    isTextOrAbsent(errorCode, MAX_CHARACTERS.errorCode)
  );
}

type Dropped = NonNullable<Head['dropped']>;
const DROPPED_MEMBERS = nameAll<Dropped>({ steps: 1, values: 1, bytes: 1 });

function isPlainDropped(sent: unknown): boolean {
  if (isAbsent(sent)) return true;
  if (!isObject<Dropped>(sent) || !hasOnly(sent, DROPPED_MEMBERS)) return false;
  return isAmount(sent.steps) && isAmount(sent.values) && isAmount(sent.bytes);
}

/** Lists the names of all members of a type. If a member is added to the type but not here, compilation fails. */
function nameAll<Type>(names: Readonly<Record<keyof Required<Type>, 1>>): ReadonlySet<string> {
  return new Set(Object.keys(names));
}

/** True if the object has only these members. The schema would remove other members. */
function hasOnly(sent: object, names: ReadonlySet<string>): boolean {
  for (const name of Object.keys(sent)) if (!names.has(name)) return false;
  return true;
}

function isObject<Type>(value: unknown): value is Members<Type> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isText(value: unknown, maxCharacters: number): boolean {
  return typeof value === 'string' && value.length <= maxCharacters;
}

function isTextOrAbsent(value: unknown, maxCharacters: number): boolean {
  return isAbsent(value) || isText(value, maxCharacters);
}

function matches(value: unknown, form: RegExp): boolean {
  return typeof value === 'string' && form.test(value);
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && isInstant(value);
}

function isMilliseconds(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= MAX_MILLISECONDS;
}

function isCount(value: unknown, max: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= max;
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
