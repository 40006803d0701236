import { gzipSync } from 'node:zlib';
import { isThorough } from '@throughline/testkit/thorough';
import { afterEach, describe, expect, test } from 'vitest';
import type { IngestProject } from '../../projects/index.ts';
import { readListRow } from '../encode/list-row.ts';
import { intake } from '../intake/native-intake.ts';
import { toMessage } from './batch-message.ts';
import { LargeBodies, type LargeBodiesOptions, type WaitingBody } from './large-bodies.ts';
import { readLargeBody } from './read-large-body.ts';

const open: LargeBodies[] = [];
const largeBodies = (options: LargeBodiesOptions = {}) => {
  const bodies = new LargeBodies({ threads: 1, maxWaitMs: 100_000, ...options });
  open.push(bodies);
  return bodies;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((bodies) => bodies.close()));
});

const project = (name: string): IngestProject => ({
  projectId: name as IngestProject['projectId'],
  accountId: name as IngestProject['accountId'],
  plan: 'enterprise_plus',
  kind: 'organization',
  accessEndsAt: null,
  periodAnchor: new Date(0),
  settings: undefined,
  redaction: undefined,
});

/** Builds a body with one trace, to be read by `module`. */
function buildBody(
  json: string,
  options: { readonly module?: string; readonly owner?: string } = {},
): WaitingBody {
  return {
    module: options.module ?? intake.module,
    packed: Uint8Array.from(gzipSync(json)),
    encoding: 'gzip',
    contentType: 'application/json',
    project: project(options.owner ?? 'a'),
    nowMicros: BigInt(Date.now()) * 1000n,
    batchKey: undefined,
    listFullTraces: () => new Set(),
  };
}

const startTime = new Date().toISOString();
const buildTrace = (path: string, flow: readonly unknown[] = []) =>
  JSON.stringify({
    traces: [{ request: { method: 'GET', path }, timing: { startTime, duration: 1 }, flow }],
  });
const fixture = (name: string) => new URL(`../fixtures/${name}.ts`, import.meta.url).href;

describe('a body read in a worker thread', () => {
  test('becomes the complete rows of its trace', async () => {
    const text = 'ä\\"\n\t'.repeat(300_000);
    const flow = Array.from({ length: 9 }, (_step, index) => ({
      stepId: String(index),
      stepName: 'a',
      startTime,
      duration: 1,
      inputs: { text: index === 4 ? text : 'small' },
    }));
    const { batch, release } = await largeBodies().read(buildBody(buildTrace('/rows', flow)));
    const [trace] = batch.traces;
    expect(batch.answer).toEqual({ accepted: 1, rejected: [] });
    expect(trace && readListRow(trace)).toMatchObject({ request: { path: '/rows' }, stepCount: 9 });
    const rows = Buffer.concat([...(trace?.stepRows ?? [])]).toString('utf8');
    expect(rows.split('\n')).toHaveLength(10);
    expect(rows).toContain(JSON.stringify({ inputs: { text } }).replaceAll('\\', '\\\\'));
    expect(trace?.traceRow.toString('utf8')).toContain('/rows');
    release();
  });

  test.runIf(isThorough())(
    'is refused as in the main thread, with the same code, limit and message',
    async () => {
      await expect(
        largeBodies().read(buildBody(`{"traces":[${'{},'.repeat(10_000)}{}]}`)),
      ).rejects.toMatchObject({
        code: 'payload_too_large',
        details: { limitName: 'traces', limit: 10_000 },
        message: expect.stringContaining('10,000 traces'),
      });
      await expect(largeBodies().read(buildBody('{"traces":[}'))).rejects.toMatchObject({
        code: 'invalid_json',
      });
    },
  );
});

test('rows that are passed to another thread are moved, not copied', async () => {
  const body = 'b'.repeat(200_000);
  const request = { method: 'GET', path: '/large', body };
  const json = JSON.stringify({ traces: [{ request, timing: { startTime, duration: 1 } }] });
  const batch = await readLargeBody({ ...buildBody(json), fullTraces: new Set() }, intake, () => {});
  const { pieces } = toMessage(batch);
  expect(Buffer.concat(pieces).toString()).toContain(body);
  expect(batch.traces.map(({ traceRow }) => traceRow.length)).toEqual([0]);
});

test('a body is refused at the first limit that it exceeds, without unpacking the rest of it', async () => {
  const whole = gzipSync(`${'['.repeat(501)}${' '.repeat(1024 * 1024)}`);
  // Without its last bytes, the body cannot be unpacked completely.
  const packed = Uint8Array.from(whole.subarray(0, -8));
  await expect(
    readLargeBody({ ...buildBody(''), packed, fullTraces: new Set() }, intake, () => {}),
  ).rejects.toMatchObject({ code: 'payload_too_large', details: { limitName: 'depth', limit: 500 } });
});

describe('a body that a worker thread could not read', () => {
  const fail = (module: string, contentType: string) =>
    largeBodies().read({ ...buildBody('{}', { module }), contentType });

  test('must not be sent again if reading it again would fail again', async () => {
    await expect(fail(fixture('failing-intake'), 'bug')).rejects.toMatchObject({ name: 'UnreadableBody' });
  });

  test.each([
    ['the code that reads it could not be loaded', fixture('no-such-intake'), 'bug', 'no-such-intake'],
    ['memory was missing', fixture('failing-intake'), 'memory', 'allocation failed'],
    ['a file could not be opened', fixture('failing-intake'), 'files', 'EMFILE'],
  ])('can be sent again if %s', async (_why, module, type, message) => {
    await expect(fail(module, type)).rejects.toMatchObject({
      name: 'Error',
      message: expect.stringContaining(message),
    });
  });
});

describe('a worker thread', () => {
  test.runIf(isThorough())(
    'that runs out of memory affects only the body that it reads: this body is refused, and the next body is read',
    async () => {
      const bodies = largeBodies({ maxMemoryMb: 64 });
      const [hungry, next] = await Promise.allSettled([
        bodies.read(buildBody('{}', { module: fixture('hungry-intake') })),
        bodies.read(buildBody(buildTrace('/next'))),
      ]);
      expect(hungry).toMatchObject({
        reason: { code: 'payload_too_large', details: { limitName: 'memoryBytes' } },
      });
      expect(next).toMatchObject({ value: { batch: { answer: { accepted: 1 } } } });
    },
  );

  test('that reads a body for too long is ended; the body is refused, and the next body is read', async () => {
    // On a busy machine, three seconds of processor time can take more than the usual limit of 15 seconds.
    const bodies = largeBodies({ maxReadMs: 3000, maxSlowdown: 30 });
    const [endless, next] = await Promise.allSettled([
      bodies.read(buildBody('{}', { module: fixture('endless-intake') })),
      bodies.read(buildBody(buildTrace('/next'))),
    ]);
    expect(endless).toMatchObject({
      reason: { code: 'payload_too_large', details: { limitName: 'readSeconds' } },
    });
    expect(next).toMatchObject({ value: { batch: { answer: { accepted: 1 } } } });
  });

  test.runIf(isThorough())(
    'that gets little processor time can read a body for longer than the limit, which counts only processor time',
    async () => {
      const bodies = largeBodies({ maxReadMs: 2000 });
      // The first body makes the worker thread load the code that reads bodies.
      await bodies.read(buildBody(buildTrace('/first')));
      const { batch, release } = await bodies.read(
        buildBody(buildTrace('/slow'), { module: fixture('sleeping-intake') }),
      );
      expect(batch.answer).toMatchObject({ accepted: 1 });
      release();
    },
  );

  test.runIf(isThorough())(
    'that was idle for longer than its limit does not prevent later bodies from being read',
    async () => {
      const bodies = largeBodies({ idleMs: 1 });
      for (const path of ['/first', '/second']) {
        const { batch, release } = await bodies.read(buildBody(buildTrace(path)));
        expect(batch.traces[0]?.traceRow.toString()).toContain(`\t${path}\t`);
        release();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
  );
});

test('projects take turns, and a project with too many concurrent bodies must send again later', async () => {
  const bodies = largeBodies();
  const done: string[] = [];
  const read = async (owner: string, path: string) => {
    const { release } = await bodies.read(buildBody(buildTrace(path), { owner }));
    done.push(path);
    release();
  };
  const flood = Array.from({ length: 40 }, (_body, index) => read('a', `/a${index}`));
  await Promise.allSettled([...flood, read('b', '/b')]);
  // At most two bodies are read before /b: the body that was being read when /b arrived, and one more body of project a, whose turn came
  // before that of project b.
  expect(done.indexOf('/b')).toBeLessThanOrEqual(2);
  const outcomes = await Promise.allSettled(flood);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(31);
  for (const one of refused) {
    expect(one).toMatchObject({
      reason: { code: 'overloaded', headers: { 'retry-after': expect.any(String) } },
    });
  }
});

test.runIf(isThorough())(
  'a body that is not read in time is refused with Retry-After, and the body after it is read',
  async () => {
    const bodies = largeBodies({ maxWaitMs: 300 });
    const { release } = await bodies.read(buildBody(buildTrace('/rows', hugeFlow())));
    const late = bodies.read(buildBody(buildTrace('/late')));
    await expect(late).rejects.toMatchObject({
      code: 'overloaded',
      headers: { 'retry-after': expect.any(String) },
    });
    release();
    const { batch } = await bodies.read(buildBody(buildTrace('/next')));
    expect(batch.answer.accepted).toBe(1);
  },
);

test.runIf(isThorough())('a project can have at most nine bodies whose rows wait to be stored', async () => {
  const bodies = largeBodies();
  const read = await Promise.all(
    Array.from({ length: 9 }, (_body, index) => bodies.read(buildBody(buildTrace(`/${index}`)))),
  );
  await expect(bodies.read(buildBody(buildTrace('/more')))).rejects.toMatchObject({ code: 'overloaded' });
  const { batch } = await bodies.read(buildBody(buildTrace('/other'), { owner: 'b' }));
  expect(batch.answer.accepted).toBe(1);
  for (const { release } of read) release();
  await bodies.read(buildBody(buildTrace('/more')));
});

/** Builds steps whose rows together exceed the limit for rows that wait to be stored. */
function hugeFlow(): readonly object[] {
  return Array.from({ length: 3 }, (_step, index) => ({
    stepId: String(index),
    stepName: 'a',
    startTime,
    duration: 1,
    inputs: { text: 'x'.repeat(17 * 1024 * 1024) },
  }));
}

test.runIf(isThorough())('no further body is read while too many rows wait to be stored', async () => {
  const bodies = largeBodies();
  const { release } = await bodies.read(buildBody(buildTrace('/large', hugeFlow())));
  let isRead = false;
  const next = bodies.read(buildBody(buildTrace('/next'))).then(() => {
    isRead = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isRead).toBe(false);
  release();
  await next;
});
