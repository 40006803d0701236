import { describe, expect, test } from 'vitest';
import { HOUR_MS } from './habits.ts';
import { countFalseAlarms, type Finding, judgeFindings } from './oracle.ts';
import { FAILING, NEW_ERROR, SLOWER, type Truth } from './problem.ts';

const START_MS = Date.parse('2026-03-04T08:00:00Z');
const endpoint = { method: 'GET', path: '/search' };
const slower: Truth = {
  kind: 'slowCountry',
  endpoints: [endpoint],
  names: ['FR', 'France'],
  words: SLOWER,
  startMs: START_MS,
  toleranceHours: 12,
};
const dependency: Truth = {
  ...slower,
  kind: 'failingDependency',
  names: ['payments.example'],
  words: FAILING,
};

const toInstant = (hours: number) => new Date(START_MS + hours * HOUR_MS).toISOString();
const right: Finding = {
  id: '1',
  kind: 'slower',
  title: 'GET /search is slower in France',
  detail: 'P95 rose from 90 to 350 ms',
  severity: 'high',
  service: 'shop',
  endpoint,
  since: toInstant(0.5),
};
const noise: Finding = {
  ...right,
  kind: 'newError',
  title: 'POST /orders has a new error',
  endpoint: { method: 'POST', path: '/orders' },
};

test('a problem counts as found if the list contains the right finding, and the hours between the starts of the problem and of the finding are returned', () => {
  expect(judgeFindings(slower, [noise, right])).toEqual({ found: true, startErrorHours: 0.5, others: 1 });
});

test('a finding is accepted even if it names the affected part of the requests only in its link to the traces', () => {
  const linked = { ...right, title: 'GET /search is slower', traces: { country: 'FR' } };
  expect(judgeFindings(slower, [linked]).found).toBe(true);
});

test.each([
  ['is about another endpoint', { endpoint: { method: 'GET', path: '/account' } }],
  ['has another kind and title', { kind: 'newError', title: 'GET /search fails in France' }],
  ['does not name the part', { title: 'GET /search is slower' }],
  ['has the letters of the part in another word', { title: 'GET /search is slower', detail: 'FROM 1 to 2' }],
  ['begins two days before', { since: toInstant(-48) }],
  ['begins a day after', { since: toInstant(24) }],
])('a problem counts as not found if the only similar finding %s', (_how, wrong: Partial<Finding>) => {
  const others = [{ ...right, ...wrong }, noise];
  expect(judgeFindings(slower, others)).toEqual({ found: false, startErrorHours: null, others: 2 });
});

test('a problem counts as not found if the list of findings is empty', () => {
  expect(judgeFindings(slower, [])).toEqual({ found: false, startErrorHours: null, others: 0 });
});

test('a finding that names the right dependency counts even without an endpoint', () => {
  const about = {
    ...right,
    kind: 'dependency',
    title: 'Calls from orders to payments.example fail',
    endpoint: null,
  };
  expect(judgeFindings(dependency, [about]).found).toBe(true);
  expect(
    judgeFindings(dependency, [{ ...about, title: 'Calls from orders to mail.example fail' }]).found,
  ).toBe(false);
});

test('a finding without an endpoint counts only if its text names the path or an equivalent', () => {
  const truth: Truth = { ...slower, names: [], words: FAILING, insteadOfEndpoint: 'was declined' };
  const about = { ...right, endpoint: null, kind: 'newError' };
  const isFound = (title: string) => judgeFindings(truth, [{ ...about, title }]).found;
  expect(isFound('Card … was declined fails more')).toBe(true);
  expect(isFound('/search fails more')).toBe(true);
  expect(isFound('/search/terms fails more')).toBe(false);
});

describe('an error whose message differs from request to request', () => {
  const truth: Truth = {
    ...slower,
    kind: 'errorWithQuotes',
    names: ['cannot be combined'],
    words: NEW_ERROR,
    onlyOne: true,
    differing: ['fragile', 'example.com'],
  };
  const finding = { ...right, endpoint: null, kind: 'newError', title: 'Coupon … cannot be combined' };
  const isFound = (...findings: readonly Finding[]) => judgeFindings(truth, findings).found;

  test('is found if one new error has the words that all messages have in common', () => {
    expect(isFound(finding)).toBe(true);
  });

  test('is found even if the list also has a finding of another kind about the same endpoint', () => {
    expect(isFound(finding, { ...right, kind: 'changed', title: 'GET /search fails more' })).toBe(true);
  });

  test('is not found if there is a second new error', () => {
    expect(isFound(finding, { ...finding, title: 'Coupon … cannot be combined today' })).toBe(false);
    expect(isFound(finding, { ...finding, title: 'Internal Server Error' })).toBe(false);
  });

  test('is not found if the title of the finding contains a text that differs from request to request', () => {
    expect(isFound({ ...finding, title: 'Coupon "fragile" cannot be combined' })).toBe(false);
    expect(isFound({ ...finding, title: '…@example.com cannot be combined' })).toBe(false);
  });

  test('is not found by a finding that is not about a new error', () => {
    expect(isFound({ ...finding, kind: 'changed' })).toBe(false);
  });
});

test('each finding about a healthy project is a false alarm', () => {
  expect(countFalseAlarms([right, { ...noise, severity: 'low' }])).toEqual({ any: 2, high: 1 });
  expect(countFalseAlarms([])).toEqual({ any: 0, high: 0 });
});
