import { expect, test } from 'vitest';
import { createResultCache } from './result-cache.ts';

/** Creates a cache for `count` results, each with the size that `measure` returns. */
function keeping(count = 200, measure: (answer: number) => number = () => 1) {
  return createResultCache({ count, measure, total: 1000 });
}

/** Creates a function that computes a result: the number of computations so far. */
function making() {
  let made = 0;
  return async () => {
    made += 1;
    await Promise.resolve();
    return made;
  };
}

test('a result is computed once for concurrent and later callers as long as the data stays the same', async () => {
  const kept = keeping();
  const make = making();
  expect(await Promise.all([kept.find('overview', 's', make), kept.find('overview', 's', make)])).toEqual([
    1, 1,
  ]);
  expect(await kept.find('overview', 's', make)).toBe(1);
});

test('a cached result is computed again when its data changed or keeps changing', async () => {
  const kept = keeping();
  const make = making();
  await kept.find('overview', 'before', make);
  expect(await kept.find('overview', 'after a late trace', make)).toBe(2);
  expect(await kept.find('overview', undefined, make)).toBe(3);
  expect(await kept.find('overview', undefined, make)).toBe(4);
  expect(await kept.find('overview', 'after a late trace', make)).toBe(2);
});

test('results of different keys are cached separately', async () => {
  const kept = keeping();
  const make = making();
  await kept.find('overview', 's', make);
  expect(await kept.find('errors', 's', make)).toBe(2);
});

test('a failed computation rejects for all waiting callers, and is not cached', async () => {
  const kept = keeping();
  const fail = () => Promise.reject(new Error('the store is away'));
  const asked = [kept.find('overview', 's', fail), kept.find('overview', 's', making())];
  for (const one of asked) await expect(one).rejects.toThrow('the store is away');
  expect(await kept.find('overview', 's', making())).toBe(1);
});

test('above the limit on the number of results, the least recently used results are removed first', async () => {
  const kept = keeping(2);
  const make = making();
  await kept.find('a', 's', make);
  await kept.find('b', 's', make);
  await kept.find('a', 's', make);
  await kept.find('c', 's', make);
  expect(await kept.find('a', 's', make)).toBe(1);
  expect(await kept.find('b', 's', make)).toBe(4);
});

test('results whose total size is above the limit are not all cached', async () => {
  const kept = keeping(200, () => 400);
  const make = making();
  for (const key of ['a', 'b', 'c']) await kept.find(key, 's', make);
  expect(await kept.find('c', 's', make)).toBe(3);
  expect(await kept.find('b', 's', make)).toBe(2);
  expect(await kept.find('a', 's', make)).toBe(4);
});

test('a result above the size limit is computed each time, and displaces no other result', async () => {
  const kept = keeping(200, (made) => (made === 1 ? 1001 : 500));
  const make = making();
  await kept.find('huge', 's', make);
  await kept.find('small', 's', make);
  expect(await kept.find('huge', 's', make)).toBe(3);
  expect(await kept.find('small', 's', make)).toBe(2);
});
