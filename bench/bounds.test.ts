import { createClient, type RequestLimitName, routes } from '@throughline/contract';
import { pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostileForm, Outcome } from './bounds/form.ts';
import { HOSTILE_FORMS } from './bounds/hostile-forms.ts';
import { startVictim, type Victim } from './bounds/watch/victim.ts';

/**
 * The worst hostile inputs of each input path, each with the limit that must reject it. Null: the test does not check which limit rejects
 * the input. Without its limit, an input would cost the server much more work before another limit stops it. `npm test` tries four of these
 * inputs, `npm run test:long` all of them. `npm run bench:bounds` tries every hostile input, and also measures times.
 */
const WORST: readonly (readonly [form: string, limit: RequestLimitName | null])[] = [
  ['OTLP protobuf, 31 million empty spans (br)', 'spans'],
  ['OTLP protobuf, 30 million empty events', null],
  ['OTLP protobuf, a million attributes', null],
  ['OTLP JSON, 20 million empty resources', 'spanBlocks'],
  ['OTLP gRPC, 31 million empty spans', null],
  ['native JSON, 20 million empty traces (br)', null],
  ['native JSON, 30 million levels of lists (br)', null],
  ['native JSON, a million keys in a step', 'keys'],
  ['native JSON, 55 MB of backslashes (br)', null],
  ['native JSON, 256 kB of "-eyJ" repeated', null],
  ['native JSON, a number of 55 million digits', 'digits'],
  ['NDJSON, 60 MB of line ends (br)', null],
  ['login, 60 MB of lists (gzip)', null],
  ['live streams, 600 streams of one session', null],
];

const ANSWERED_WITHIN_MS = 60_000;
const MAX_SERVER_BYTES = 1.5e9;

let victim: Victim | undefined;
beforeAll(async () => {
  victim = await startVictim();
});
afterAll(() => victim?.remove());

function formCalled(name: string): HostileForm {
  const found = HOSTILE_FORMS.find((form) => `${form.way}, ${form.name}` === name);
  if (found === undefined) throw new Error(`no form is called ${name}`);
  return found;
}

/** True if the text of a response names the exceeded limit, in words and with a number. */
const namesLimit = (text: string) =>
  /limit|at most|more than|larger than|longer than/i.test(text) && /\d/.test(text);

/** True if the response is correct: the server accepted everything, or named the exceeded limit. */
function isHonest({ answer, text }: Outcome): boolean {
  if (/^4\d\d$/.test(answer) || answer === 'grpc 3' || answer === 'grpc 8') return namesLimit(text);
  if (answer === 'grpc 0' || answer === 'streams') return true;
  return answer === '200' && (!/reject/i.test(text) || /"rejected":\[\]/.test(text) || namesLimit(text));
}

test.each(pickRows(WORST, { usually: 4 }))(
  '%s: the server responds with a result or the exceeded limit, and keeps running',
  async (name, limit) => {
    if (victim === undefined) throw new Error('the server was not started');
    const send = await formCalled(name).prepare();
    const outcome = await send(await victim.newTarget(), AbortSignal.timeout(ANSWERED_WITHIN_MS));
    expect(outcome, outcome.text).toSatisfy(isHonest);
    if (limit !== null) expect(outcome.text).toContain(`(limit ${limit})`);
    const anyone = createClient({ baseUrl: victim.url, fetch, token: () => null });
    await anyone.call(routes.product.live, {});
    expect(victim.ended()).toBeUndefined();
    expect(victim.peakMemoryBytes()).toBeLessThan(MAX_SERVER_BYTES);
  },
);
