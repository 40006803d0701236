import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBugs } from './bug.ts';
import { saysValue } from './observe.ts';

test('there are at least thirty bugs, each with a service and the file of the cause', () => {
  const bugs = readBugs();
  expect(bugs.length).toBeGreaterThanOrEqual(30);
  for (const { folder, cause } of bugs) {
    expect(existsSync(join(folder, 'service.mjs')), folder).toBe(true);
    expect(existsSync(join(folder, cause.file)), `${folder}: ${cause.file}`).toBe(true);
  }
});

const cause = { function: 'taxFor', value: 'entry', wrong: 'undefined' };

test.each([
  ['entry undefined', cause, true],
  ['`country` is "UK" instead of "GB" in `taxFor`, then `entry` is undefined', cause, true],
  ['entry { rate: 0.2 }', cause, false],
  ['undefined', cause, false],
  ['`taxFor` returned undefined instead of { rate: 0.2 }', cause, true],
  ['`taxFor` returned NaN instead of 20', { ...cause, value: 'return value', wrong: 'NaN' }, true],
  ['total 3', { ...cause, value: 'order.total', wrong: '3' }, true],
])('the line %j names the wrong value of the cause %j: %j', (line, of, says) => {
  expect(saysValue(line, of)).toBe(says);
});
