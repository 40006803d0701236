import { INGEST_LIMITS, routes } from '@throughline/contract';
import {
  aTrace,
  makeOrganization,
  makeProject,
  type Person,
  postBody,
  startServer,
  type TestProject,
  type TestServer,
} from '@throughline/testkit';
import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let person: Person;
let project: TestProject;
beforeAll(async () => {
  server = await startServer();
  // The test uses an organization, because it sends more traces than a trial's month includes.
  ({ owner: person } = await makeOrganization(server));
  project = await makeProject(person);
});
afterAll(() => server.stop());

const total = async () =>
  (await person.client.call(routes.traces.list, { query: { projectId: project.id, limit: 1 } })).total;

const step = { stepId: '1', stepName: 'a', startTime: new Date().toISOString(), duration: 1 };

/** Fields of a valid trace that the test makes invalid. */
const PATHS: readonly (readonly (string | number)[])[] = [
  [],
  ['_id'],
  ['traceId'],
  ['spanId'],
  ['request'],
  ['request', 'method'],
  ['request', 'path'],
  ['request', 'headers'],
  ['response'],
  ['response', 'statusCode'],
  ['response', 'headers'],
  ['timing'],
  ['timing', 'startTime'],
  ['timing', 'duration'],
  ['performance'],
  ['error'],
  ['error', 'hasError'],
  ['user'],
  ['sessionId'],
  ['attributes'],
  ['flow'],
  ['flow', 0],
  ['flow', 0, 'stepId'],
  ['flow', 0, 'stepName'],
  ['flow', 0, 'stepType'],
  ['flow', 0, 'startTime'],
  ['flow', 0, 'duration'],
  ['flow', 0, 'lineNumber'],
  ['flow', 0, 'sequence'],
  ['flow', 0, 'variables'],
  ['flow', 0, 'error'],
  ['dropped'],
];

const nasty = fc.oneof(
  fc.anything({ withNullPrototype: false, maxDepth: 3 }),
  fc.constantFrom(
    -1,
    1e308,
    -0,
    2 ** 53,
    0.5,
    '',
    '\0',
    '\ud800',
    'x'.repeat(70_000),
    '2026-13-01T00:00:00Z',
    [],
    {},
  ),
  fc.string({ unit: 'binary' }),
);

function spoil(path: readonly (string | number)[], value: unknown): unknown {
  const trace: unknown = JSON.parse(
    JSON.stringify({ ...aTrace(), response: { statusCode: 200 }, flow: [step] }),
  );
  if (path.length === 0) return value;
  let place: unknown = trace;
  for (const key of path.slice(0, -1)) place = Reflect.get(Object(place), key);
  Reflect.set(Object(place), path.at(-1) ?? '', value);
  return trace;
}

/** Converts any value to JSON. A bigint or symbol becomes a string; other values that JSON cannot express are left out. */
function toJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part) =>
      typeof part === 'bigint' || typeof part === 'symbol' ? String(part) : part,
    ) ?? 'null'
  );
}

/** Sends an invalid trace with two valid traces and checks the response. Returns how many traces were accepted. */
async function sendSpoilt([path, value, first]: readonly [readonly (string | number)[], unknown, boolean]) {
  const good = toJson(aTrace());
  const bad = toJson(spoil(path, value));
  const body = `{"traces":[${first ? `${bad},${good}` : `${good},${bad}`},${good}]}`;
  const reply = await postBody(server, project.apiKey, body);
  expect(reply.status).toBe(200);
  const { accepted, rejected } = routes.ingest.traces.answer.parse(reply.body);
  expect(accepted + rejected.length).toBe(3);
  expect(rejected.length).toBeLessThanOrEqual(1);
  for (const { index, message } of rejected) {
    expect(index).toBe(first ? 0 : 1);
    expect(message).toMatch(/^traces\[\d\][^:]*: \S/);
  }
  return accepted;
}

test('valid traces are stored next to an invalid trace in the same body, and the invalid trace is reported', async () => {
  const spoilt = fc.tuple(fc.constantFrom(...PATHS), nasty, fc.boolean());
  await fc.assert(
    // Sends the bodies at the same time. Each request waits for the next group commit, so sending the bodies one by one would take long.
    fc.asyncProperty(fc.array(spoilt, { minLength: 20, maxLength: 20 }), async (bodies) => {
      const before = await total();
      const accepted = await Promise.all(bodies.map(sendSpoilt));
      expect((await total()) - before).toBe(accepted.reduce((sum, count) => sum + count, 0));
    }),
    { numRuns: repetitions({ usually: 3, thoroughly: 60 }) },
  );
}, 300_000);

const good = `{"service":{"name":"shop"},"traces":[${toJson(aTrace())}]}`;
const broken = fc.oneof(
  fc.nat(good.length - 1).map((length) => good.slice(0, length)),
  fc
    .tuple(fc.nat(good.length - 1), fc.constantFrom('"', '{', ']', ',', '\\', '\u0007'))
    .map(([at, mark]) => good.slice(0, at) + mark + good.slice(at)),
  fc.anything().map(toJson),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 400 }),
  fc.nat(2000).map((depth) => `{"traces":[${'['.repeat(depth)}`),
  fc
    .nat(200_000)
    .map(
      (depth) =>
        `{"traces":[{"request":{"method":"GET","path":"/","body":${'['.repeat(depth)}${']'.repeat(depth)}}}]}`,
    ),
);

test('a damaged body gets a 4xx with the reason, or the normal response if the body is still valid', async () => {
  const headers = fc.record(
    {
      'content-encoding': fc.constantFrom('gzip', 'br', 'zstd', 'identity', 'deflate', 'gzip, gzip', '\t'),
      'content-type': fc.constantFrom(
        'application/json',
        'text/plain',
        'application/json; charset=utf-16',
        ';',
      ),
      'idempotency-key': fc.stringMatching(/^[ -~]{0,300}$/),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(broken, fc.option(headers, { nil: {} }), async (body, extra) => {
      const bytes = typeof body === 'string' ? body : new Uint8Array(body);
      const sent = Object.fromEntries(Object.entries(extra).filter(([, value]) => value !== undefined));
      const reply = await postBody(server, project.apiKey, bytes, sent);
      if (reply.status === 200) {
        routes.ingest.traces.answer.parse(reply.body);
        return;
      }
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(reply.status).toBeLessThan(500);
      expect(reply.body).toMatchObject({
        error: { code: expect.any(String), message: expect.stringMatching(/\S/) },
      });
    }),
    { numRuns: repetitions({ usually: 40, thoroughly: 2000 }) },
  );
}, 300_000);

test('values nested up to the limit are stored, and deeper values are refused with the name of the limit', async () => {
  const buildBody = (depth: number) =>
    `{"traces":[{"request":{"method":"GET","path":"/deep","body":${'['.repeat(depth)}${']'.repeat(depth)}},"timing":{"startTime":"${new Date().toISOString()}","duration":1}}]}`;
  // The body, the list of traces, the trace and its request use four levels.
  const allowed = INGEST_LIMITS.depth.max - 4;
  expect((await postBody(server, project.apiKey, buildBody(allowed))).status).toBe(200);
  const { traces } = await person.client.call(routes.traces.list, { query: { search: '/deep' } });
  expect(traces).toHaveLength(1);
  for (const depth of [allowed + 1, 200_000, 1_000_000]) {
    expect(await postBody(server, project.apiKey, buildBody(depth))).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large', details: { limitName: 'depth' } } },
    });
  }
});
