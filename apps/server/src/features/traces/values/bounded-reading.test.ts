import { parseValueCondition } from '@throughline/contract';
import { aTrace, sendTraces } from '@throughline/testkit';
import { OTLP_START, otlpAttributes, otlpRequest, otlpSpan, sendSpans } from '@throughline/testkit/otlp';
import { newcomer, sceneOfFile } from '@throughline/testkit/scene';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ProjectId, readId } from '../../../platform/ids.ts';
import { openUnmigrated, type TraceStore } from '../../../platform/trace-store/index.ts';
import { searchWindow } from './search-window.ts';
import { buildValueConditions } from './value-conditions-store.ts';
import { findWindow } from './value-search-store.ts';

const scene = sceneOfFile();
const TRACES = ['a', 'b'] as const;
const SPANS_OF_TRACE = 21_000;
let store: TraceStore;

/** Stores distributed traces of one request each, a second apart. Each trace has many spans with the searched value. */
beforeAll(async () => {
  store = await openUnmigrated(scene.server.config);
  for (const [index, letter] of TRACES.entries()) {
    const own = {
      traceId: letter.repeat(32),
      startTimeUnixNano: String(OTLP_START + BigInt(index) * 1_000_000_000n),
    };
    const entry = otlpAttributes({ 'http.request.method': 'GET', 'url.path': `/${letter}` });
    const attributes = otlpAttributes({ 'db.system.name': 'postgresql', 'db.query.parameter.sku': 'tea-19' });
    const spans = [
      otlpSpan(1, undefined, { ...own, attributes: entry }),
      otlpSpan(2, 1, { ...own, name: 'SELECT stock', kind: 3, attributes }),
    ];
    await sendSpans(scene.server, scene.project.apiKey, otlpRequest('shop', spans));
  }
  await store.command(
    `INSERT INTO spans SELECT * EXCEPT number REPLACE (lower(leftPad(hex(number + 1000), 16, '0')) AS span_id)
     FROM spans CROSS JOIN numbers(${SPANS_OF_TRACE}) AS copies WHERE project_id = {project:UUID} AND NOT entry`,
    { project: scene.project.id },
  );
});
afterAll(() => store.close());

async function search(value: string, deadlineMs: number, projectId = scene.project.id) {
  const { condition } = parseValueCondition(value);
  const project = readId<ProjectId>(projectId);
  if (condition === undefined || project === undefined) throw new Error('there is nothing to search');
  const among = { sql: ['project_id = {own:UUID}'], params: { own: project } };
  const window = await findWindow(store, among, { from: undefined, until: undefined, count: 100 });
  if (window === undefined) throw new Error('there are no requests');
  const rows: number[] = [];
  const counted: TraceStore = {
    ...store,
    rowsBeside: async (...statement) => {
      const found = await store.rowsBeside(...statement);
      rows.push(found.length);
      return found;
    },
  };
  const tests = { projectIds: [project], ...buildValueConditions(condition) };
  const searched = await searchWindow(
    { store: counted, among, condition, tests, deadlineMs, maxHits: 100 },
    window,
  );
  return { searched, window, rows };
}

test.each(['tea-19', 'parameters.sku=tea-19'])(
  'large distributed traces are read in pages of at most 20,000 spans to find the requests with %s',
  async (value) => {
    const { searched, window, rows } = await search(value, performance.now() + 60_000);
    expect(searched?.hits.size).toBe(TRACES.length);
    expect(searched?.since).toBe(window.from);
    expect(Math.max(...rows)).toBeLessThanOrEqual(20_000);
  },
);

test.each(['sku=tea-19'])(
  'a search for %s stops at its deadline, after the first large trace',
  async (value) => {
    const { searched, window } = await search(value, performance.now() - 1);
    expect(searched?.hits.size).toBe(1);
    expect(searched?.since).toBeGreaterThan(window.from);
  },
);

const startTime = new Date().toISOString();
const step = (stepId: number, stepName: string, inputs: object) => ({
  stepId: String(stepId),
  stepName,
  startTime,
  duration: 1,
  inputs,
});
const aRequest = (...flow: ReturnType<typeof step>[]) =>
  aTrace({ request: { method: 'GET', path: '/' }, flow: flow as never });
const REFERENCE = { $type: 'reference', step: '1', path: ['inputs', 'order'] };

test.each([
  // Reads 30 candidates. The step `charge` is the sample of its candidate, so it is not read again.
  ['charge.order.totalCents>0', '', 30, [30]],
  // Reads 30 candidates, and then the step `charge` of each candidate, which is too long to be a sample.
  ['charge.order.totalCents>0', 'x'.repeat(5000), 30, [30, 30]],
  // Reads 30 candidates, and then three steps of each candidate, which contain all names, but in another order.
  ['order.inputs.totalCents>0', '', 0, [30, 90]],
  ['refund.order.totalCents>0', '', 0, [0]],
  ['charge.cart.totalCents>0', '', 0, [0]],
])(
  'of requests with many similar steps, only steps with all names of %s are read (%#)',
  async (value, note, hits, read) => {
    const { project } = await newcomer(scene.server);
    const order = { totalCents: 5, note };
    const request = () =>
      aRequest(step(1, 'store', { order }), step(2, 'charge', { order }), step(3, 'notify', { order }));
    await sendTraces(scene.server, project.apiKey, Array.from({ length: 30 }, request));
    const { searched, rows } = await search(value, performance.now() + 60_000, project.id);
    expect(searched?.hits.size).toBe(hits);
    // Requests without spans need no further statements.
    expect(rows).toEqual(read);
  },
);

test('the steps of a request with 2,500 references are read in pages, and the value is found through the reference from the last step to the first', async () => {
  const { project } = await newcomer(scene.server);
  const others = Array.from({ length: 2500 }, (_, index) => step(index + 2, 'log', { order: REFERENCE }));
  const steps = [
    step(1, 'load', { order: { totalCents: 5 } }),
    ...others,
    step(5000, 'charge', { order: REFERENCE }),
  ];
  await sendTraces(scene.server, project.apiKey, [aRequest(...steps), aRequest(...steps)]);
  const { searched, rows } = await search(
    'charge.order.totalCents=5',
    performance.now() + 60_000,
    project.id,
  );
  expect(searched?.hits.size).toBe(2);
  expect(Math.max(...rows)).toBe(2000);
});
