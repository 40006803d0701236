import { expect, it } from 'vitest';
import { failsUnusually } from './unusual-failures.ts';

it.each([
  ['more than all others', [10, 5], [100, 5], true],
  ['as often as the others', [10, 5], [100, 50], false],
  ['less than twice as often as the others', [100, 50], [200, 80], false],
  ['often, but is the only group', [10, 10], [10, 10], false],
  ['always, like every other group', [10, 10], [100, 100], false],
  ['only two times', [2, 2], [100, 2], false],
  ['rarely, while the others never fail', [1000, 10], [5000, 10], false],
  ['never', [10, 0], [100, 0], false],
])(
  'a group that fails %s, with [requests, failures] of %j in the group and %j in total, is unusual: %s',
  (_what, [count = 0, errors = 0], [total = 0, all = 0], unusual) => {
    const group = { count, errors, errorRate: (100 * errors) / count };
    expect(failsUnusually(group, { total, errors: all })).toBe(unusual);
  },
);
