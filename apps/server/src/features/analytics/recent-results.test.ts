import { expect, test } from 'vitest';
import { createRecentResults } from './recent-results.ts';

const START_MS = Date.parse('2026-11-21T12:00:00Z');

/** Creates a cache whose computations return 1, 2, 3… Results of `small` or more count as quick to compute and are not cached. */
function makeScene({ small = Number.POSITIVE_INFINITY } = {}) {
  const errors: unknown[] = [];
  const results = createRecentResults<number>({
    count: 10,
    isKept: (answer) => answer < small,
    onError: (error) => errors.push(error),
  });
  let made = 0;
  const scene = {
    errors,
    state: 'unchanged' as string | undefined,
    failure: undefined as Error | undefined,
    countMade: () => made,
    /** Requests the result at the given minute after the start. */
    ask: async (minute: number, { key = 'week', isFresh = false } = {}) => {
      const found = await results.find({
        ...{ key, isFresh, now: new Date(START_MS + minute * 60_000) },
        readState: async () => scene.state,
        make: async () => {
          if (scene.failure !== undefined) throw scene.failure;
          made += 1;
          return made;
        },
      });
      return { answer: found.answer, minute: (found.at.getTime() - START_MS) / 60_000 };
    },
  };
  return scene;
}

test('a cached result is used for up to ten minutes, and is returned with the time at which it was computed', async () => {
  const { ask } = makeScene();
  expect(await ask(0)).toEqual({ answer: 1, minute: 0 });
  expect(await ask(4)).toEqual({ answer: 1, minute: 0 });
  expect(await ask(15)).toEqual({ answer: 2, minute: 15 });
});

test('a result older than five minutes is returned to all callers, and is computed again only once', async () => {
  const { ask, countMade } = makeScene();
  await ask(0);
  expect(await Promise.all([ask(6), ask(6), ask(7)])).toEqual([
    { answer: 1, minute: 0 },
    { answer: 1, minute: 0 },
    { answer: 1, minute: 0 },
  ]);
  await expect.poll(() => ask(8)).toEqual({ answer: 2, minute: 6 });
  expect(countMade()).toBe(2);
});

test('a result is computed again if the data that it was computed from has changed, or is still changing', async () => {
  const scene = makeScene();
  await scene.ask(0);
  scene.state = 'after a deletion';
  expect(await scene.ask(1)).toEqual({ answer: 2, minute: 1 });
  scene.state = undefined;
  expect(await scene.ask(2)).toEqual({ answer: 3, minute: 2 });
  expect(await scene.ask(3)).toEqual({ answer: 4, minute: 3 });
});

test('a request for a fresh result gets a new result, which later requests get from the cache', async () => {
  const { ask } = makeScene();
  await ask(0);
  expect(await ask(1, { isFresh: true })).toEqual({ answer: 2, minute: 1 });
  expect(await ask(2)).toEqual({ answer: 2, minute: 1 });
});

test('a result that is quick to compute is computed each time', async () => {
  const { ask } = makeScene({ small: 1 });
  expect([await ask(0), await ask(0)].map(({ answer }) => answer)).toEqual([1, 2]);
});

test('results of different keys are cached separately, and a result is not used if the clock was set back to before its computation', async () => {
  const { ask } = makeScene();
  await ask(0);
  expect((await ask(0, { key: 'month' })).answer).toBe(2);
  expect((await ask(-1)).answer).toBe(3);
});

test('an error of a background computation is reported, and a request after ten minutes fails instead of getting the old result', async () => {
  const scene = makeScene();
  await scene.ask(0);
  scene.failure = new Error('the store does not respond');
  expect(await scene.ask(6)).toEqual({ answer: 1, minute: 0 });
  await expect.poll(() => scene.errors).toEqual([scene.failure]);
  await expect(scene.ask(11)).rejects.toThrow('the store does not respond');
  scene.failure = undefined;
  expect((await scene.ask(12)).answer).toBe(2);
});

test('a result that had to be fresh is not cached if no result was cached before', async () => {
  const { ask } = makeScene();
  expect(await ask(0, { isFresh: true })).toEqual({ answer: 1, minute: 0 });
  expect(await ask(1)).toEqual({ answer: 2, minute: 1 });
});
