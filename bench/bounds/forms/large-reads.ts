import { REQUIRED, STEP, withMember, withTraces } from '../bodies/native-json.ts';
import { pack } from '../bodies/pack.ts';
import { join, listOfNumbered, type Pieces, raw } from '../bodies/pieces.ts';
import { callOnce, post } from '../calls.ts';
import type { HostileForm, Outcome, Send, Target } from '../form.ts';

const STEPS = 500;
const STEP_CHARACTERS = 100_000;

/** Builds a trace of 50 MB. */
function largeTrace(): Promise<Buffer> {
  const steps = listOfNumbered(STEPS, (index) => {
    const text = `value ${index}, `.repeat(STEP_CHARACTERS / 12);
    return `{"stepId":"s${index}",${STEP},"inputs":["${text}"]}`;
  });
  return pack(withMember('flow', steps), 'gzip');
}

/** Number of calls in a trace, just below the maximum that the server compares. */
const CALLS = 19_900;

/**
 * Builds the traces of two requests to one endpoint, each with `CALLS` calls. The newer request failed, and none of its calls matches a
 * call of the older request.
 */
function twoOfManyCalls(): Promise<Buffer> {
  return twoRequests((name) =>
    listOfNumbered(CALLS, (index) => {
      const step = STEP.replace('charge', `${name}${index}`);
      return `{"stepId":"s${index}",${step},"inputs":[${index}],"outputs":["${name}${index} of an order"]}`;
    }),
  );
}

/** Number of members of each object. The values of all members differ between the two requests, which have about 230 kB each. */
const KEYS = 12_000;

/** Builds the traces of two requests with one call each, whose input and result are objects with many members. The newer request failed. */
function twoOfManyKeys(): Promise<Buffer> {
  return twoRequests((name) => {
    const buildObject = (digit: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: KEYS }, (_, at) => [`k${at}`, digit])));
    const digit = name === 'a' ? 1 : 2;
    return raw(`[{"stepId":"s1",${STEP},"inputs":[${buildObject(digit)}],"outputs":${buildObject(digit)}}]`);
  });
}

/**
 * Builds the traces of a successful request with the steps of `buildSteps('a')`, and of a later failed request with the steps of
 * `buildSteps('b')`.
 */
function twoRequests(buildSteps: (name: 'a' | 'b') => Pieces): Promise<Buffer> {
  const good = REQUIRED.replace('"duration":1}', '"duration":1},"response":{"statusCode":200}');
  const before = good.replace(
    /"startTime":"[^"]+"/,
    `"startTime":"${new Date(Date.now() - 60_000).toISOString()}"`,
  );
  const failed = good.replace('200', '500');
  return pack(
    withTraces(join(`[{${before},"flow":`, buildSteps('a'), `},{${failed},"flow":`, buildSteps('b'), '}]')),
    'gzip',
  );
}

const get = (target: Target, path: string, signal: AbortSignal) => {
  const headers = { authorization: `Bearer ${target.token}` };
  return callOnce(target, { method: 'GET', path, headers }, (request) => request.end(), signal);
};

/** Stores the trace in the target's project. Returns the trace's id, or the response if the trace was not stored. */
async function storeTrace(target: Target, body: Buffer, signal: AbortSignal): Promise<string | Outcome> {
  const headers = {
    'x-api-key': target.apiKey,
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  };
  const stored = await post(target, '/api/ingest/traces', headers, body, signal);
  if (stored.answer !== '200') return stored;
  const listed = await get(target, `/api/traces?projectId=${target.projectId}&limit=1`, signal);
  const id = /"_id":"([^"]+)"/.exec(listed.text)?.[1];
  return id ?? listed;
}

/**
 * Builds a hostile input that stores a body once for each target project, and then reads the body's newest trace. `path` returns the URL
 * path of a read; `call` is the number of the read.
 */
function createReaders(
  name: string,
  build: () => Promise<Buffer>,
  path: (id: string, target: Target, call: number) => string,
): HostileForm {
  return {
    way: 'API',
    name,
    async prepare(): Promise<Send> {
      const body = await build();
      const stored = new Map<string, Promise<string | Outcome>>();
      let calls = 0;
      return async (target, signal) => {
        const storing = stored.get(target.projectId) ?? storeTrace(target, body, signal);
        stored.set(target.projectId, storing);
        const id = await storing;
        if (typeof id !== 'string') return id;
        calls += 1;
        return get(target, path(id, target, calls), signal);
      };
    },
  };
}

/** API requests that the trace page makes in addition to reading the trace. */
const ABOUT_A_TRACE: Readonly<Record<string, string>> = {
  'what stands out': 'stands-out',
  'its comparison': 'comparison',
  'the origin of a value': `value-origin?stepId=s1&place=inputs&path=${encodeURIComponent('[0]')}`,
  'a search of its steps': 'steps?text=nowhere',
};

/** API requests whose responses have many megabytes, or for which the server reads as much data. */
export const LARGE_READS: readonly HostileForm[] = [
  createReaders('a trace of 50 MB', largeTrace, (id) => `/api/traces/${id}`),
  createReaders('a trace of 50 MB, and its export', largeTrace, (id, { projectId }, call) =>
    call % 10 === 0 ? `/api/traces/export?projectId=${projectId}` : `/api/traces/${id}`,
  ),
  ...Object.entries(ABOUT_A_TRACE).flatMap(([name, path]) => [
    createReaders(`${name}, 50 MB`, largeTrace, (id) => `/api/traces/${id}/${path}`),
    createReaders(`${name}, 19,900 calls`, twoOfManyCalls, (id) => `/api/traces/${id}/${path}`),
    createReaders(`${name}, 12,000 keys`, twoOfManyKeys, (id) => `/api/traces/${id}/${path}`),
  ]),
];
