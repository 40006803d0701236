import { STEP, withMember } from '../bodies/native-json.ts';
import { pack } from '../bodies/pack.ts';
import { listOfNumbered } from '../bodies/pieces.ts';
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

/** Readers of one large trace; every tenth of them asks for `other` in its place. */
function createReaders(name: string, other?: (target: Target) => string): HostileForm {
  return {
    way: 'API',
    name,
    async prepare(): Promise<Send> {
      const body = await largeTrace();
      const stored = new Map<string, Promise<string | Outcome>>();
      let calls = 0;
      return async (target, signal) => {
        const storing = stored.get(target.projectId) ?? storeTrace(target, body, signal);
        stored.set(target.projectId, storing);
        const id = await storing;
        if (typeof id !== 'string') return id;
        calls += 1;
        const isOther = other !== undefined && calls % 10 === 0;
        return get(target, isOther ? other(target) : `/api/traces/${id}`, signal);
      };
    },
  };
}

/** Answers of many megabytes. */
export const LARGE_READS: readonly HostileForm[] = [
  createReaders('a trace of 50 MB'),
  createReaders(
    'a trace of 50 MB, and its export',
    ({ projectId }) => `/api/traces/export?projectId=${projectId}`,
  ),
];
