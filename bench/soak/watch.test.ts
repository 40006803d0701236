import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judge, type Minute, measureSize, percentile, readMemory } from './watch.ts';

const steady: Minute = {
  memoryBytes: 800e6,
  files: 3000,
  bytes: 1,
  acknowledgedMs: [200, 210],
  readMs: [20, 30],
};
const minutes = (count: number, at: (minute: number) => Partial<Minute>) =>
  Array.from({ length: count }, (_minute, index): Minute => ({ ...steady, ...at(index) }));
const notFlat = (all: readonly Minute[]) =>
  judge(all)
    ?.filter(({ flat }) => !flat)
    .map(({ name }) => name);

test('a soak measurement counts as flat if it is stable after the warm-up', () => {
  expect(notFlat(minutes(30, () => ({})))).toEqual([]);
  expect(notFlat(minutes(30, (minute) => (minute < 5 ? { memoryBytes: 1e6, readMs: [900] } : {})))).toEqual(
    [],
  );
  expect(notFlat(minutes(30, (minute) => ({ memoryBytes: 800e6 + (minute % 2) * 90e6 })))).toEqual([]);
  expect(notFlat(minutes(30, (minute) => ({ bytes: minute * 1e9 })))).toEqual([]);
});

test('a soak measurement that grows is reported by name', () => {
  expect(notFlat(minutes(30, (minute) => ({ memoryBytes: 800e6 + minute * 20e6 })))).toEqual(['memory, MB']);
  expect(notFlat(minutes(30, (minute) => ({ files: 3000 + minute * 200 })))).toEqual(['files']);
  expect(notFlat(minutes(30, (minute) => ({ readMs: [20 + minute * 20] })))).toEqual([
    'read, p50 ms',
    'read, p95 ms',
  ]);
  expect(notFlat(minutes(30, (minute) => ({ acknowledgedMs: [200 + minute * 20] })))).toContain(
    'acknowledged, p50 ms',
  );
});

test('a soak of less than eight minutes counts as neither flat nor growing', () => {
  expect(judge(minutes(7, () => ({})))).toBeUndefined();
  expect(judge(minutes(8, () => ({})))).toHaveLength(6);
});

test('a soak measurement without values does not count as flat', () => {
  expect(notFlat(minutes(10, (minute) => (minute > 6 ? { readMs: [] } : {})))).toEqual([
    'read, p50 ms',
    'read, p95 ms',
  ]);
});

test('percentiles are the values at the nearest rank', () => {
  expect(percentile([3, 1, 2], 0.5)).toBe(2);
  expect(percentile([5], 0.99)).toBe(5);
  expect(percentile([], 0.5)).toBeNaN();
});

test("a folder's size includes files at any depth, and a process's memory is measured", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-soak-'));
  await mkdir(join(folder, 'a', 'b'), { recursive: true });
  await writeFile(join(folder, 'one'), 'x'.repeat(10));
  await writeFile(join(folder, 'a', 'b', 'two'), 'x'.repeat(7));
  expect(await measureSize(folder)).toEqual({ files: 2, bytes: 17 });
  await rm(folder, { recursive: true });
  expect(await measureSize(folder)).toEqual({ files: 0, bytes: 0 });
  expect(readMemory(process.pid)).toBeGreaterThan(10e6);
});
