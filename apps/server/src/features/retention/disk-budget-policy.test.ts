import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planEviction } from './disk-budget-policy.ts';

const GB = 1024 ** 3;
const disk = (freeBytes: number) => ({ freeBytes, totalBytes: 100 * GB });

test.each([
  [
    'nothing is evicted within the budget on a disk with enough space',
    10 * GB,
    disk(50 * GB),
    20 * GB,
    { kind: 'enough' },
  ],
  [
    'traces of every kind are evicted above a configured budget, whatever the free space',
    20 * GB,
    disk(50 * GB),
    10 * GB,
    { allowedBytes: 10 * GB, kinds: ['quick', 'slow', 'failed'] },
  ],
  [
    'traces are evicted above a configured budget if the disk is on another machine',
    20 * GB,
    undefined,
    10 * GB,
    { allowedBytes: 10 * GB },
  ],
  [
    'traces that did not fail are evicted if the disk has too little free space',
    20 * GB,
    disk(0.5 * GB),
    undefined,
    { allowedBytes: 19.5 * GB, kinds: ['quick', 'slow'] },
  ],
  [
    'a twentieth of a small disk is reserved',
    4 * GB,
    { freeBytes: 0.1 * GB, totalBytes: 10 * GB },
    undefined,
    { allowedBytes: 3.6 * GB },
  ],
  [
    'evicting is not enough if other files fill the disk',
    1 * GB,
    disk(0),
    undefined,
    { kind: 'helpless', missingBytes: 1 * GB },
  ],
  [
    'evicting is not enough if other files fill the disk and no traces are stored',
    0,
    disk(0),
    undefined,
    { kind: 'helpless' },
  ],
] as const)('%s', (_what, used, space, max, expected) => {
  expect(planEviction(used, space, max)).toMatchObject(expected);
});

const bytes = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: 0, max: 3 * GB }),
  fc.integer({ min: 0, max: 2 ** 45 }),
);

test('for any sizes, traces are evicted if they exceed the budget or occupy the disk reserve, and at most half of the traces are evicted for the reserve', () => {
  fc.assert(
    fc.property(bytes, bytes, bytes, fc.option(bytes), fc.boolean(), (used, free, others, max, isRemote) => {
      const space = { freeBytes: free, totalBytes: free + others };
      const room = planEviction(used, isRemote ? undefined : space, max ?? undefined);
      // A twentieth of the disk is reserved, at most 1 GiB. To avoid fractions, `reserved` and `missing` are in twentieths of a byte.
      const reserved = Math.min(20 * GB, space.totalBytes);
      const missing = isRemote ? 0 : reserved - 20 * free;
      if (max !== null && used > max) {
        expect(room).toEqual({
          kind: 'drop',
          allowedBytes: max,
          targetBytes: expect.closeTo((max * 9) / 10, 1),
          kinds: ['quick', 'slow', 'failed'],
        });
      } else if (missing <= 0) {
        expect(room).toEqual({ kind: 'enough' });
      } else if (2 * missing > 20 * used) {
        expect(room).toEqual({ kind: 'helpless', missingBytes: expect.closeTo(missing / 20, 1) });
      } else {
        const allowed = 20 * used - missing;
        const target = Math.max(9 * allowed, 100 * used) / 200;
        expect(room).toEqual({
          kind: 'drop',
          allowedBytes: expect.closeTo(allowed / 20, 1),
          targetBytes: expect.closeTo(target, 1),
          kinds: ['quick', 'slow'],
        });
      }
    }),
    { numRuns: 1000 },
  );
});
