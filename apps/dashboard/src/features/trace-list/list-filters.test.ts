import { parseInstant, routes } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TraceFilterParams, ViewParams } from '../../shell/url-state/search-params.ts';
import { parseSearch, stringifySearch } from '../../shell/url-state/search-text.ts';
import { buildFilters } from './filters/use-list-filters.ts';

const NAMES = Object.keys(ViewParams.shape);

/** Invalid parameter values that a URL can contain by mistake or by malice. */
const ODD = [
  '',
  'all',
  'ALL',
  '-1',
  '0',
  '00',
  '1e9',
  '999999999999',
  '1000000',
  'NaN',
  'null',
  '{}',
  '[]',
  '\u0000',
  '💥',
  'ä'.repeat(1001),
  'x'.repeat(8193),
  'x'.repeat(10_001),
  '0001-01-01T00:00:00Z',
  '2261-12-31T23:59:59.999999Z',
  '9999-12-31T23:59:59Z',
  '2026-02-30T00:00:00Z',
  '2026-01-02T00:00:00Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01',
  'success',
  'error',
  'named',
  'known',
  'ZZ',
  'fr',
  '../..',
  '00000000-0000-7000-8000-000000000000',
];

const anything = fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: 'binary', maxLength: 40 }));
const search = fc.dictionary(fc.constantFrom(...NAMES), anything, { minKeys: 1 });

/** Builds the query to the server from URL parameters. */
function ask(given: Readonly<Record<string, string>>) {
  // Converts the parameters to a query string and back, as a reload does.
  const { project, ...view } = ViewParams.parse(parseSearch(new URLSearchParams(given).toString()));
  return buildFilters(project, view, new Date());
}

describe('a URL with any parameters', () => {
  it('never leads to a query that the server rejects', () => {
    fc.assert(
      fc.property(search, (given) => {
        const asked = ask(given);
        const read = routes.traces.list.query?.safeParse(asked);
        expect(read?.error).toBeUndefined();
        expect(JSON.stringify(asked)).not.toContain(String.raw`\u0000`);
        const [from, to] = [asked.startDate, asked.endDate].map((at) => at && parseInstant(at));
        if (from && to) expect(to).toBeGreaterThanOrEqual(from);
      }),
      { numRuns: 3000 },
    );
  });

  it('keeps its valid parameters when they are parsed and written again', () => {
    fc.assert(
      fc.property(search, (given) => {
        const once = ViewParams.parse(parseSearch(new URLSearchParams(given).toString()));
        expect(ViewParams.parse(parseSearch(stringifySearch(once)))).toEqual(
          Object.fromEntries(Object.entries(once).filter(([, value]) => value !== '' && value !== undefined)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('uses the last of repeated parameters, and ignores invalid ones', () => {
    expect(ViewParams.parse(parseSearch('?status=error&status=all')).status).toBeUndefined();
    const unreadable = ['status', 'method', 'code', 'statusClass', 'services', 'callers', 'users', 'country'];
    const more = ['stepType', 'stepStatus', 'minCalls', 'minSteps', 'maxSteps', 'from', 'to', 'min', 'max'];
    const asked = ask(Object.fromEntries([...unreadable, ...more, 'project'].map((name) => [name, 'all'])));
    expect(Object.values(asked).filter((value) => value !== undefined)).toEqual([]);
  });

  it.each([
    ['an end before its start', '?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', ['from']],
    ['an end alone', '?to=2026-01-01T00:00:00Z', []],
    ['a duration alone', '?min=5', ['min']],
    ['a longest duration alone', '?max=5', ['max']],
    ['a longest duration of a link without an end', '?min=5&max=999999999999', ['min']],
    ['durations the wrong way round', '?min=5&max=1', []],
    ['durations in order', '?min=1&max=5', ['max', 'min']],
  ])('with %s filters only by valid limits', (_what, text, names) => {
    const { startDate, minDuration, maxDuration, endDate } = ask(parseSearch(text));
    const set = { from: startDate, to: endDate, min: minDuration, max: maxDuration };
    expect(
      Object.entries(set)
        .flatMap(([name, value]) => (value === undefined ? [] : [name]))
        .sort(),
    ).toEqual(names);
    expect(Object.keys(TraceFilterParams.shape)).toEqual(expect.arrayContaining(names));
  });
});
