import { expect, test } from 'vitest';
import { createKeptAnswers } from './kept-answers.ts';

/** Counts how often an answer was made. */
function making() {
  let made = 0;
  return async () => {
    made += 1;
    await Promise.resolve();
    return made;
  };
}

test('an answer is made once for the same state, for all who ask meanwhile and later', async () => {
  const kept = createKeptAnswers();
  const make = making();
  expect(await Promise.all([kept.of('overview', 's', make), kept.of('overview', 's', make)])).toEqual([1, 1]);
  expect(await kept.of('overview', 's', make)).toBe(1);
});

test('it is made anew once what it is made of has changed, or changes all the time', async () => {
  const kept = createKeptAnswers();
  const make = making();
  await kept.of('overview', 'before', make);
  expect(await kept.of('overview', 'after a late trace', make)).toBe(2);
  expect(await kept.of('overview', undefined, make)).toBe(3);
  expect(await kept.of('overview', undefined, make)).toBe(4);
  expect(await kept.of('overview', 'after a late trace', make)).toBe(2);
});

test('another key has another answer', async () => {
  const kept = createKeptAnswers();
  const make = making();
  await kept.of('overview', 's', make);
  expect(await kept.of('errors', 's', make)).toBe(2);
});

test('a failure is told to all who asked, and not kept', async () => {
  const kept = createKeptAnswers();
  const fail = () => Promise.reject(new Error('the store is away'));
  const asked = [kept.of('overview', 's', fail), kept.of('overview', 's', making())];
  for (const one of asked) await expect(one).rejects.toThrow('the store is away');
  expect(await kept.of('overview', 's', making())).toBe(1);
});

test('of too many those go first that were not asked for the longest', async () => {
  const kept = createKeptAnswers(2);
  const make = making();
  await kept.of('a', 's', make);
  await kept.of('b', 's', make);
  await kept.of('a', 's', make);
  await kept.of('c', 's', make);
  expect(await kept.of('a', 's', make)).toBe(1);
  expect(await kept.of('b', 's', make)).toBe(4);
});
