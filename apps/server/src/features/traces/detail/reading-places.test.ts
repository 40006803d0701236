import { expect, test } from 'vitest';
import { EXPORTS, LARGE_TRACES, ReadingPlaces } from './reading-places.ts';

test('each user can read one large trace at a time, and does not delay other users', async () => {
  const large = new ReadingPlaces(LARGE_TRACES);
  const entered: string[] = [];
  const enter = (owner: string) =>
    large.enter(owner).then((leave) => {
      entered.push(owner);
      return leave;
    });
  const first = await enter('ada');
  const next = enter('ada');
  const other = await enter('grace');
  const third = enter('alan');
  expect(entered).toEqual(['ada', 'grace']);
  first();
  // Calls `first` a second time, which must have no effect.
  first();
  await next;
  expect(entered).toEqual(['ada', 'grace', 'ada']);
  other();
  await third;
  expect(entered).toEqual(['ada', 'grace', 'ada', 'alan']);
});

test('a user who waits too long for a large trace gets a 503 with Retry-After', async () => {
  const large = new ReadingPlaces({ ...LARGE_TRACES, waitMs: 1 });
  const leave = await large.enter('ada');
  await expect(large.enter('ada')).rejects.toMatchObject({
    code: 'overloaded',
    headers: { 'retry-after': '10' },
  });
  leave();
  await large.enter('ada');
});

test('a user with five waiting reads is rejected immediately, while other users can still wait', async () => {
  const large = new ReadingPlaces(LARGE_TRACES);
  const leave = await large.enter('ada');
  const waiting = Array.from({ length: 5 }, () => large.enter('ada'));
  const sixth = large.enter('ada');
  await expect(sixth).rejects.toMatchObject({ code: 'overloaded', headers: { 'retry-after': '10' } });
  await large.enter('grace');
  leave();
  const [next] = waiting;
  (await next)?.();
  expect(await waiting[1]).toBeTypeOf('function');
});

test('a user can have two concurrent exports and two waiting exports', async () => {
  const exports = new ReadingPlaces(EXPORTS);
  const leave = await exports.enter('ada');
  await exports.enter('ada');
  const waiting = [exports.enter('ada'), exports.enter('ada')];
  await expect(exports.enter('ada')).rejects.toThrow('Too many exports are running at the moment.');
  await exports.enter('grace');
  leave();
  expect(await waiting[0]).toBeTypeOf('function');
});
