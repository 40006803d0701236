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

const UNDEFINED = { $type: 'undefined' } as const;

interface Order {
  readonly country: string;
  readonly total: number;
  readonly user: string;
  readonly minutesAgo: number;
  readonly release?: string;
}

/** A checkout request that looks up the tax of a country. "UK" is not in the table of taxes. */
function checkout({ country, total, user, minutesAgo }: Order): SentTrace {
  const start = NOW - minutesAgo * 60_000;
  const known = country !== 'UK';
  const at = (ms: number) => new Date(start + ms).toISOString();
  const error = { name: 'TypeError', message: "Cannot read properties of undefined (reading 'rate')" };
  const step = (
    stepId: string,
    parentStepId: string | null,
    [from, to]: readonly [number, number],
    more: object,
  ): SentStep => ({
    stepId,
    parentStepId,
    stepName: stepId,
    stepType: 'function',
    functionName: stepId,
    filePath: 'src/checkout.ts',
    lineNumber: 10,
    startTime: at(from),
    endTime: at(to),
    duration: to - from,
    ...more,
  });
  return aTrace({
    request: {
      method: 'POST',
      path: '/checkout',
      route: '/checkout',
      body: { country, total, user, id: `${user}-${minutesAgo}` },
    },
    response: { statusCode: known ? 200 : 500 },
    timing: { startTime: new Date(start).toISOString(), duration: 20 },
    ...(known ? {} : { error: { hasError: true, errorMessage: error.message } }),
    flow: [
      step('placeOrder', null, [0, 20], {
        inputs: { order: { country, total, user } },
        ...(known ? { outputs: { paid: total * 1.2 } } : { error }),
      }),
      step('taxFor', 'placeOrder', [2, 4], {
        inputs: { country, total },
        variables: {
          capturedAt: known ? 'return' : 'throw',
          parameters: { country, total },
          localVariables: { entry: known ? { rate: 0.2 } : UNDEFINED },
          ...(known ? { returnValue: total * 0.2 } : {}),
        },
        ...(known ? { outputs: total * 0.2 } : { error }),
      }),
      ...(known ? [step('charge', 'placeOrder', [5, 19], { inputs: { amount: total * 1.2 } })] : []),
    ],
  });
}

async function sent(traces: readonly SentTrace[]) {
  const person = await signUp(file.server);
  const project = await makeProject(person);
  await sendTraces(file.server, project.apiKey, traces);
  const { traces: rows } = await person.client.call(routes.traces.list, { query: { limit: 100 } });
  const compare = async (id: string, other = 'good') =>
    (await person.client.call(routes.traces.compare, { params: { id }, query: { with: other } })).comparison;
  return { person, project, rows, compare };
}

const same = (step: SentStep) => step;

const GOODS = [
  checkout({ country: 'GB', total: 40, user: 'ada', minutesAgo: 9 }),
  checkout({ country: 'US', total: 70, user: 'bob', minutesAgo: 8 }),
  checkout({ country: 'GB', total: 25, user: 'cem', minutesAgo: 7 }),
  checkout({ country: 'DE', total: 90, user: 'dan', minutesAgo: 6 }),
];
const FAILED = checkout({ country: 'UK', total: 40, user: 'eve', minutesAgo: 5 });

test('a failed request is compared with the successful request that has the most similar inputs', async () => {
  const { rows, compare } = await sent([...GOODS, FAILED]);
  const failed = rows.find((row) => row.error.hasError);
  const comparison = await compare(failed?._id ?? '');
  expect(comparison?.statements[0]?.text).toBe(
    '`country` is "UK" instead of "GB" in `taxFor`, then `entry` is undefined instead of { rate: 0.2 }',
  );
  expect(comparison?.statements[0]?.step).toBe('taxFor');
  expect(comparison?.reason).toBe(
    'Nearest successful request of this endpoint, 4 minutes earlier, 2 of 5 input values equal',
  );
  expect(comparison?.learnedFrom).toBe(4);
  expect(comparison?.steps.map(({ step, other }) => [step, other])).toEqual([
    ['placeOrder', 'placeOrder'],
    ['taxFor', 'taxFor'],
    [null, 'charge'],
  ]);
});

test.runIf(isThorough())('values that differ among successful requests do not count as unusual', async () => {
  const { rows, compare } = await sent([...GOODS, FAILED]);
  const comparison = await compare(rows.find((row) => row.error.hasError)?._id ?? '');
  const unusual = comparison?.values
    .filter((value) => value.unusual)
    .map(({ part, path }) => `${part} ${path}`);
  expect(unusual).toEqual(['localVariables entry', 'error ', 'error ']);
});

test.runIf(isThorough())('without successful requests to the endpoint there is no comparison', async () => {
  const { rows, compare } = await sent([FAILED]);
  expect(await compare(rows[0]?._id ?? '')).toBeNull();
});

test.runIf(isThorough())(
  'a request without a route is compared with a success of a similar path in which the same functions ran',
  async () => {
    const at = (
      path: string,
      country: string,
      minutesAgo: number,
      change: (step: SentStep) => SentStep = same,
    ) => {
      const trace = checkout({ country, total: 40, user: 'ada', minutesAgo });
      const request = { ...trace.request, path, route: undefined };
      return { ...trace, request, flow: trace.flow?.map(change) };
    };
    const renamed = (step: SentStep) => ({ ...step, functionName: `report${step.functionName}` });
    const { rows, compare } = await sent([
      at('/shops/rome/checkout', 'GB', 9),
      at('/shops/oslo/report', 'GB', 8, renamed),
      at('/shops/oslo/checkout/last', 'GB', 7),
      at('/shops/oslo/checkout', 'UK', 5),
    ]);
    const comparison = await compare(rows.find((row) => row.error.hasError)?._id ?? '');
    expect(comparison?.other.request.path).toBe('/shops/rome/checkout');
    expect(comparison?.reason).toMatch(
      /^Nearest successful request of a similar path, with the same functions, 4 minutes/,
    );
    expect(comparison?.statements[0]?.text).toContain('`country` is "UK" instead of "GB" in `taxFor`');
  },
);

test.runIf(isThorough())(
  'for a request without a route, requests to similar paths also show the usual values if few requests to exactly the same path succeeded',
  async () => {
    const at = (path: string, country: string, minutesAgo: number) => {
      const trace = checkout({ country, total: 40, user: 'ada', minutesAgo });
      return { ...trace, request: { ...trace.request, path, route: undefined } };
    };
    const { rows, compare } = await sent([
      at('/shops/rome/checkout', 'GB', 9),
      at('/shops/oslo/checkout', 'GB', 7),
      at('/shops/oslo/checkout', 'UK', 5),
    ]);
    const comparison = await compare(rows.find((row) => row.error.hasError)?._id ?? '');
    expect(comparison?.other.request.path).toBe('/shops/oslo/checkout');
    expect(comparison?.learnedFrom).toBe(2);
  },
);

test.runIf(isThorough())(
  'a request is compared with the most similar successful request of the previous release',
  async () => {
    const person = await signUp(file.server);
    const { id, apiKey } = await makeProject(person);
    const send = (release: string, order: Order) =>
      sendTraces(file.server, apiKey, [checkout(order)], { name: 'shop', release });
    await send('v1', { country: 'GB', total: 40, user: 'ada', minutesAgo: 55 });
    await send('v2', { country: 'US', total: 60, user: 'bob', minutesAgo: 52 });
    await send('v2', { country: 'GB', total: 40, user: 'cem', minutesAgo: 50 });
    await send('v3', { country: 'DE', total: 70, user: 'dan', minutesAgo: 20 });
    await send('v3', { country: 'UK', total: 40, user: 'eve', minutesAgo: 5 });
    // Release v4 began after v3, but before the failed request.
    await send('v4', { country: 'GB', total: 40, user: 'fay', minutesAgo: 8 });
    const { traces } = await person.client.call(routes.traces.list, { query: { projectId: id } });
    const before = async (release: string) => {
      const trace = traces.find((row) => row.release === release);
      const call = { params: { id: trace?._id ?? '' }, query: { with: 'before' } };
      return (await person.client.call(routes.traces.compare, call)).comparison;
    };
    const failed = await before('v3');
    expect(failed?.other).toMatchObject({ release: 'v2', userId: null });
    expect(failed?.reason).toBe(
      'Nearest successful request of this endpoint, release v2, 45 minutes earlier, 2 of 5 input values equal',
    );
    expect(failed?.statements[0]?.text).toContain('`country` is "UK" instead of "GB" in `taxFor`');
    expect((await before('v4'))?.other.release).toBe('v3');
    expect(await before('v1')).toBeNull();
  },
);

test('any two requests can be compared by id', async () => {
  const { rows, compare } = await sent(GOODS.slice(0, 2));
  const [newer, older] = rows;
  const comparison = await compare(newer?._id ?? '', older?._id);
  expect(comparison?.reason).toBeNull();
  expect(comparison?.other._id).toBe(older?._id);
  expect(comparison?.values.some(({ path, value }) => path === 'country' && value === '"US"')).toBe(true);
});

test('the comparison of a slow request names the calls that took the additional time', async () => {
  const list = (customers: number, minutesAgo: number): SentTrace => {
    const start = NOW - minutesAgo * 60_000;
    const at = (ms: number) => new Date(start + ms).toISOString();
    const end = 10 + customers * 10;
    return aTrace({
      request: { method: 'GET', path: '/orders', route: '/orders' },
      timing: { startTime: at(0), duration: end },
      flow: [
        {
          stepId: 'list',
          parentStepId: null,
          stepName: 'listOrders',
          stepType: 'handler',
          functionName: 'listOrders',
          startTime: at(0),
          endTime: at(end),
          duration: end,
        },
        ...Array.from(
          { length: customers },
          (_, index): SentStep => ({
            stepId: `q${index}`,
            parentStepId: 'list',
            stepName: 'SELECT * FROM customers WHERE id = ?',
            stepType: 'database',
            startTime: at(5 + index * 10),
            endTime: at(15 + index * 10),
            duration: 10,
          }),
        ),
      ],
    });
  };
  const { rows, compare } = await sent([list(2, 9), list(3, 8), list(60, 5)]);
  const slow = rows.find((row) => row.timing.duration > 500);
  const comparison = await compare(slow?._id ?? '');
  expect(comparison?.statements[0]?.text).toBe(
    '`SELECT * FROM customers WHERE id = ?` ran 60 times (600 ms) instead of 3 times (30 ms) below `listOrders`',
  );
});

test('a comparison responds with 404 if either of the two traces belongs to another tenant', async () => {
  const own = await sent(GOODS.slice(0, 2));
  const other = await sent(GOODS.slice(0, 1));
  const [mine, theirs] = [own.rows[0]?._id ?? '', other.rows[0]?._id ?? ''];
  await expect(own.compare(theirs)).rejects.toMatchObject({ status: 404 });
  await expect(own.compare(mine, theirs)).rejects.toMatchObject({ status: 404 });
});

test('a malformed id of the other trace is rejected with a 400', async () => {
  const { rows, compare } = await sent(GOODS.slice(0, 1));
  await expect(compare(rows[0]?._id ?? '', 'x')).rejects.toMatchObject({ status: 400 });
});
