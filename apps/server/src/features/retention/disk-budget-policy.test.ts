import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planEviction } from './disk-budget-policy.ts';

const GB = 1024 ** 3;
/** Builds a disk of 100 GB with `freeBytes` free. */
const disk = (freeBytes: number) => ({ freeBytes, totalBytes: 100 * GB });

test.each([
  ['within both', 10 * GB, disk(50 * GB), 20 * GB, { kind: 'enough' }],
  [
    'beyond what was set, whatever the disk has',
    20 * GB,
    disk(50 * GB),
    10 * GB,
    { allowedBytes: 10 * GB, kinds: ['quick', 'slow', 'failed'] },
  ],
  ['beyond what was set, on a disk elsewhere', 20 * GB, undefined, 10 * GB, { allowedBytes: 10 * GB }],
  [
    'as much as the disk has',
    20 * GB,
    disk(0.5 * GB),
    undefined,
    { allowedBytes: 19.5 * GB, kinds: ['quick', 'slow'] },
  ],
  [
    'the reserve of a small disk is a twentieth',
    4 * GB,
    { freeBytes: 0.1 * GB, totalBytes: 10 * GB },
    undefined,
    { allowedBytes: 3.6 * GB },
  ],
  [
    'a disk that something else filled',
    1 * GB,
    disk(0),
    undefined,
    { kind: 'helpless', missingBytes: 1 * GB },
  ],
  ['the same, with nothing stored', 0, disk(0), undefined, { kind: 'helpless' }],
] as const)('%s', (_what, used, space, max, expected) => {
  expect(planEviction(used, space, max)).toMatchObject(expected);
});

const bytes = fc.integer({ min: 0, max: 2 ** 45 });

test('freeing a full disk never evicts more than half of the traces, and never failed ones', () => {
  fc.assert(
    fc.property(bytes, bytes, bytes, (usedBytes, freeBytes, more) => {
      const room = planEviction(usedBytes, { freeBytes, totalBytes: freeBytes + more }, undefined);
      if (room.kind !== 'drop') return;
      expect(room.targetBytes).toBeGreaterThanOrEqual(usedBytes / 2);
      expect(room.kinds).not.toContain('failed');
    }),
  );
});

test('a configured budget is enforced exactly', () => {
  fc.assert(
    fc.property(bytes, bytes, bytes, (usedBytes, freeBytes, maxBytes) => {
      const room = planEviction(usedBytes, { freeBytes, totalBytes: freeBytes + usedBytes }, maxBytes);
      if (usedBytes > maxBytes) expect(room).toMatchObject({ kind: 'drop', allowedBytes: maxBytes });
    }),
  );
});
