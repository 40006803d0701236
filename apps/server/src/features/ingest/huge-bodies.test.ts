import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { INGEST_LIMITS, routes } from '@throughline/contract';
import { aTrace, postBody } from '@throughline/testkit';
import { PROTOBUF_TYPE, postSpans } from '@throughline/testkit/otlp';
import { dropStores, putStores } from '@throughline/testkit/stores-folder';
import { isThorough, pickRows, repetitions } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { begin, type Place } from './fixtures/sending.ts';

const MB = 1024 * 1024;
let dataDir: string;
let place: Place;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'throughline-huge-'));
  await putStores(dataDir);
  place = await begin(dataDir);
});
afterAll(async () => {
  await place.server.kill('SIGTERM');
  await dropStores(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

const zeros = Buffer.alloc(100 * MB);
const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const BOMBS = [
  ['gzip', gzipSync(zeros)],
  ['br', brotliCompressSync(zeros, QUICKLY)],
  ['zstd', zstdCompressSync(zeros)],
] as const;

describe('bodies that unpack to 100 MB', () => {
  const bomb = async ([encoding, packed]: (typeof BOMBS)[number], format: 'own' | 'otlp') => {
    const headers = { 'content-encoding': encoding };
    const body = new Uint8Array(packed);
    return format === 'own'
      ? postBody(place, place.apiKey, body, headers)
      : postSpans(place, place.apiKey, body, { ...headers, 'content-type': PROTOBUF_TYPE });
  };

  test.each(pickRows(BOMBS, { usually: 1 }))('in %s are refused', async (...packed) => {
    const reply = await bomb(packed, 'own');
    expect(reply).toMatchObject({ status: 413, body: { error: { code: 'payload_too_large' } } });
  });

  /** Returns a process's memory in bytes, as reported by Linux. */
  const memory = async (what: 'VmRSS' | 'VmHWM') => {
    const status = await readFile(`/proc/${place.server.child.pid}/status`, 'utf8');
    return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  };

  test.skipIf(!existsSync('/proc/self/clear_refs'))(
    'use only the memory of a few bodies if many such bodies arrive at the same time',
    async () => {
      const before = await memory('VmRSS');
      // Resets the peak memory.
      await writeFile(`/proc/${place.server.child.pid}/clear_refs`, '5');
      const replies = await Promise.all(
        Array.from({ length: repetitions({ usually: 5, thoroughly: 15 }) }).flatMap(() =>
          BOMBS.flatMap((packed) => [bomb(packed, 'own'), bomb(packed, 'otlp')]),
        ),
      );
      for (const { status } of replies) expect([413, 429, 503]).toContain(status);
      // If all bodies (up to 90) were unpacked to the limit of 64 MB each at the same time, they would use up to 5,760 MB.
      expect((await memory('VmHWM')) - before).toBeLessThan(1000 * MB);
      expect((await fetch(`${place.url}/api/health/ready`)).status).toBe(200);
    },
  );
});

const readBack = async (path: string) => {
  const { traces } = await place.client.call(routes.traces.list, { query: { search: path } });
  return (await place.client.call(routes.traces.read, { params: { id: traces[0]?._id ?? '' } })).trace;
};

test('a member name of 512 kB, the maximum length, is stored exactly, also in a nested object', async () => {
  const name = 'n'.repeat(INGEST_LIMITS.nameBytes.max);
  const object = { [name]: { [name]: 'v' } };
  const startTime = new Date().toISOString();
  const step = { stepId: '1', stepName: 'a', startTime, duration: 1, inputs: object };
  const trace = aTrace({ request: { method: 'GET', path: '/names' }, attributes: object, flow: [step] });
  const body = new Uint8Array(gzipSync(JSON.stringify({ traces: [trace] })));
  const reply = await postBody(place, place.apiKey, body, { 'content-encoding': 'gzip' });
  expect(reply.body).toEqual({ accepted: 1, rejected: [] });
  const read = await readBack('/names');
  expect(read.attributes).toEqual(object);
  expect(read.flow[0]?.inputs).toEqual(object);
});

test('a string of 10 MB (1 MB in npm test) is stored exactly', async () => {
  const text = 'ab\\"ü\t'.repeat(repetitions({ usually: 150_000, thoroughly: 1_500_000 }));
  const startTime = new Date().toISOString();
  const step = { stepId: '1', stepName: 'a', startTime, duration: 1, inputs: { text } };
  const trace = aTrace({ request: { method: 'GET', path: '/text' }, flow: [step] });
  const body = new Uint8Array(gzipSync(JSON.stringify({ traces: [trace] })));
  const reply = await postBody(place, place.apiKey, body, { 'content-encoding': 'gzip' });
  expect(reply.body).toEqual({ accepted: 1, rejected: [] });
  expect((await readBack('/text')).flow[0]?.inputs).toEqual({ text });
});

test.runIf(isThorough())('the maximum number of attributes of one object is stored exactly', async () => {
  const most = INGEST_LIMITS.keys.max;
  const count = repetitions({ usually: most / 2, thoroughly: most });
  const attributes = Object.fromEntries(Array.from({ length: count }, (_one, index) => [`k${index}`, index]));
  const trace = aTrace({ request: { method: 'GET', path: '/attributes' }, attributes });
  const body = new Uint8Array(gzipSync(JSON.stringify({ traces: [trace] })));
  const reply = await postBody(place, place.apiKey, body, { 'content-encoding': 'gzip' });
  expect(reply.body).toEqual({ accepted: 1, rejected: [] });
  expect((await readBack('/attributes')).attributes).toEqual(attributes);
});
