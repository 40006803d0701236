import { MAX_DURATION_BARS, routes } from '@throughline/contract';
import { aTrace, makeOrganization, makeProject, sendTraces } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';

const file = serverOfFile();
const DAY_MS = 86_400_000;
const NOW = Date.now();

interface Sent {
  readonly duration: number;
  readonly path?: string;
  readonly route?: string;
  readonly method?: string;
  readonly statusCode?: number;
  readonly daysAgo?: number;
}

function sent({ duration, daysAgo = 0, statusCode = 200, method = 'GET', ...where }: Sent) {
  const { route, path = route ?? '/' } = where;
  return aTrace({
    request: { method, path, ...(route === undefined ? {} : { route }) },
    response: { statusCode },
    timing: { startTime: new Date(NOW - 60_000 - daysAgo * DAY_MS).toISOString(), duration },
  });
}

/** Returns the usual duration for the longest trace of a project with these traces. */
async function usualOfLongest(
  traces: readonly Sent[],
  service: Readonly<Record<string, string>> = { name: 'shop' },
) {
  // Uses a paid plan, because a trial does not accept traces older than an hour.
  const { owner: person } = await makeOrganization(file.server, 'enterprise_plus');
  const project = await makeProject(person);
  await sendTraces(file.server, project.apiKey, traces.map(sent), service);
  const list = await person.client.call(routes.traces.list, { query: { sort: 'duration', limit: 1 } });
  const id = list.traces[0]?._id ?? '';
  const { usual } = await person.client.call(routes.traces.usual, { params: { id } });
  return { usual, person, project, id };
}

test('a trace is compared with other requests to the same route, whatever their paths', async () => {
  const others = [10, 20, 30, 40, 50].map((duration) => ({
    duration,
    route: '/orders/:id',
    path: `/orders/${duration}`,
  }));
  const { usual } = await usualOfLongest([{ duration: 900, route: '/orders/:id' }, ...others]);
  expect(usual).toEqual({ requests: 5, quartile: 20, median: 30, quicker: 5, distribution: null });
});

test.each([
  [4, 1, 2],
  [8, 2, 4],
  [9, 3, 5],
])(
  'of %i requests, the quartile is the value at rank %i and the median is the value at rank %i',
  async (count, quartile, median) => {
    const others = Array.from({ length: count }, (_, at) => ({ duration: (at + 1) ** 2, route: '/a' }));
    const { usual } = await usualOfLongest([{ duration: 900, route: '/a' }, ...others]);
    expect(usual).toEqual({
      requests: count,
      quartile: quartile ** 2,
      median: median ** 2,
      quicker: count,
      distribution: null,
    });
  },
);

test.runIf(isThorough())(
  'requests without a route are compared with requests whose paths have the same pattern',
  async () => {
    const others = [{ duration: 7, path: '/users/17' }];
    expect((await usualOfLongest([{ duration: 900, path: '/users/18' }, ...others])).usual).toEqual({
      requests: 1,
      quartile: 7,
      median: 7,
      quicker: 1,
      distribution: null,
    });
  },
);

test('the usual duration does not include failed requests, requests to other endpoints, or requests more than a day after the trace', async () => {
  const { usual } = await usualOfLongest([
    { duration: 900, route: '/a', daysAgo: 2 },
    { duration: 5, route: '/a', daysAgo: 2 },
    { duration: 1, route: '/a', daysAgo: 2, statusCode: 500 },
    { duration: 1, route: '/a', daysAgo: 2, method: 'POST' },
    { duration: 1, route: '/b', daysAgo: 2 },
    { duration: 1, route: '/a', daysAgo: 0.5 },
  ]);
  expect(usual).toEqual({ requests: 1, quartile: 5, median: 5, quicker: 1, distribution: null });
});

test('the usual duration does not include requests to another service or environment', async () => {
  const { person, project, id } = await usualOfLongest([{ duration: 900, route: '/a' }]);
  const others = [{ name: 'other' }, { name: 'shop', environment: 'staging' }];
  for (const service of others) {
    await sendTraces(file.server, project.apiKey, [sent({ duration: 1, route: '/a' })], service);
  }
  const read = () => person.client.call(routes.traces.usual, { params: { id } });
  expect(await read()).toEqual({ usual: null });
  await sendTraces(file.server, project.apiKey, [sent({ duration: 3, route: '/a' })], { name: 'shop' });
  expect((await read()).usual).toMatchObject({ requests: 1 });
});

test('public viewers see the usual duration only for routes', async () => {
  const traces = [900, 5].flatMap((duration) => [
    { duration, route: '/a' },
    { duration: duration / 2, path: '/secret' },
  ]);
  const { person, project } = await usualOfLongest(traces);
  await person.client.call(routes.projects.update, { params: { id: project.id }, body: { public: true } });
  const list = await file.server.anyone.call(routes.traces.list, {
    query: { projectId: project.id, sort: 'duration', limit: 2 },
  });
  const usual = async (id: string) =>
    (await file.server.anyone.call(routes.traces.usual, { params: { id } })).usual;
  expect(await Promise.all(list.traces.map(({ _id }) => usual(_id)))).toEqual([
    { requests: 1, quartile: 5, median: 5, quicker: 1, distribution: null },
    null,
  ]);
});

test('the rank of a trace counts only requests that were faster', async () => {
  const { person } = await usualOfLongest(
    [10, 20, 30, 30, 40].map((duration) => ({ duration, route: '/a' })),
  );
  const { traces } = await person.client.call(routes.traces.list, { query: { sort: 'duration', limit: 5 } });
  const quicker = await Promise.all(
    traces.map(
      async ({ _id }) =>
        (await person.client.call(routes.traces.usual, { params: { id: _id } })).usual?.quicker,
    ),
  );
  expect(quicker).toEqual([4, 2, 2, 1, 0]);
});

/** Sends 40 requests to an endpoint, of 1 to 40 ms, and one of 900 ms. */
const sendMany = () =>
  usualOfLongest([
    { duration: 900, route: '/a' },
    ...Array.from({ length: 40 }, (_, at) => ({ duration: at + 1, route: '/a' })),
  ]);

test('from 20 other requests on, the durations of an endpoint are counted in bars that include the request itself', async () => {
  const { usual } = await sendMany();
  const { p95, bars = [] } = usual?.distribution ?? {};
  expect(p95).toBe(38);
  expect(bars.length).toBeLessThanOrEqual(MAX_DURATION_BARS);
  expect(bars.reduce((sum, { requests }) => sum + requests, 0)).toBe(40);
  expect(bars[0]?.from).toBeLessThanOrEqual(1);
  expect(bars.at(-1)?.from).toBeLessThanOrEqual(900);
  expect(bars.at(-1)?.to).toBeGreaterThan(900);
  for (const [at, bar] of bars.slice(1).entries()) expect(bar.from).toBe(bars[at]?.to);
});

test('a bar counts exactly the requests that the list finds with the range of the bar', async () => {
  const { usual, person } = await sendMany();
  for (const { from, to, requests } of usual?.distribution?.bars ?? []) {
    const { total } = await person.client.call(routes.traces.list, {
      query: {
        endpoint: '/a',
        status: 'success',
        minDuration: String(from),
        maxDuration: String(to - 0.001),
        limit: 1,
      },
    });
    expect(total).toBe(requests + (from <= 900 && 900 < to ? 1 : 0));
  }
});
