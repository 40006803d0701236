import { brotliCompressSync, constants } from 'node:zlib';
import { INGEST_LIMITS, showLimit } from '@throughline/contract';
import {
  aTrace,
  makeOrganization,
  makeProject,
  postBody,
  startServer,
  type TestProject,
  type TestServer,
} from '@throughline/testkit';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

type LimitName = keyof typeof INGEST_LIMITS;

let server: TestServer;
let project: TestProject;
beforeAll(async () => {
  server = await startServer();
  const { owner } = await makeOrganization(server);
  project = await makeProject(owner);
});
afterAll(() => server.stop());

const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Sends a body compressed with brotli at the fastest level: few bytes can unpack to millions of values. */
function send(body: string, contentType = 'application/json') {
  const packed = new Uint8Array(brotliCompressSync(body, QUICKLY));
  return postBody(server, project.apiKey, packed, { 'content-encoding': 'br', 'content-type': contentType });
}

const startTime = new Date().toISOString();
const HEAD = `"request":{"method":"GET","path":"/"},"timing":{"startTime":"${startTime}","duration":1}`;
const buildTrace = (members: string) => `{${HEAD},${members}}`;
const buildBody = (members: string) => `{"traces":[${buildTrace(members)}]}`;
const buildStep = (members: string) =>
  `{"stepId":"1","stepName":"a","startTime":"${startTime}","duration":1,${members}}`;
const buildInputsBody = (json: string) => buildBody(`"flow":[${buildStep(`"inputs":${json}`)}]`);
const buildList = (item: string, count: number) => `[${`${item},`.repeat(count - 1)}${item}]`;
const buildMembers = (count: number) =>
  `{${Array.from({ length: count }, (_member, index) => `"k${index}":0`).join(',')}}`;

/** Builds an object of `count` members whose names are in no other object. */
const buildOwnNames = (object: number, count: number) =>
  `{${Array.from({ length: count }, (_name, index) => `"n${object}.${index}":0`).join(',')}}`;
const buildNamedTraces = (count: number, names: number) =>
  Array.from({ length: count }, (_trace, index) =>
    buildTrace(`"attributes":${buildOwnNames(index, names)}`),
  ).join(',');
const buildNamedSteps = (count: number, names: number) =>
  Array.from({ length: count }, (_step, index) =>
    buildStep(`"metadata":${buildOwnNames(index, names)}`),
  ).join(',');

const { values, traceValues, keys, digits, traces, traceSteps } = INGEST_LIMITS;
const overKeys = keys.max + 1;
const buildNested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const deep = buildNested(3_000_000);

describe('a body over a limit is refused as a whole, and the response names the limit', () => {
  test.each<readonly [string, LimitName, () => string]>(
    pickRows<readonly [string, LimitName, () => string]>(
      [
        [
          'with values in many traces',
          'values',
          () => `{"traces":${buildList(buildList('{}', 1_000_000), 6)}}`,
        ],
        [
          'with empty objects in a step',
          'traceValues',
          () => buildInputsBody(buildList('{}', traceValues.max)),
        ],
        [
          'with numbers in a body',
          'traceValues',
          () => buildBody(`"user":{"n":${buildList('1', traceValues.max)}}`),
        ],
        ['with empty steps', 'traceValues', () => buildBody(`"flow":${buildList('{}', traceValues.max)}`)],
        ['with empty traces', 'traces', () => `{"traces":${buildList('{}', traces.max + 1)}}`],
        ['with a million empty traces', 'traces', () => `{"traces":${buildList('{}', 1_000_000)}}`],
        ['with unknown members', 'keys', () => buildBody(buildMembers(overKeys).slice(1, -1))],
        ['with members of a step', 'keys', () => buildInputsBody(buildMembers(overKeys))],
        ['with one member many times', 'keys', () => buildInputsBody(`{${'"a":0,'.repeat(overKeys)}"a":0}`)],
        ['with attributes', 'keys', () => buildBody(`"attributes":${buildMembers(overKeys)}`)],
        ['with headers', 'keys', () => buildBody(`"response":{"headers":${buildMembers(overKeys)}}`)],
        ['with arrays inside each other in a step', 'depth', () => buildInputsBody(deep)],
        ['with arrays inside each other beside the traces', 'depth', () => `{"x":${deep},"traces":[]}`],
        ['with a long number in a step', 'digits', () => buildInputsBody(`[${'1'.repeat(digits.max + 1)}]`)],
        [
          'with a long number in a body',
          'digits',
          () => buildBody(`"user":{"n":${'1'.repeat(digits.max + 1)}}`),
        ],
        ['with a huge exponent', 'digits', () => buildInputsBody(`[1e${'9'.repeat(4_000_000)}]`)],
        ['of blanks', 'unpackedBytes', () => ' '.repeat(65 * 1024 * 1024)],
      ],
      { usually: 6 },
    ),
  )('%s: %s', async (_what, name, body) => {
    const { max } = INGEST_LIMITS[name];
    const reply = await send(body());
    expect(reply).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large', details: { limit: max, limitName: name } } },
    });
    const { message } = (reply.body as { readonly error: { readonly message: string } }).error;
    expect(message).toContain(`more than ${showLimit(name)} `);
    expect(message).toContain(INGEST_LIMITS[name].remedy);
  });

  test.each<readonly [string, string]>([
    ['traces', `{"traces":[${buildNamedTraces(51, 1000)}]}`],
    ['steps', buildBody(`"flow":[${buildNamedSteps(51, 1000)}]`)],
  ])('with 51,000 distinct attribute names in %s: attributeNames', async (_of, body) => {
    expect(await send(body)).toMatchObject({
      status: 413,
      body: { error: { details: { limit: 50_000, limitName: 'attributeNames' } } },
    });
  });

  test.each<readonly [string, (object: string) => string]>([
    ['the attributes of a trace', (object) => buildBody(`"attributes":${object}`)],
    ['an attribute of a trace', (object) => buildBody(`"attributes":{"a":[${object}]}`)],
    ['the attributes of a step', (object) => buildBody(`"flow":[${buildStep(`"metadata":${object}`)}]`)],
    ['a captured value', (object) => buildInputsBody(`[{"a":${object}}]`)],
    ['an unknown member', (object) => buildBody(`"unknown":[${object}]`)],
    ['the body of a response', (object) => buildBody(`"response":{"body":${object}}`)],
  ])('with a name of more than 512 kB in %s: nameBytes', async (_in, build) => {
    const { max } = INGEST_LIMITS.nameBytes;
    const buildObject = (length: number) => `{"${'n'.repeat(length)}":"of a name"}`;
    expect(await send(build(buildObject(max)))).toMatchObject({ status: 200, body: { accepted: 1 } });
    for (const [body, type] of [
      [build(buildObject(max + 1)), 'application/json'],
      [build(buildObject(max + 1)).slice('{"traces":['.length, -2), 'application/x-ndjson'],
    ] as const) {
      expect(await send(body, type)).toMatchObject({
        status: 413,
        body: { error: { details: { limit: max, limitName: 'nameBytes' } } },
      });
    }
  });

  // The depth is a fixed number, so that these tests fail if the limit is raised. Recursive readers use stack for each level, so a higher
  // limit could overflow the stack.
  test.each([
    ['a step', buildInputsBody(buildNested(600)), 'application/json'],
    ['the body of a response', buildBody(`"response":{"body":${buildNested(600)}}`), 'application/json'],
    ['a line', buildTrace(`"user":{"n":${buildNested(600)}}`), 'application/x-ndjson'],
  ])('with 600 arrays inside each other in %s: depth', async (_in, body, type) => {
    expect(await send(body, type)).toMatchObject({
      status: 413,
      body: { error: { details: { limit: 500, limitName: 'depth' } } },
    });
  });

  test.each<readonly [string, LimitName, () => string]>(
    pickRows<readonly [string, LimitName, () => string]>(
      [
        ['of traces', 'traces', () => '{}\n'.repeat(traces.max + 1)],
        ['with members of an object', 'keys', () => `${buildTrace(`"user":${buildMembers(overKeys)}`)}\n`],
        [
          'with values',
          'traceValues',
          () => `${buildTrace(`"user":{"n":${buildList('1', traceValues.max)}}`)}\n`,
        ],
        ['of values in all', 'values', () => `${buildList('1', traceValues.max - 1)}\n`.repeat(4)],
        [
          'with a long number',
          'digits',
          () => `${buildTrace(`"user":{"n":${'1'.repeat(digits.max + 1)}}`)}\n`,
        ],
      ],
      { usually: 2 },
    ),
  )('lines %s: %s', async (_what, name, body) => {
    expect(values.max).toBeLessThan(4 * (traceValues.max - 1));
    expect(await send(body(), 'application/x-ndjson')).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large', details: { limitName: name } } },
    });
  });
});

describe('a trace over a limit is rejected without affecting other traces', () => {
  test.each<readonly [string, () => string, string]>(
    pickRows(
      [
        [
          'with more steps than a trace may have',
          () => buildTrace(`"flow":${buildList('{}', traceSteps.max + 1)}`),
          'traces[0].flow: must have at most 100,000 steps (limit traceSteps)',
        ],
        [
          'with a step whose values are too large',
          () => buildTrace(`"flow":[${buildStep(`"outputs":"${'\\\\'.repeat(13 * 1024 * 1024)}"`)}]`),
          'traces[0].flow[0]: must take at most 24 MB as JSON (limit valueBytes)',
        ],
        [
          'with a body that is too large',
          () => buildTrace(`"response":{"body":"${'x'.repeat(25 * 1024 * 1024)}"}`),
          'traces[0].response.body: must take at most 24 MB as JSON (limit valueBytes)',
        ],
        [
          'with an id of megabytes',
          () => buildTrace(`"_id":"${'a'.repeat(10_000_000)}"`),
          'traces[0]._id: must be a UUIDv7',
        ],
        [
          "with an error's message of megabytes",
          () => buildTrace(`"error":{"hasError":true,"errorMessage":"${'a'.repeat(10_000_000)}"}`),
          'traces[0].error.errorMessage: must be at most 65536 characters long',
        ],
      ],
      { usually: 2 },
    ),
  )('%s', async (_what, trace, message) => {
    const reply = await send(`{"traces":[${trace()},${JSON.stringify(aTrace())}]}`);
    expect(reply).toMatchObject({
      status: 200,
      body: { accepted: 1, rejected: [{ index: 0, code: 'invalid_trace', message }] },
    });
  });

  test.runIf(isThorough())(
    'and each of ten thousand invalid traces is listed in a response of less than 2 MB',
    async () => {
      const reply = await send(`{"traces":${buildList('{}', traces.max)}}`);
      expect(reply.status).toBe(200);
      const { rejected } = reply.body as { readonly rejected: readonly unknown[] };
      expect(rejected).toHaveLength(traces.max);
      expect(JSON.stringify(rejected).length).toBeLessThan(2_000_000);
    },
  );
});

describe('a body within the limits', () => {
  test.runIf(isThorough())('is accepted with 60 MB of empty lines around its traces', async () => {
    const lines = `${'\n'.repeat(30_000_000)}${JSON.stringify(aTrace())}${'\n'.repeat(30_000_000)}`;
    expect(await send(lines, 'application/x-ndjson')).toMatchObject({ status: 200, body: { accepted: 1 } });
  });

  test.runIf(isThorough())(
    'is accepted with two million values in one step, one of them a password',
    async () => {
      const list = `${buildList('{}', traceValues.max - 100).slice(0, -1)},{"password":"abc"}]`;
      expect(await send(buildInputsBody(list))).toMatchObject({
        status: 200,
        body: { accepted: 1, rejected: [] },
      });
    },
  );
});
