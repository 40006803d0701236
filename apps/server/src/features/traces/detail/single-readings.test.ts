import { expect, test } from 'vitest';
import { SingleReadings } from './single-readings.ts';

const LARGE = 'too large';
const tooLarge = () => Promise.reject(new Error('TOO_MANY_ROWS_OR_BYTES'));

test('of many concurrent reads of one large trace, only the first read tries to load the trace in one piece', async () => {
  const readings = new SingleReadings();
  let tries = 0;
  const read = () => {
    tries += 1;
    return tooLarge();
  };
  const found = await Promise.all(Array.from({ length: 50 }, () => readings.read('ada 1', read, LARGE)));
  expect(found).toEqual(Array.from({ length: 50 }, () => LARGE));
  expect(tries).toBe(1);
  expect(await readings.read('ada 1', read, LARGE)).toBe(LARGE);
  expect(tries).toBe(1);
});

test("each of several concurrent reads of a small trace has its own result, and does not depend on another user's read", async () => {
  const readings = new SingleReadings();
  let tries = 0;
  const read = async () => {
    tries += 1;
    return tries;
  };
  const found = await Promise.all([
    readings.read('ada 1', read, LARGE),
    readings.read('ada 1', read, LARGE),
    readings.read('grace 1', tooLarge, LARGE),
    readings.read('ada 1', read, LARGE),
  ]);
  expect(found).toEqual([1, 2, LARGE, 3]);
});

test('a failed read does not affect a concurrent read of the same trace', async () => {
  const readings = new SingleReadings();
  const failing = readings.read('ada 1', () => Promise.reject(new Error('not found')), LARGE);
  const next = readings.read('ada 1', async () => 'found', LARGE);
  await expect(failing).rejects.toThrow('not found');
  expect(await next).toBe('found');
});
