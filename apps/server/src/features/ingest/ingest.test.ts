import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { routes } from '@throughline/contract';
import {
  aTrace,
  createFakeClock,
  makeProject,
  type Person,
  postBody,
  refusal,
  signUp,
  startServer,
  type TestProject,
  type TestServer,
} from '@throughline/testkit';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const clock = createFakeClock();
let server: TestServer;
let person: Person;
let project: TestProject;
beforeAll(async () => {
  server = await startServer({ clock });
  person = await signUp(server);
  project = await makeProject(person);
});
afterAll(() => server.stop());

const startTime = (offsetMs = 0) => new Date(clock.now().getTime() + offsetMs).toISOString();
const trace = (given: Parameters<typeof aTrace>[0] = {}) =>
  aTrace({ timing: { startTime: startTime(), duration: 12.5 }, ...given });
const buildBody = (...traces: unknown[]) => JSON.stringify({ service: { name: 'shop' }, traces });
const post = (body: Parameters<typeof postBody>[2], headers?: Readonly<Record<string, string>>) =>
  postBody(server, project.apiKey, body, headers);
const total = async () =>
  (await person.client.call(routes.traces.list, { query: { projectId: project.id, limit: 1 } })).total;
/** Returns how many traces the action added. */
const added = async (deed: () => Promise<unknown>) => {
  const before = await total();
  await deed();
  return (await total()) - before;
};
/** Sends the given number of MB of spaces without a content-length header. Returns the status. */
const postChunks = async (megabytes: number) => {
  const blanks = new Uint8Array(1024 * 1024).fill(32);
  const answer = await fetch(`${server.url}/api/ingest/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': project.apiKey },
    body: ReadableStream.from(Array.from({ length: megabytes }, () => blanks)),
    duplex: 'half',
  });
  await answer.text();
  return answer.status;
};
const uuid = (last: string) => `01973000-0000-7000-8000-${last.padStart(12, '0')}`;

describe('the ingest endpoint', () => {
  test('accepts the API key in x-api-key and as a bearer token', async () => {
    expect((await post(buildBody(trace()))).status).toBe(200);
    const bearer = { 'x-api-key': '', authorization: `Bearer ${project.apiKey}` };
    expect(
      (await postBody(server, '', buildBody(trace()), { authorization: bearer.authorization })).status,
    ).toBe(401);
    const answer = await fetch(`${server.url}/api/ingest/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: bearer.authorization },
      body: buildBody(trace()),
    });
    expect(answer.status).toBe(200);
  });

  test.each(['', 'tl_unknown', 'tl_'.padEnd(43, 'x'), 'x'.repeat(5000)])(
    'rejects the key %.10s…',
    async (key) => {
      const reply = await postBody(server, key, buildBody(trace()));
      expect(reply.status).toBe(401);
      expect(reply.body).toMatchObject({ error: { code: 'invalid_api_key' } });
    },
  );

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['GZIP', gzipSync],
  ])('accepts %s', async (encoding, pack) => {
    const reply = await post(new Uint8Array(pack(buildBody(trace()))), { 'content-encoding': encoding });
    expect(reply.body).toEqual({ accepted: 1, rejected: [] });
  });

  test('refuses unsupported content types and encodings with 415', async () => {
    expect((await post(buildBody(trace()), { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(buildBody(trace()), { 'content-type': '' })).status).toBe(415);
    expect((await post(buildBody(trace()), { 'content-encoding': 'deflate' })).status).toBe(415);
    expect(
      (await post(buildBody(trace()), { 'content-type': 'application/json; charset=utf-8' })).status,
    ).toBe(200);
  });

  test.each(
    pickRows(
      [
        ['empty', ''],
        ['cut off', '{"traces":['],
        ['not JSON', 'traces=1'],
        ['a list', '[]'],
        ['null', 'null'],
        ['without traces', '{}'],
        ['with traces that are none', '{"traces":{}}'],
        ['not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
      ],
      { usually: 2 },
    ),
  )('refuses a body that is %s', async (_what, body) => {
    const reply = await post(body);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ error: { code: 'invalid_json', message: expect.any(String) } });
  });

  test('reports the position of a JSON syntax error, and accepts a byte order mark', async () => {
    expect((await post('{"traces":[1,}')).body).toMatchObject({
      error: { message: expect.stringMatching(/position|column|\[1,\}/) },
    });
    expect((await post(`\uFEFF${buildBody(trace())}`)).status).toBe(200);
  });

  test('names the invalid field of an envelope', async () => {
    const reply = await post(JSON.stringify({ service: { name: 1 }, traces: [] }));
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ error: { details: { fields: [{ path: 'service.name' }] } } });
  });

  test.runIf(isThorough())('refuses a body that is not compressed as its header declares', async () => {
    for (const encoding of ['gzip', 'br', 'zstd']) {
      const reply = await post('{"traces":[]}', { 'content-encoding': encoding });
      expect(reply.body).toMatchObject({ error: { code: 'invalid_encoding' } });
    }
    const cut = gzipSync(buildBody(trace())).subarray(0, 60);
    expect((await post(new Uint8Array(cut), { 'content-encoding': 'gzip' })).status).toBe(400);
  });

  test.runIf(isThorough())('refuses bodies of more than 8 MB compressed or 64 MB uncompressed', async () => {
    const isRefused = (message: string, limit: number, limitName: string) => ({
      status: 413,
      body: { error: { code: 'payload_too_large', message, details: { limit, limitName } } },
    });
    const large = new Uint8Array(8 * 1024 * 1024 + 1).fill(32);
    expect(await post(large)).toMatchObject(
      isRefused(
        'The body has more than 8 MB of compressed bytes (limit packedBytes). Send fewer traces at a time.',
        8 * 1024 * 1024,
        'packedBytes',
      ),
    );
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(65 * 1024 * 1024, 32)));
    expect(await post(bomb, { 'content-encoding': 'gzip' })).toMatchObject(
      isRefused(
        'The body has more than 64 MB after decompression (limit unpackedBytes). Send fewer traces at a time.',
        64 * 1024 * 1024,
        'unpackedBytes',
      ),
    );
    expect(await postChunks(9)).toBe(413);
    expect(await postChunks(1)).toBe(400);
    expect((await post(JSON.stringify({ traces: Array(10_001).fill({}) }))).status).toBe(413);
  });
});

describe('a batch', () => {
  test('stores its valid traces, and reports the errors of the invalid traces', async () => {
    const step = { stepId: '1', stepName: 'a', startTime: startTime(), duration: 1 };
    const bad = [
      [
        trace({ timing: { startTime: startTime(), duration: -1 } }),
        'traces[1].timing.duration: must not be negative',
      ],
      [
        trace({ flow: [step, step, { ...step, duration: 'x' as unknown as number }] }),
        'traces[2].flow[2].duration: Invalid input: expected number, received string',
      ],
      [{ ...trace(), flow: {} }, 'traces[3].flow: must be an array of steps'],
      [
        { ...trace(), request: { method: 'GET', path: '/', headers: 1 } },
        expect.stringMatching(/^traces\[4\]\.request\.headers: /),
      ],
      [
        trace({ timing: { startTime: '2026-02-30T00:00:00Z', duration: 1 } }),
        expect.stringMatching(/^traces\[5\]\.timing\.startTime: must be an ISO 8601 instant/),
      ],
      [7, expect.stringMatching(/^traces\[6\]: /)],
      [trace({ _id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' }), 'traces[7]._id: must be a UUIDv7'],
    ] as const;
    const count = await added(async () => {
      const reply = await post(buildBody(trace(), ...bad.map(([sent]) => sent), trace()));
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({
        accepted: 2,
        rejected: bad.map(([, message], place) => ({ index: place + 1, code: 'invalid_trace', message })),
      });
    });
    expect(count).toBe(2);
  });

  test('can be empty', async () => {
    expect((await post('{"traces":[]}')).body).toEqual({ accepted: 0, rejected: [] });
  });

  test("rejects traces older than the plan's retention, and traces far ahead of the clock", async () => {
    const at = (offsetMs: number) => trace({ timing: { startTime: startTime(offsetMs), duration: 1 } });
    const reply = await post(
      buildBody(at(-HOUR_MS - 1), at(-HOUR_MS + 60_000), at(23 * HOUR_MS), at(25 * HOUR_MS)),
    );
    expect(reply.body).toEqual({
      accepted: 2,
      rejected: [
        {
          index: 0,
          code: 'too_old',
          message:
            'traces[0].timing.startTime: Free Trial keeps traces for 1 hour, and this one is over 1 hour old. Upgrade to Starter for 7 days.',
        },
        { index: 3, code: 'invalid_trace', message: expect.stringContaining("ahead of the server's clock") },
      ],
    });
  });
});

describe('a trace sent again', () => {
  test.each(
    pickRows(
      [
        ['its _id', () => ({ _id: uuid('1') })],
        ['its trace and span id', () => ({ traceId: 'A'.repeat(32), spanId: 'b'.repeat(16) })],
      ],
      { usually: 1 },
    ),
  )('is recognized by %s: in one batch, in concurrent batches, and in a later batch', async (_what, ids) => {
    const count = await added(async () => {
      const again = () =>
        trace({ ...ids(), timing: { startTime: startTime(-Math.random() * 1e6), duration: 1 } });
      expect((await post(buildBody(again(), again()))).body).toEqual({ accepted: 2, rejected: [] });
      await Promise.all([1, 2, 3, 4].map(() => post(buildBody(again()))));
      expect((await post(buildBody(again()))).body).toEqual({ accepted: 1, rejected: [] });
    });
    expect(count).toBe(1);
  });

  test('is a separate trace in another project', async () => {
    const other = await signUp(server);
    const otherProject = await makeProject(other);
    const body = buildBody(trace({ _id: uuid('2') }));
    await post(body);
    await postBody(server, otherProject.apiKey, body);
    const list = await other.client.call(routes.traces.list, { query: {} });
    expect(list.traces.map(({ _id, projectId }) => [_id, projectId])).toEqual([[uuid('2'), otherProject.id]]);
  });

  test('is a separate trace if it has no id, or a trace id without a span id', async () => {
    const traceId = 'c'.repeat(32);
    expect(await added(() => post(buildBody(trace({ traceId }), trace({ traceId }), trace(), trace())))).toBe(
      4,
    );
  });
});

describe('an idempotency key', () => {
  const withKey = (key: string) => ({ 'idempotency-key': key });

  test('stores a batch once and returns the same response, even for concurrent requests', async () => {
    const body = buildBody(trace(), trace(), {});
    const count = await added(async () => {
      const first = await post(body, withKey('batch-1'));
      expect(first.body).toMatchObject({ accepted: 2, rejected: [{ index: 2 }] });
      expect((await post(body, withKey('batch-1'))).body).toEqual(first.body);
      expect((await post(buildBody(trace()), withKey('batch-1'))).body).toEqual(first.body);
      await Promise.all([1, 2, 3].map(() => post(body, withKey('batch-2'))));
    });
    expect(count).toBe(4);
  });

  test('is valid only for its project, and for 24 hours', async () => {
    const other = await makeProject(await signUp(server));
    expect((await postBody(server, other.apiKey, buildBody(trace()), withKey('shared'))).body).toMatchObject({
      accepted: 1,
    });
    expect(await added(() => post(buildBody(trace()), withKey('shared')))).toBe(1);
    clock.advance(23 * HOUR_MS);
    expect((await post(buildBody(trace(), trace()), withKey('shared'))).body).toMatchObject({ accepted: 1 });
    clock.advance(1.1 * HOUR_MS);
    expect((await post(buildBody(trace(), trace()), withKey('shared'))).body).toMatchObject({ accepted: 2 });
  });

  test('is refused if it is too long', async () => {
    expect((await post(buildBody(trace()), withKey('x'.repeat(256)))).status).toBe(400);
  });
});

describe('a stored trace', () => {
  const readBack = async (sent: unknown) => {
    const reply = await post(buildBody(sent));
    expect(reply.body).toEqual({ accepted: 1, rejected: [] });
    const { traces } = await person.client.call(routes.traces.list, {
      query: { projectId: project.id, limit: 1 },
    });
    return (await person.client.call(routes.traces.read, { params: { id: traces[0]?._id ?? '' } })).trace;
  };

  test('has a truncated IP address and redacted secrets', async () => {
    clock.advance(1000);
    const read = await readBack(
      trace({
        request: {
          method: 'POST',
          path: '/login',
          ip: '203.0.113.9',
          url: 'https://ada:secret@shop.example/login?token=abcdef123456',
          headers: { Authorization: 'Bearer abc', accept: '*/*' },
          body: { user: 'ada', password: 'hunter2' },
        },
      }),
    );
    expect(read.request.ip).toBe('203.0.113.0');
    expect(JSON.stringify(read)).not.toMatch(/secret@|abcdef123456|Bearer abc|hunter2/);
    expect(read.request.headers.accept).toBe('*/*');
    expect(read.request.body).toMatchObject({ user: 'ada', password: { $type: 'redacted', of: 'string' } });
  });

  test('has an id from the server if none was sent, and the ids are in the order of the start times', async () => {
    clock.advance(1000);
    const early = await readBack(trace({ timing: { startTime: startTime(), duration: 1 } }));
    clock.advance(1000);
    const late = await readBack(trace({ timing: { startTime: startTime(), duration: 1 } }));
    expect(early._id < late._id).toBe(true);
    expect(early.traceId).toMatch(/^[\da-f]{32}$/);
  });

  test('has its steps in start order, and steps with equal starts by sequence', async () => {
    clock.advance(1000);
    const step = (stepId: string, offsetMs: number, sequence?: number) => ({
      stepId,
      stepName: stepId,
      startTime: startTime(offsetMs),
      duration: 1,
      ...(sequence === undefined ? {} : { sequence }),
    });
    const read = await readBack(
      trace({ flow: [step('late', 9), step('b', 5, 7), step('a', 5, 2), step('first', -3)] }),
    );
    expect(read.flow.map(({ stepId }) => stepId)).toEqual(['first', 'a', 'b', 'late']);
    expect(read.stepCount).toBe(4);
  });
});

test('an expired trace is not listed, not counted and not found', async () => {
  clock.advance(2 * HOUR_MS);
  await post(buildBody(trace()));
  const list = () => person.client.call(routes.traces.list, { query: { projectId: project.id } });
  const id = (await list()).traces[0]?._id ?? '';
  clock.advance(HOUR_MS + 1000);
  expect(await list()).toEqual({ traces: [], total: 0, nextCursor: null });
  expect((await refusal(person.client.call(routes.traces.read, { params: { id } }))).status).toBe(404);
  const { stats } = await person.client.call(routes.projects.stats, { params: { id: project.id } });
  expect(stats.totalTraces).toBe(0);
});

test('no trace is accepted after the trial', async () => {
  clock.advance(8 * 24 * HOUR_MS);
  const reply = await post(buildBody(trace()));
  expect(reply.status).toBe(402);
  expect(reply.body).toMatchObject({ error: { code: 'trial_expired' } });
});
