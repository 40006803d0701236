import { expect, test } from 'vitest';
import { refuseTooSmall } from './plan-change.ts';

test('the error of a plan that is too small names every limit that current usage exceeds, with the number of things to remove', () => {
  expect(() => refuseTooSmall('pro', { members: 17, projects: 6 })).toThrow(
    'Pro includes 15 members and 5 projects, and you have 17 members and 6 projects. Remove 2 members and 1 project first.',
  );
  expect(() => refuseTooSmall('free_trial', { members: 1, projects: 2 })).toThrow(
    'Free Trial includes 1 project, and you have 2 projects. Remove 1 project first.',
  );
  expect(() => refuseTooSmall('pro', { members: 15, projects: 5 })).not.toThrow();
});
