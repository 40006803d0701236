import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StepType } from '../ingest.ts';
import { parseAttributeTerm } from './attribute-term.ts';
import { formatTraceQuery, listQueryTerms } from './format-query.ts';
import { describeProblem, parseTraceQuery } from './parse-query.ts';
import { PlainTraceFilters } from './plain-filters.ts';
import type { QueryFilters } from './query-field.ts';
import { parseValueCondition } from './value-condition.ts';

/** Strings of all characters and words that have a meaning in the query language. */
const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  fc.constantFrom(
    'a b',
    '"',
    '\\',
    '\\"',
    '-x',
    '-user:1',
    'status:5xx',
    ':',
    ' ',
    '\n',
    '\u00a0',
    '>1s',
    '"a" b',
  ),
);
const ms = fc.integer({ min: 0, max: 999_999_999_999_999 }).map((micros) => micros / 1000);
const count = fc.integer({ min: 0, max: 999_999 });
const method = fc.stringMatching(/^[A-Z]{3,10}$/).filter((name) => name !== 'ALL');
const country = fc.stringMatching(/^[A-Z]{2}$/);
const statusClass = fc.constantFrom('2xx', '3xx', '4xx', '5xx', 'other');
const outcome = fc.constantFrom('success', 'error');
const code = fc.integer({ min: 0, max: 999 });
const value = fc.oneof(
  text.filter((written) => parseValueCondition(written).problem === undefined),
  fc.constantFrom('charge.order.totalCents>50000', 'country=UK', 'city="New York"', '"a=b"', 'total<=-1.5e3'),
);
const attribute = fc.oneof(
  text.filter((written) => parseAttributeTerm(written) !== undefined),
  fc.constantFrom('plan', 'plan:gold', '"a:b":c', 'plan:', 'http.route:/orders/:id'),
);
const known = fc.constantFrom('known', 'unknown');
const named = fc.constantFrom('named', 'unnamed');

const errorIds = fc
  .array(fc.uuid(), { minLength: 1, maxLength: 5 })
  .map((ids) => ids.map((id) => id.replaceAll('-', '')).join(','));

const some = <Value>(value: fc.Arbitrary<Value>) => fc.uniqueArray(value, { minLength: 1, maxLength: 3 });
const excluded = fc.record(
  {
    status: some(outcome),
    statusCode: some(code),
    statusClass: some(statusClass),
    method: some(method),
    country: some(country),
    value: fc.tuple(value),
    attribute: some(attribute),
    errorIds: some(errorIds),
    ...Object.fromEntries(
      [
        ...[
          'route',
          'service',
          'environment',
          'release',
          'instance',
          'user',
          'session',
          'endpoint',
          'feature',
        ],
        ...['errorGroup', 'errorText', 'stepName'],
      ].map((name) => [name, some(text)]),
    ),
  },
  { requiredKeys: [] },
);

const singles = {
  status: outcome,
  statusCode: code,
  statusClass,
  method,
  country,
  search: text,
  attribute,
  value,
  route: text,
  minDuration: ms,
  maxDuration: ms,
  service: text,
  services: named,
  environment: text,
  release: text,
  instance: text,
  caller: text,
  callers: named,
  users: known,
  user: text,
  session: text,
  endpoint: text,
  feature: text,
  errorGroup: text,
  errorIds,
  errorText: text,
  stepName: text,
  stepType: fc.constantFrom(...StepType.options),
  stepStatus: outcome,
  dependency: text,
  minCalls: count.map((calls) => Math.max(1, calls)),
  minSteps: count,
  maxSteps: count,
  requests: fc.array(fc.uuid(), { minLength: 1, maxLength: 5 }).map((ids) => ids.join(',')),
};

const filters = fc
  .tuple(fc.record(singles, { requiredKeys: [] }), excluded)
  .map(
    ([single, without]) =>
      ({ ...single, ...(Object.keys(without).length > 0 && { excluded: without }) }) as QueryFilters,
  );

describe('the filter language', () => {
  it('has a field for every filter of the API', () => {
    const { projectId: _project, ...names } = PlainTraceFilters.shape;
    expect(Object.keys(singles).sort()).toEqual(Object.keys(names).sort());
  });

  it('parses formatted filters back to the same filters', () => {
    fc.assert(
      fc.property(filters, (given) => {
        expect(parseTraceQuery(formatTraceQuery(given))).toEqual({ filters: given });
      }),
      { numRuns: repetitions({ usually: 300, thoroughly: 1000 }) },
    );
  });

  it('formats every term so that a user can type the term alone', () => {
    fc.assert(
      fc.property(filters, (given) => {
        for (const term of listQueryTerms(given)) {
          const { filters: read } = parseTraceQuery(term.text);
          expect(read && listQueryTerms(read)).toEqual([term]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('parses any text, or reports a position within it', () => {
    const words = fc.constantFrom(
      'status',
      ':',
      '-',
      '"',
      '\\',
      ' ',
      '>',
      '1s',
      'user',
      'foo',
      'duration',
      'has',
    );
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(typed, (given) => {
        const { filters: read, problem } = parseTraceQuery(given);
        if (read !== undefined) {
          expect(parseTraceQuery(formatTraceQuery(read))).toEqual({ filters: read });
          return;
        }
        expect(problem.start).toBeGreaterThanOrEqual(0);
        expect(problem.end).toBeGreaterThan(problem.start);
        expect(problem.end).toBeLessThanOrEqual(given.length);
        expect(describeProblem(problem)).toMatch(/^Characters? \d+/);
      }),
      { numRuns: repetitions({ usually: 500, thoroughly: 2000 }) },
    );
  });
});
