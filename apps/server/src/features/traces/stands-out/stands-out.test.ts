import { type IngestTrace, routes } from '@throughline/contract';
import { aTrace, makeProject, sendTraces, signUp } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import type { z } from 'zod';

const file = serverOfFile();
const NOW = Date.now();

type SentTrace = z.input<typeof IngestTrace>;
type SentStep = NonNullable<SentTrace['flow']>[number];
interface Sent {
  readonly trace: SentTrace;
  readonly release?: string;
}

const minutesAgo = (minutes: number) => NOW - minutes * 60_000;

/** Builds the trace of an order, whose request looks up a discount by coupon. An unknown coupon leads to an error. */
function order(coupon: string | null, at: number, user: string): SentTrace {
  const failed = coupon === null;
  const error = {
    name: 'TypeError',
    message: `Cannot read properties of null (reading 'percent') of "${user}"`,
  };
  const time = (ms: number) => new Date(at + ms).toISOString();
  const step = (stepId: string, parentStepId: string | null, more: Partial<SentStep>): SentStep => ({
    stepId,
    parentStepId,
    stepName: stepId,
    stepType: 'function',
    functionName: stepId,
    startTime: time(1),
    endTime: time(5),
    duration: 4,
    ...more,
  });
  return aTrace({
    request: { method: 'POST', path: '/orders', route: '/orders', body: { item: 'tea', user } },
    response: { statusCode: failed ? 500 : 201 },
    timing: { startTime: time(0), duration: 20 },
    user: { id: user },
    ...(failed ? { error: { hasError: true, errorMessage: error.message } } : {}),
    flow: [
      step('createOrder', null, failed ? { error } : { outputs: { ok: true } }),
      step('findCoupon', 'createOrder', { outputs: coupon === null ? null : { coupon, percent: 10 } }),
      step('applyDiscount', 'createOrder', {
        inputs: { coupon: coupon === null ? null : { coupon, percent: 10 } },
        ...(failed ? { error } : {}),
      }),
    ],
  });
}

async function standsOut(
  sent: readonly Sent[],
  find: (row: { readonly path: string; readonly failed: boolean }) => boolean,
) {
  const person = await signUp(file.server);
  const project = await makeProject(person);
  for (const { trace, release } of sent) {
    await sendTraces(file.server, project.apiKey, [trace], {
      name: 'shop',
      ...(release === undefined ? {} : { release }),
    });
  }
  const { traces } = await person.client.call(routes.traces.list, { query: { limit: 100 } });
  const row = traces.find(({ request, error }) => find({ path: request.path, failed: error.hasError }));
  const params = { id: row?._id ?? '' };
  const { statements, opening } = await person.client.call(routes.traces.standsOut, { params });
  return { statements, opening, person, project, id: params.id };
}

const GOODS = ['A1', 'B2', 'C3'].map((coupon, at) => ({
  trace: order(coupon, minutesAgo(20 + at), `u${at}`),
}));
const isFailed = ({ failed }: { readonly failed: boolean }) => failed;

test('the sentences about a failed request name the first differing value, then how often the error occurred', async () => {
  const { statements, opening } = await standsOut(
    [
      ...GOODS,
      { trace: order(null, minutesAgo(9), 'eve') },
      { trace: order(null, minutesAgo(8), 'ada') },
      { trace: order(null, minutesAgo(5), 'eve') },
    ],
    isFailed,
  );
  expect(statements).toEqual([
    {
      rule: 'differing_value',
      text: '`findCoupon` returned null instead of { coupon: "A1", percent: 10 }',
      stepId: 'findCoupon',
    },
    {
      rule: 'known_error',
      text: 'This error occurred 3 times in 7 days, for 2 users',
      stepId: 'applyDiscount',
    },
  ]);
  // The step selected first is the call whose result differs, not the call that threw.
  expect(opening).toBe('findCoupon');
});

test.runIf(isThorough())('an error that began with a release is described with that release', async () => {
  const { statements } = await standsOut(
    [
      ...GOODS.map(({ trace }) => ({ trace, release: '1.4.1' })),
      { trace: order(null, minutesAgo(8), 'ada'), release: '1.4.2' },
      { trace: order(null, minutesAgo(5), 'eve'), release: '1.4.2' },
    ],
    isFailed,
  );
  expect(statements[1]?.text).toBe(
    'This error occurred 2 times in 7 days, for 2 users, all since release 1.4.2',
  );
});

test.runIf(isThorough())(
  'the first request with an error is described as a new error, even without a successful request to compare with',
  async () => {
    const { statements, opening } = await standsOut([{ trace: order(null, minutesAgo(5), 'eve') }], isFailed);
    expect(opening).toBeNull();
    expect(statements).toEqual([
      {
        rule: 'known_error',
        text: 'This error is new: no other request failed with it in the previous 7 days',
        stepId: 'applyDiscount',
      },
    ]);
  },
);

test.runIf(isThorough())('nothing stands out in a quick, successful request', async () => {
  const { statements } = await standsOut(GOODS, () => true);
  expect(statements).toEqual([]);
});

/** Builds the trace of a request for a message, in which a placeholder is replaced by the result of `lookUp`. */
function message(field: string, found: string, at: number): SentTrace {
  const time = (ms: number) => new Date(at + ms).toISOString();
  const step = (stepId: string, more: Partial<SentStep>): SentStep => ({
    stepId,
    stepName: stepId,
    functionName: stepId,
    stepType: 'function',
    startTime: time(1),
    endTime: time(2),
    duration: 1,
    ...more,
  });
  return aTrace({
    request: { method: 'GET', path: `/messages/about-${field}`, route: '/messages/:topic' },
    response: { statusCode: 200 },
    timing: { startTime: time(0), duration: 5 },
    flow: [
      step('render', { stepType: 'handler', outputs: { text: found } }),
      step('lookUp', {
        parentStepId: 'render',
        inputs: { field },
        variables: { returnValue: found },
      }),
    ],
  });
}

test('the page of a successful request opens on the function that returned an empty text, if the function returned a text in all other requests', async () => {
  const goods = ['date', 'time', 'name'].map((field, at) => ({
    trace: message(field, `the ${field}`, minutesAgo(20 + at)),
  }));
  const sent = [...goods, { trace: message('unknown', '', minutesAgo(1)) }];
  const asked = await standsOut(sent, ({ path }) => path === '/messages/about-unknown');
  expect(asked.statements).toEqual([
    {
      rule: 'wrong_result',
      text: '`field` is "unknown" instead of "date" in `lookUp`, then `lookUp` returned "" instead of "the date"',
      stepId: 'lookUp',
    },
  ]);
  expect(asked.opening).toBe('lookUp');
  const healthy = await standsOut(sent, ({ path }) => path === '/messages/about-time');
  expect(healthy).toMatchObject({ statements: [], opening: null });
});

/** Builds the trace of a request for a report, which queries the database once per day and then blocks the event loop for `blockedMs`. */
function report(days: number, at: number, blockedMs = 0): SentTrace {
  const time = (ms: number) => new Date(at + ms).toISOString();
  const end = days * 10 + blockedMs;
  const step = (
    stepId: string,
    [from, ms]: readonly [number, number],
    more: Partial<SentStep>,
  ): SentStep => ({
    stepId,
    parentStepId: 'report',
    stepName: stepId,
    stepType: 'function',
    startTime: time(from),
    endTime: time(from + ms),
    duration: ms,
    ...more,
  });
  return aTrace({
    request: { method: 'GET', path: '/report', route: '/report' },
    timing: { startTime: time(0), duration: end },
    performance: { eventLoopDelay: blockedMs },
    flow: [
      step('report', [0, end], { parentStepId: null, stepType: 'handler' }),
      ...Array.from({ length: days }, (_, day) =>
        step(`day${day}`, [day * 10, 10], { stepName: 'SELECT sales', stepType: 'database' }),
      ),
      ...(blockedMs > 0 ? [step('render', [days * 10, blockedMs], {})] : []),
    ],
  });
}

test('the sentences about a slow request name what made the request slow, and how much slower than usual it was', async () => {
  const usual = Array.from({ length: 6 }, (_, at) => ({ trace: report(2, minutesAgo(30 + at)) }));
  const { statements } = await standsOut([...usual, { trace: report(120, minutesAgo(1), 600) }], () => true);
  expect(statements).toEqual([
    {
      rule: 'repeated_call',
      text: '`SELECT sales` ran 120 times: 1.20 s, 67 % of the request',
      stepId: 'day0',
    },
    {
      rule: 'slower_than_usual',
      text: '90 times slower than usual: 1.80 s; the median of 6 requests to this endpoint is 20 ms',
      stepId: 'render',
    },
    {
      rule: 'blocked_event_loop',
      text: 'The event loop was blocked for 600 ms while `render` ran',
      stepId: 'render',
    },
  ]);
});

test("another tenant's request gives 404, and public viewers must log in", async () => {
  const own = await standsOut(GOODS, () => true);
  const other = await signUp(file.server);
  const ask = (client: typeof other.client) =>
    client.call(routes.traces.standsOut, { params: { id: own.id } });
  await expect(ask(other.client)).rejects.toMatchObject({ status: 404 });
  await own.person.client.call(routes.projects.update, {
    params: { id: own.project.id },
    body: { public: true },
  });
  await expect(ask(file.server.anyone)).rejects.toMatchObject({ status: 401 });
});
