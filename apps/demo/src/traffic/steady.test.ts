import { expect, it } from 'vitest';
import { readHistory } from '../history/history.ts';
import { readFields } from '../input.ts';
import { createRandom } from '../random.ts';
import { generateVisitors } from './steady.ts';

const some = generateVisitors(createRandom(7)).take(600).toArray();

it('the visitors are thirty customers and some guests, from the three countries of the recorded history', async () => {
  const recorded = (await readHistory()).visits.flatMap(({ traces }) => traces);
  const known = new Set(
    recorded.map(({ request }) => readFields(readFields(request).headers)['cf-ipcountry']),
  );
  expect(known.size).toBe(3);
  expect(new Set(some.map(({ country }) => country))).toEqual(known);
  expect(new Set(some.flatMap(({ visit }) => visit.customer?.email ?? [])).size).toBe(30);
});

it('a customer always comes from the same country', () => {
  const countries = Map.groupBy(some, ({ visit }) => visit.customer?.email);
  for (const [email, visits] of countries)
    if (email !== undefined) expect(new Set(visits.map(({ country }) => country)).size).toBe(1);
});
