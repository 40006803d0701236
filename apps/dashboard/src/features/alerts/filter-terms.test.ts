import { expect, test } from 'vitest';
import { addFilterTerms, listFilterTerms, removeFilterTerm } from './filter-terms.ts';

const RULE = { kind: 'p95', service: null, environment: null, endpoint: null } as const;

test('a typed term replaces the value of its field; a typed exclusion is added to the excluded values', () => {
  const before = 'route:/checkout -instance:w3';
  expect(addFilterTerms(RULE, before, 'route:/orders -instance:w4 -instance:w3')).toEqual({
    filter: 'route:/orders -instance:w3 -instance:w4',
  });
});

test('a term that the alert cannot apply is not added, and the problem contains the position of the term in the typed text', () => {
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
