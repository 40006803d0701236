import { expect, test } from 'vitest';
import { LargeAnswers } from './large-answers.ts';

const ENOUGH_MS = 60_000;

test('one reader has four places, and others have theirs meanwhile', async () => {
  const large = new LargeAnswers(ENOUGH_MS);
  const entered: string[] = [];
  const enter = (owner: string) =>
    large.enter(owner).then((leave) => {
      entered.push(owner);
      return leave;
    });
  const first = await enter('ada');
  for (let more = 0; more < 3; more += 1) await enter('ada');
  const next = enter('ada');
  await enter('grace');
  expect(entered).toEqual(['ada', 'ada', 'ada', 'ada', 'grace']);
  first();
  // Left once, however often it is said.
  first();
  await next;
  const last = enter('ada');
  await enter('grace');
  expect(entered.slice(5)).toEqual(['ada', 'grace']);
  (await next)();
  await last;
});

test('a reader who waits too long is told to come again', async () => {
  const large = new LargeAnswers(1);
  const leaves = await Promise.all(Array.from({ length: 4 }, () => large.enter('ada')));
  await expect(large.enter('ada')).rejects.toMatchObject({
    code: 'overloaded',
    headers: { 'retry-after': '10' },
  });
  for (const leave of leaves) leave();
  await large.enter('ada');
});
