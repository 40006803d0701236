import { describe, expect, test } from 'vitest';
import { type FilteredRule, findAlertFilterProblem, formatAlertFilter } from './alert-filter.ts';
import { AlertRuleBody, describeScope } from './alert-rules.ts';

const ANY = { service: null, environment: null, endpoint: null };
const ALL_KINDS = ['error_rate', 'p95', 'no_traffic', 'new_error', 'reopened_error'] as const;

describe('the filter of an alert', () => {
  test('accepts conditions on a request for every kind of alert except insights', () => {
    const filter = 'route:/checkout duration:>1s user:19 release:1.4.2 steps:>=3 -status:404 -instance:w3';
    for (const kind of ALL_KINDS) expect(findAlertFilterProblem({ ...ANY, kind }, filter)).toBeUndefined();
    expect(findAlertFilterProblem({ ...ANY, kind: 'insight' }, '')).toBeUndefined();
  });

  test('accepts steps, attributes and callers for kinds that search only the last minutes', () => {
    const filter = 'step:charge stepStatus:error calls:>=2 attribute:plan:gold caller:search has:caller';
    for (const kind of ['error_rate', 'p95'] as const)
      expect(findAlertFilterProblem({ ...ANY, kind }, filter)).toBeUndefined();
  });

  test.each<[string, Partial<FilteredRule>, number, number, RegExp]>([
    ['route:/a value:charge.total>5', {}, 9, 29, /“value” cannot be used.*too long/],
    ['-value:gold', {}, 0, 11, /“value”/],
    ['id:0192f3c4-5a6b-7c8d-9e0f-112233445566', {}, 0, 39, /“id”.*future/],
    ['route:/a step:charge', { kind: 'no_traffic' }, 9, 20, /“step” can only be used.*error rate or P95/],
    ['attribute:plan', { kind: 'new_error' }, 0, 14, /“attribute”/],
    ['has:caller', { kind: 'reopened_error' }, 0, 10, /“caller”/],
    ['status:5xx', { kind: 'error_rate' }, 0, 10, /“status” would always make/],
    ['checkout', { kind: 'insight' }, 0, 8, /“text”.*no filter/],
    ['service:shop', { service: 'billing' }, 0, 12, /“service” is also set by the service/],
    ['method:POST', { endpoint: 'POST /orders' }, 0, 11, /“method” is also set by the endpoint/],
    ['stauts:5xx', {}, 0, 6, /Did you mean “status”/],
    ['attribute::x', {}, 10, 12, /“:x” is not an attribute/],
  ])('refuses %s for %o, and names the place and the term', (filter, rule, start, end, message) => {
    expect(findAlertFilterProblem({ ...ANY, kind: 'p95', ...rule }, filter)).toMatchObject({
      ...{ start, end },
      message: expect.stringMatching(message),
    });
  });

  test("can exclude values of a field, even if the rule's service, environment or endpoint already restricts the field", () => {
    const rule = { kind: 'error_rate', service: null, environment: null, endpoint: 'POST /orders' } as const;
    expect(findAlertFilterProblem(rule, '-endpoint:/orders -status:404')).toBeUndefined();
  });

  test('is stored in the form in which lists show it', () => {
    expect(formatAlertFilter(' -instance:"w3"  ROUTE:/checkout ')).toBe('route:/checkout -instance:w3');
    expect(formatAlertFilter('  ')).toBeNull();
    expect(formatAlertFilter(null)).toBeNull();
  });

  test('is part of the text that describes the requests of an alert', () => {
    expect(describeScope({ ...ANY, service: 'shop', filter: 'user:19' })).toBe('shop · user:19');
  });
});

test('a rule with an invalid filter is refused, and the error names the position of the mistake', () => {
  const { error } = AlertRuleBody.safeParse({ kind: 'new_error', filter: 'user:19 stauts:5xx' });
  expect(error?.issues).toMatchObject([
    {
      path: ['filter'],
      message: 'filter: Characters 9 to 14: Unknown field “stauts”. Did you mean “status”?',
    },
  ]);
});
