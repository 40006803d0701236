import { expect, test } from 'vitest';
import { gradeReach } from './grade-reach.ts';

const ALL = { users: 1000, requests: 50_000 };

test.each([
  ['a fifth of the users are affected', 'medium', { users: 200, requests: 300 }, 'high'],
  ['a fifth of the requests are affected', 'low', { users: 0, requests: 10_000 }, 'medium'],
  ['most users are affected', 'high', { users: 900, requests: 40_000 }, 'high'],
] as const)(
  'the severity of a finding is one level higher, but at most high, if %s',
  (_, severity, affected, graded) => {
    expect(gradeReach(severity, affected, ALL)).toBe(graded);
  },
);

test.each([
  ['less than 1 % of the users and requests are affected', 'high', { users: 3, requests: 20 }, 'medium'],
  ['a single request and no user are affected', 'low', { users: 0, requests: 1 }, 'low'],
] as const)(
  'the severity of a finding is one level lower, but at least low, if %s',
  (_, severity, affected, graded) => {
    expect(gradeReach(severity, affected, ALL)).toBe(graded);
  },
);

test('a finding keeps its severity if the affected share is neither small nor large', () => {
  expect(gradeReach('high', { users: 15, requests: 100 }, ALL)).toBe('high');
  expect(gradeReach('low', { users: 190, requests: 9000 }, ALL)).toBe('low');
});

test('the affected share of users counts only from 10 users on, and the share of requests only from 100 requests on', () => {
  expect(gradeReach('medium', { users: 1, requests: 10 }, { users: 1, requests: 99 })).toBe('medium');
  expect(gradeReach('medium', { users: 1, requests: 10 }, { users: 1, requests: 500 })).toBe('medium');
  expect(gradeReach('medium', { users: 5, requests: 10 }, { users: 10, requests: 99 })).toBe('high');
});
