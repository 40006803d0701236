import { MAX_TRACE_IDS } from '@throughline/contract';
import { expect, it } from 'vitest';
import { buildExport } from './exported.ts';

const filters = { projectId: 'p', status: 'error' } as const;

it('an export of all matching traces sends the filters instead of ids', () => {
  expect(buildExport(filters, 'all', ['a'])).toEqual({ queries: [filters], expected: undefined });
});

it('an export of selected traces follows the order of the list; traces no longer listed come last', () => {
  expect(buildExport(filters, new Set(['gone', 'c', 'a']), ['a', 'b', 'c'])).toEqual({
    queries: [{ projectId: 'p', requests: 'a,c,gone' }],
    expected: 3,
  });
});

it('an export of many selected traces is split into several queries, each with ids that fit in a URL', () => {
  const ids = Array.from({ length: 2 * MAX_TRACE_IDS + 1 }, (_, index) => `id${index}`);
  const { queries, expected } = buildExport({}, new Set(ids), ids);
  expect(queries.map(({ requests }) => requests?.split(',').length)).toEqual([
    MAX_TRACE_IDS,
    MAX_TRACE_IDS,
    1,
  ]);
  expect(queries.flatMap(({ requests }) => requests?.split(','))).toEqual(ids);
  expect(expected).toBe(ids.length);
});
