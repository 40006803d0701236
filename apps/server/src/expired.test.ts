import { type Client, type Route, routes } from '@throughline/contract';
import {
  aTrace,
  createAccessToken,
  createFakeClock,
  type Person,
  sendTraces,
  type TestProject,
} from '@throughline/testkit';
import { otlpAttributes, otlpRequest, otlpSpan, sendSpans } from '@throughline/testkit/otlp';
import { newcomer, serverOfFile } from '@throughline/testkit/scene';
import { beforeAll, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
/** The retention of the free trial. */
const RETENTION_MS = HOUR_MS;
const clock = createFakeClock();
const file = serverOfFile({ clock });
let person: Person;
/** A client with an access token of `person`. */
let byToken: Client;
let project: TestProject;
/** A word that only expired traces contain. */
const NEEDLE = 'needle';
const TRACE_ID = 'e'.repeat(32);
let known: { readonly id: string; readonly stepId: string; readonly ofSpans: string; readonly span: string };

beforeAll(async () => {
  ({ person, project } = await newcomer(file.server));
  ({ client: byToken } = await createAccessToken(file.server, person));
  await person.client.call(routes.projects.update, { params: { id: project.id }, body: { public: true } });
  const startTime = clock.now().toISOString();
  const step = (stepName: string) => ({ stepId: `1-${NEEDLE}`, stepName, startTime, duration: 1 });
  const trace = aTrace({
    traceId: TRACE_ID,
    request: { method: 'POST', path: `/${NEEDLE}`, route: `/${NEEDLE}`, body: { a: NEEDLE } },
    response: { statusCode: 500 },
    timing: { startTime, duration: 5 },
    error: { hasError: true, errorMessage: NEEDLE },
    user: { id: NEEDLE },
    attributes: { a: NEEDLE },
    flow: [step(NEEDLE)],
  });
  await sendTraces(file.server, project.apiKey, [trace], {
    name: NEEDLE,
    environment: NEEDLE,
    release: NEEDLE,
  });
  const nanos = String(clock.nowMicros() * 1000n);
  const times = { startTimeUnixNano: nanos, endTimeUnixNano: nanos };
  await sendSpans(
    file.server,
    project.apiKey,
    otlpRequest(NEEDLE, [
      otlpSpan(1, undefined, { ...times, name: NEEDLE }),
      otlpSpan(2, 1, { ...times, name: NEEDLE, attributes: otlpAttributes({ a: NEEDLE }) }),
    ]),
  );
  const { traces } = await person.client.call(routes.traces.list, { query: {} });
  const findId = (ofNeedle: boolean) =>
    traces.find(({ traceId }) => (traceId === TRACE_ID) === ofNeedle)?._id ?? '';
  const ofSpans = findId(false);
  const read = await person.client.call(routes.traces.read, { params: { id: ofSpans } });
  known = { id: findId(true), stepId: `1-${NEEDLE}`, ofSpans, span: read.trace.flow[0]?.stepId ?? '' };
});

interface Reading {
  readonly name: string;
  readonly route: Route;
  readonly input: () => {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
  };
  /** True if the test requests the route without a session: the response then contains public data with masked values. */
  readonly publicViewer?: true;
}

const ofProject = () => ({ params: { id: project.id } });
const ofTrace = () => ({ params: { id: known.id } });
const { traces, projects, analytics } = routes;
/** Every route that returns stored traces. Routes that only count traces are in `counted`. */
const READINGS: readonly Reading[] = [
  { name: 'list', route: traces.list, input: () => ({}) },
  { name: 'list of a project', route: traces.list, input: () => ({ query: { projectId: project.id } }) },
  {
    name: 'list by an attribute',
    route: traces.list,
    input: () => ({ query: { attribute: `a:${NEEDLE}` } }),
  },
  { name: 'list by a step', route: traces.list, input: () => ({ query: { stepName: NEEDLE } }) },
  { name: 'list by trace id', route: traces.list, input: () => ({ query: { search: TRACE_ID } }) },
  { name: 'list by ids', route: traces.list, input: () => ({ query: { requests: known.id } }) },
  { name: 'export', route: traces.export, input: () => ({}) },
  { name: 'facets', route: traces.facets, input: () => ({ query: { projectId: project.id } }) },
  {
    name: 'groups',
    route: traces.groups,
    input: () => ({ query: { projectId: project.id, groupBy: 'endpoint' } }),
  },
  { name: 'one trace', route: traces.read, input: ofTrace },
  { name: 'one trace of spans', route: traces.read, input: () => ({ params: { id: known.ofSpans } }) },
  { name: 'its file', route: traces.raw, input: ofTrace },
  {
    name: 'one part of it',
    route: traces.part,
    input: () => ({ params: { id: known.id, part: 'attributes' } }),
  },
  {
    name: 'a step',
    route: traces.step,
    input: () => ({ params: { id: known.id, stepId: known.stepId } }),
  },
  {
    name: 'a span',
    route: traces.step,
    input: () => ({ params: { id: known.ofSpans, stepId: known.span } }),
  },
  {
    name: 'a search of its steps',
    route: traces.findSteps,
    input: () => ({ params: { id: known.id }, query: { text: NEEDLE } }),
  },
  { name: 'by W3C id', route: traces.byTraceId, input: () => ({ params: { traceId: TRACE_ID } }) },
  ...(['performance', 'errors', 'flows', 'users', 'business', 'filters', 'overview'] as const).map(
    (screen) => ({ name: screen, route: analytics[screen], input: ofProject }),
  ),
  {
    name: 'list for public viewers',
    route: traces.list,
    input: () => ({ query: { projectId: project.id } }),
    publicViewer: true,
  },
  { name: 'one trace for public viewers', route: traces.read, input: ofTrace, publicViewer: true },
  {
    name: 'by W3C id for public viewers',
    route: traces.byTraceId,
    input: () => ({ params: { traceId: TRACE_ID } }),
    publicViewer: true,
  },
];

const askRoute = async ({ route, input, publicViewer }: Reading, reader: Client) => {
  const client = publicViewer === true ? file.server.anyone : reader;
  return client.open(route, input()).then(
    (answer) => answer.text(),
    (refusal: Error) => refusal.message,
  );
};
/** Returns the number of traces according to each route that counts traces. */
const counted = async () => {
  const { client } = person;
  const query = { projectId: project.id };
  const [facets, figures, differences, groups, stats, system] = [
    await client.call(traces.facets, { query }),
    await client.call(traces.figures, { query }),
    await client.call(traces.differences, { query: { ...query, status: 'error' } }),
    await client.call(traces.groups, { query: { ...query, groupBy: 'user' } }),
    await client.call(projects.stats, ofProject()),
    await client.call(analytics.system, ofProject()),
  ];
  return [
    facets.total,
    figures.figures.totalTraces,
    differences.matching + differences.others,
    groups.total,
    stats.stats.totalTraces,
    system.system.metrics.totalRequests,
  ];
};

test('expired traces are neither returned nor counted by any route', async () => {
  const storedTexts = async () =>
    Promise.all(
      [person.client, byToken].flatMap((reader) =>
        READINGS.map(async (reading) => ({ name: reading.name, text: await askRoute(reading, reader) })),
      ),
    );
  for (const { name, text } of await storedTexts()) expect(text, name).toContain(NEEDLE);
  expect(await counted()).toEqual([2, 2, 2, 2, 2, 2]);
  clock.advance(RETENTION_MS + 1000);
  for (const { name, text } of await storedTexts()) expect(text, name).not.toContain(NEEDLE);
  expect(await counted()).toEqual([0, 0, 0, 0, 0, 0]);
});
