import { expect, test } from 'vitest';
import { addFilterTerms, listFilterTerms, removeFilterTerm } from './filter-terms.ts';

const RULE = { kind: 'p95', service: null, environment: null, endpoint: null } as const;

test('a term that is added to the filter of an alert replaces the term with the same field; an added exclusion does not replace other exclusions', () => {
  const before = 'route:/checkout -instance:w3';
  expect(addFilterTerms(RULE, before, 'route:/orders -instance:w4 -instance:w3')).toEqual({
    filter: 'route:/orders -instance:w3 -instance:w4',
  });
});

test('a term that the alert cannot apply is not added to the filter; the returned problem has the position of the term in the typed text', () => {
  const typed = 'user:19 value:gold';
  const { problem } = addFilterTerms(RULE, 'route:/checkout', typed);
  expect(problem).toMatchObject({ start: 8, end: 18, message: expect.stringContaining('“value”') });
  const many = Array.from({ length: 50 }, (_, at) => `-user:${at}`).join(' ');
  expect(addFilterTerms(RULE, many, '-user:a').problem).toMatchObject({ start: 0, end: 7 });
});

test('removing all terms of a filter leaves an empty filter', () => {
  let filter = 'route:/checkout duration:>1s -instance:w3';
  for (const term of listFilterTerms(filter)) filter = removeFilterTerm(filter, term);
  expect(filter).toBe('');
});
