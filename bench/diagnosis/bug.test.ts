import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BUG_SETS, readBugs } from './bug.ts';
import { saysValue } from './observe.ts';

test.each([
  ['bugs', 30],
  ['held-out', 14],
  ['fresh', 15],
  ['spent', 45],
  ['unseen', 15],
] as const)(
  'the set %s has at least %d bugs, each with a service and the function that causes the bug',
  (set, count) => {
    const bugs = readBugs(set);
    expect(bugs.length).toBeGreaterThanOrEqual(count);
    for (const { folder, cause } of bugs) {
      expect(existsSync(join(folder, 'service.mjs')), folder).toBe(true);
      expect(readFileSync(join(folder, cause.file), 'utf8'), folder).toContain(cause.function);
    }
  },
);

test('no two bugs have the same name, not even in different sets', () => {
  const names = BUG_SETS.flatMap((set) => readBugs(set).map(({ name }) => name));
  expect(names).toEqual([...new Set(names)]);
});

test.each([
  ['fresh', ['wrong']],
  ['spent', ['wrong', 'slow']],
  ['unseen', ['wrong', 'slow']],
] as const)(
  'in the set %s, the failing requests of at least half of the bugs (rounded down) have a status of success; the symptoms of these bugs are %j',
  (set, symptoms) => {
    const bugs = readBugs(set);
    const answered = bugs.filter(({ failing }) => failing.expect.status < 300);
    expect(new Set(answered.map(({ symptom }) => symptom))).toEqual(new Set(symptoms));
    expect(answered.length).toBeGreaterThanOrEqual(Math.floor(bugs.length / 2));
  },
);

const cause = { function: 'taxFor', value: 'entry', wrong: 'undefined' };

test.each([
  ['entry undefined', cause, true],
  ['`country` is "UK" instead of "GB" in `taxFor`, then `entry` is undefined', cause, true],
  ['entry { rate: 0.2 }', cause, false],
  ['undefined', cause, false],
  ['`taxFor` returned undefined instead of { rate: 0.2 }', cause, true],
  ['`taxFor` returned NaN instead of 20', { ...cause, value: 'return value', wrong: 'NaN' }, true],
  ['total 3', { ...cause, value: 'order.total', wrong: '3' }, true],
])('the line %j, for the cause %j, counts as naming the wrong value: %j', (line, of, says) => {
  expect(saysValue(line, of)).toBe(says);
});
