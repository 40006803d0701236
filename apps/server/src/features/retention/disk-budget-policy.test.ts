import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planEviction } from './disk-budget-policy.ts';

const GB = 1024 ** 3;
/** Builds a disk of 100 GB with `freeBytes` free. */
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

const bytes = fc.integer({ min: 0, max: 2 ** 45 });

test('freeing a full disk evicts at most half of the traces, and no failed traces', () => {
  fc.assert(
    fc.property(bytes, bytes, bytes, (usedBytes, freeBytes, more) => {
      const room = planEviction(usedBytes, { freeBytes, totalBytes: freeBytes + more }, undefined);
      if (room.kind !== 'drop') return;
      expect(room.targetBytes).toBeGreaterThanOrEqual(usedBytes / 2);
      expect(room.kinds).not.toContain('failed');
    }),
  );
});

test('a configured disk budget is enforced to the byte', () => {
  fc.assert(
    fc.property(bytes, bytes, bytes, (usedBytes, freeBytes, maxBytes) => {
      const room = planEviction(usedBytes, { freeBytes, totalBytes: freeBytes + usedBytes }, maxBytes);
      if (usedBytes > maxBytes) expect(room).toMatchObject({ kind: 'drop', allowedBytes: maxBytes });
    }),
  );
});
