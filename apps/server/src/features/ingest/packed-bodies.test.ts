import { randomBytes } from 'node:crypto';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { aTrace, postBody } from '@throughline/testkit';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { pickRows } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';

const scene = sceneOfEachTest();

/**
 * Values that are larger than the chunks in which bodies are unpacked, and that compress to a sixth of their size. They contain no digits,
 * because sixteen digits could be a card number.
 */
const values = Array.from(
  { length: 6000 },
  () => `${randomBytes(8).toString('hex').replaceAll(/\d/g, 'g')} ${'of an order '.repeat(15)}`,
);
const json = Buffer.from(
  JSON.stringify({ service: { name: 'shop' }, traces: [aTrace({ attributes: { values } })] }),
);
const half = Math.floor(json.length / 2);

test.each(
  pickRows(
    [
      ['gzip', gzipSync(json), 'gzip'],
      [
        'gzip of several members',
        Buffer.concat([gzipSync(json.subarray(0, half)), gzipSync(json.subarray(half))]),
        'gzip',
      ],
      [
        'gzip whose last member is small',
        Buffer.concat([gzipSync(json.subarray(0, -10)), gzipSync(json.subarray(-10))]),
        'gzip',
      ],
      ['brotli', brotliCompressSync(json), 'br'],
      ['zstd', zstdCompressSync(json), 'zstd'],
      ['nothing', json, 'identity'],
    ],
    { usually: 2 },
  ),
)('a body of 1.2 MB packed with %s is stored as it was sent', async (_name, packed, encoding) => {
  const { apiKey } = scene.project;
  const { status } = await postBody(scene.server, apiKey, new Uint8Array(packed), {
    'content-encoding': encoding,
  });
  expect(status).toBe(200);
  expect((await scene.onlyTrace()).attributes).toEqual({ values });
});

test('a gzip body with a wrong size is refused', async () => {
  const packed = gzipSync(json);
  packed.writeUInt32LE(json.length + 1, packed.length - 4);
  const headers = { 'content-encoding': 'gzip' };
  expect(await postBody(scene.server, scene.project.apiKey, new Uint8Array(packed), headers)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_encoding' } },
  });
});
