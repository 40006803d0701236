import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gunzipSync,
  gzipSync,
  zstdDecompressSync,
} from 'node:zlib';
import { expect, test } from 'vitest';
import { ByteBudget } from '../receive/byte-budget.ts';
import { SmallBodies, type Unpack } from './unpack-small.ts';

const MAX_BYTES = 1024 * 1024;
const sixtyMB = Buffer.alloc(60 * 1024 * 1024, '{},');
/** A Brotli body whose first meta-block is small, so that the body declares a small size. */
const LARGE = brotliCompressSync(sixtyMB, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const SAYS_LARGE = brotliCompressSync(sixtyMB, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
const SMALL = gzipSync('{"traces":[]}');

/** Counts the unpack calls and how many run at the same time. */
function watchedUnpackers() {
  const seen = { calls: 0, running: 0, mostAtOnce: 0 };
  const watched =
    (unpack: (packed: Buffer, limit: { maxOutputLength: number }) => Buffer): Unpack =>
    async (packed, { maxOutputLength }) => {
      seen.calls += 1;
      seen.running += 1;
      seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.running);
      await new Promise(setImmediate);
      try {
        return unpack(packed, { maxOutputLength });
      } finally {
        seen.running -= 1;
      }
    };
  const unpackers = {
    gzip: watched(gunzipSync),
    br: watched(brotliDecompressSync),
    zstd: watched(zstdDecompressSync),
  };
  return { seen, unpackers };
}

test('only a few of many concurrent bodies are unpacked at the same time', async () => {
  const { seen, unpackers } = watchedUnpackers();
  const bodies = new SmallBodies({ atOnce: 2, unpackers });
  const budget = new ByteBudget(80 * 1024 * 1024);
  const results = await Promise.all(
    Array.from({ length: 20 }, () =>
      bodies.unpack(Buffer.from(LARGE), 'br', { share: budget.open('hostile'), maxBytes: MAX_BYTES }),
    ),
  );
  expect(results).toEqual(Array.from({ length: 20 }, () => undefined));
  expect(seen).toEqual({ calls: 20, running: 0, mostAtOnce: 2 });
});

test("a body of one owner waits for only one of another owner's many bodies", async () => {
  const { unpackers } = watchedUnpackers();
  const bodies = new SmallBodies({ atOnce: 1, unpackers });
  const budget = new ByteBudget(80 * 1024 * 1024);
  const order: string[] = [];
  const unpack = async (packed: Buffer, encoding: 'br' | 'gzip', owner: string) => {
    await bodies.unpack(Buffer.from(packed), encoding, { share: budget.open(owner), maxBytes: MAX_BYTES });
    order.push(owner);
  };
  const flood = Array.from({ length: 5 }, () => unpack(LARGE, 'br', 'hostile'));
  await Promise.all([...flood, unpack(SMALL, 'gzip', 'shop')]);
  expect(order.indexOf('shop')).toBeLessThanOrEqual(2);
});

test('a body that waits to be unpacked uses no memory other than that of its own bytes', async () => {
  const { unpackers } = watchedUnpackers();
  const bodies = new SmallBodies({ atOnce: 1, unpackers });
  // The budget has enough memory for unpacking only one body.
  const budget = new ByteBudget(100 * 1024);
  const results = await Promise.all(
    Array.from({ length: 3 }, (_body, index) => {
      const share = budget.open(`owner ${index}`);
      return bodies
        .unpack(Buffer.from(SMALL), 'gzip', { share, maxBytes: MAX_BYTES })
        .finally(() => share.settle(0));
    }),
  );
  expect(results.map(String)).toEqual(Array.from({ length: 3 }, () => '{"traces":[]}'));
});

test('a body that declares a large size is left to a worker thread instead of being unpacked here', async () => {
  const { seen, unpackers } = watchedUnpackers();
  const bodies = new SmallBodies({ unpackers });
  const share = new ByteBudget(80 * 1024 * 1024).open('hostile');
  expect(await bodies.unpack(SAYS_LARGE, 'br', { share, maxBytes: MAX_BYTES })).toBeUndefined();
  expect(seen.calls).toBe(0);
});
