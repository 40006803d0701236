import { REQUIRED, STEP, withMember, withTraces } from '../bodies/native-json.ts';
import { pack } from '../bodies/pack.ts';
import { join, listOfNumbered } from '../bodies/pieces.ts';
import { callOnce, post } from '../calls.ts';
import type { HostileForm, Outcome, Send, Target } from '../form.ts';

const STEPS = 500;
const STEP_CHARACTERS = 100_000;

/** One trace of 50 MB. */
function largeTrace(): Promise<Buffer> {
  const steps = listOfNumbered(STEPS, (index) => {
    const text = `value ${index}, `.repeat(STEP_CHARACTERS / 12);
    return `{"stepId":"s${index}",${STEP},"inputs":["${text}"]}`;
  });
  return pack(withMember('flow', steps), 'gzip');
}

/** Just below the number of calls that a trace may have to be compared. */
const CALLS = 19_900;

/** Two requests to one endpoint with many calls, of which the newer one failed: no call is like one of the other. */
function twoOfManyCalls(): Promise<Buffer> {
  const buildCalls = (name: string) =>
    listOfNumbered(CALLS, (index) => {
      const step = STEP.replace('charge', `${name}${index}`);
      return `{"stepId":"s${index}",${step},"inputs":[${index}],"outputs":["${name}${index} of an order"]}`;
    });
  const good = REQUIRED.replace('"duration":1}', '"duration":1},"response":{"statusCode":200}');
  const before = good.replace(
    /"startTime":"[^"]+"/,
    `"startTime":"${new Date(Date.now() - 60_000).toISOString()}"`,
  );
  const failed = good.replace('200', '500');
  return pack(
    withTraces(join(`[{${before},"flow":`, buildCalls('a'), `},{${failed},"flow":`, buildCalls('b'), '}]')),
    'gzip',
  );
}

const get = (target: Target, path: string, signal: AbortSignal) => {
  const headers = { authorization: `Bearer ${target.token}` };
  return callOnce(target, { method: 'GET', path, headers }, (request) => request.end(), signal);
};

/** Stores the trace, once for a project, and gives its id, or the answer that there was instead. */
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

/** Readers of the newest trace of a body. `path` is what the reader with this number asks for. */
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

/** The calls that a page of a trace makes beside the trace itself. */
const ABOUT_A_TRACE: Readonly<Record<string, string>> = {
  'what stands out': 'stands-out',
  'its comparison': 'comparison',
  'the origin of a value': `value-origin?stepId=s1&place=inputs&path=${encodeURIComponent('[0]')}`,
  'a search of its steps': 'steps?text=nowhere',
};

/** Answers of many megabytes, and answers about as many. */
export const LARGE_READS: readonly HostileForm[] = [
  createReaders('a trace of 50 MB', largeTrace, (id) => `/api/traces/${id}`),
  createReaders('a trace of 50 MB, and its export', largeTrace, (id, { projectId }, call) =>
    call % 10 === 0 ? `/api/traces/export?projectId=${projectId}` : `/api/traces/${id}`,
  ),
  ...Object.entries(ABOUT_A_TRACE).flatMap(([name, path]) => [
    createReaders(`${name}, 50 MB`, largeTrace, (id) => `/api/traces/${id}/${path}`),
    createReaders(`${name}, 19,900 calls`, twoOfManyCalls, (id) => `/api/traces/${id}/${path}`),
  ]),
];
