/** Converts a request to the trace that the SDK would send. */
import { createHash } from 'node:crypto';
import type { Project } from './habits.ts';
import type { Call, Request } from './request.ts';

export type SentTrace = ReturnType<typeof writeTrace>;

export function writeTrace(project: Project, request: Request) {
  const { endpoint, failure, number } = request;
  const { flow, endMs } = writeFlow(project, request);
  const ids = createHash('sha256').update(`${project.seed} ${number} ${request.atMs}`).digest('hex');
  const path = endpoint.path.replace(':id', String(number));
  const body = {
    items: Array.from({ length: request.bodyItems }, (_item, index) => writeItem(number + index)),
  };
  const text = JSON.stringify(failure === null ? body : { error: failure.message });
  return {
    traceId: ids.slice(0, 32),
    spanId: ids.slice(32, 48),
    request: {
      method: endpoint.method,
      path,
      route: endpoint.path,
      url: `http://${project.service}.example${path}`,
      // A proxy in front of the service sets `cf-ipcountry`.
      headers: { host: `${project.service}.example`, 'cf-ipcountry': request.country, 'user-agent': 'bench' },
      userAgent: 'bench',
    },
    response: {
      statusCode: failure?.status ?? 200,
      headers: { 'content-type': 'application/json', 'content-length': String(text.length) },
      body: JSON.parse(text) as unknown,
    },
    timing: { startTime: writeInstant(request.atMs), duration: round(endMs) },
    performance: {
      memoryUsage: { heapUsed: Math.round(request.heapBytes) },
      cpuUsage: round(request.cpuPercent),
      eventLoopDelay: round(request.eventLoopMs),
    },
    error: { hasError: failure !== null, errorMessage: failure?.message ?? null },
    user: request.userId === null ? null : { id: request.userId },
    attributes: { tenant: request.tenant },
    flow,
  };
}

const writeItem = (id: number) => ({ id, name: `item ${id}`, cents: 990 + (id % 90) * 100 });
const round = (ms: number) => Math.round(ms * 1000) / 1000;
const writeInstant = (ms: number) => new Date(ms).toISOString();

/** Writes the handler's step and its child steps: the cache lookup, the calls that are made after a miss, and the endpoint's own work. */
function writeFlow(project: Project, request: Request) {
  const { endpoint, atMs, failure, number } = request;
  const key = `${endpoint.path}:${number}`;
  const steps: object[] = [];
  const add = (
    step: {
      readonly name: string;
      readonly type: string;
      readonly fromMs: number;
      readonly ms: number;
    } & Values,
  ) => {
    const { name, type, fromMs, ms, inputs, outputs, metadata, error } = step;
    steps.push({
      stepId: String(steps.length + 2),
      parentStepId: '1',
      sequence: steps.length + 1,
      stepName: name,
      stepType: type,
      startTime: writeInstant(atMs + fromMs),
      endTime: writeInstant(atMs + fromMs + ms),
      duration: round(ms),
      functionName: name.replaceAll(/\W+/g, '_'),
      filePath: `src/${project.service}.ts`,
      lineNumber: 10 + name.length,
      ...(inputs !== undefined && { inputs }),
      ...(outputs !== undefined && { outputs }),
      ...(metadata !== undefined && { metadata }),
      ...(error !== undefined && { error }),
    });
  };
  let atStepMs = 0.4;
  if (request.hit !== null) {
    const outputs = request.hit ? writeItem(number) : null;
    const metadata = { 'db.system.name': 'redis', 'cache.hit': request.hit };
    add({
      name: 'GET',
      type: 'cache',
      fromMs: atStepMs,
      ms: 0.8,
      inputs: { command: `GET ${key}` },
      outputs,
      metadata,
    });
    atStepMs += 0.8;
  }
  if (request.hit !== true) atStepMs = writeCalls(request, add, atStepMs);
  const failed = failure !== null && request.calls.every(({ error }) => error === null);
  const error = failed ? { error: { name: 'Error', message: failure.message } } : {};
  add({
    name: 'buildAnswer',
    type: 'function',
    fromMs: atStepMs,
    ms: request.ownMs,
    inputs: { key },
    ...error,
  });
  const endMs = atStepMs + request.ownMs + 0.3;
  const handler = {
    stepId: '1',
    parentStepId: null,
    sequence: 0,
    stepName: `${endpoint.method} ${endpoint.path}`,
    stepType: 'handler',
    startTime: writeInstant(atMs),
    endTime: writeInstant(atMs + endMs),
    duration: round(endMs),
    functionName: 'handle',
    filePath: `src/${project.service}.ts`,
    lineNumber: 5,
  };
  return { flow: [handler, ...steps], endMs };
}

interface Values {
  readonly inputs?: unknown;
  readonly outputs?: unknown;
  readonly metadata?: unknown;
  readonly error?: { readonly message: string };
}
type Add = (
  step: {
    readonly name: string;
    readonly type: string;
    readonly fromMs: number;
    readonly ms: number;
  } & Values,
) => void;

/** Writes the calls. Returns the time at which the last call ends. A sequential call uses a key from the result of the previous call. */
function writeCalls({ calls, number, endpoint, userId }: Request, add: Add, startMs: number): number {
  // Calls that usually run concurrently use no results of each other, even if a planted problem makes them sequential.
  const areFree = calls.some(({ habit }) => habit.beside === true);
  let [fromMs, endMs] = [startMs, startMs];
  let key = endpoint.hitRate === undefined ? (userId ?? `guest-${number}`) : String(number);
  for (const [place, call] of calls.entries()) {
    if (!call.beside) fromMs = endMs;
    for (let turn = 0; turn < call.count; turn += 1) {
      const found = { id: number * 10 + place, region: `r${(number + place) % 7}` };
      const asked = call.count > 1 ? `${number}-${turn}` : key;
      add({ ...writeCall(call, asked, found), fromMs: fromMs + turn * call.ms, ms: call.ms });
      if (!areFree && turn === call.count - 1) key = `${found.region}/${found.id}`;
    }
    endMs = Math.max(endMs, fromMs + call.ms * call.count);
  }
  return endMs;
}

function writeCall({ habit, error }: Call, key: string, found: object) {
  const values =
    error === null
      ? { outputs: habit.type === 'http' ? { status: 200, body: found } : [found] }
      : { error: { name: 'Error', message: error } };
  if (habit.type === 'http')
    return {
      name: habit.name,
      type: 'http',
      metadata: { 'server.address': habit.to },
      inputs: { url: `http://${habit.to}/charges`, body: { key } },
      ...values,
    };
  const table = habit.name.replace('SELECT ', '');
  const query = `select id, region from ${table} where key = $1`;
  return {
    name: habit.name,
    type: habit.type,
    metadata: { 'db.system.name': habit.to },
    inputs: { query, values: [key] },
    ...values,
  };
}
