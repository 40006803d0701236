import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readDeclaredSize } from './declared-size.ts';

const brotli = (bytes: Buffer, window: number) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_LGWIN]: window, [constants.BROTLI_PARAM_QUALITY]: 5 },
  });

test.each([10, 16, 17, 18, 22, 24])(
  'a small brotli body with a window of 2^%i declares its size',
  (window) => {
    expect(readDeclaredSize(brotli(Buffer.from('{"traces":[]}'), window), 'br')).toBe(13);
  },
);

test('a brotli body of 60 MB in 230 bytes declares that it is large', () => {
  const packed = brotli(Buffer.alloc(60 * 1024 * 1024, '{},'), 24);
  expect(packed.length).toBeLessThan(300);
  expect(readDeclaredSize(packed, 'br')).toBe(16 * 1024 * 1024);
});

test('a gzip body of several members declares the size of its last member only', () => {
  const members = Buffer.concat([gzipSync('a'.repeat(100)), gzipSync('b'.repeat(7))]);
  expect(readDeclaredSize(members, 'gzip')).toBe(7);
});

test('an empty, truncated or uncompressed body declares no size', () => {
  expect(readDeclaredSize(Buffer.alloc(0), 'gzip')).toBe(0);
  expect(readDeclaredSize(gzipSync('{}').subarray(0, 10), 'gzip')).toBe(0);
  expect(readDeclaredSize(brotli(Buffer.alloc(0), 22), 'br')).toBe(0);
  expect(readDeclaredSize(Buffer.from('{"traces":[]}'), 'identity')).toBe(0);
});
