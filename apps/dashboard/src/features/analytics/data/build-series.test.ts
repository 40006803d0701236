import { describe, expect, it } from 'vitest';
import { buildSeries, describePrevious, type SeriesOf } from './build-series.ts';

interface Part {
  readonly requests: number;
  readonly rate: number | null;
}
const COLUMNS: readonly SeriesOf<Part>[] = [
  { name: 'Requests', look: { tone: 'blue' }, kind: 'bars', pick: ({ requests }) => requests },
  { name: 'Rate', look: { tone: 'red' }, kind: 'line', pick: ({ rate }) => rate, isCompared: false },
];
const PARTS: readonly Part[] = [
  { requests: 5, rate: 20 },
  { requests: 0, rate: null },
  { requests: 2, rate: 0 },
];

describe('the previous period of a chart', () => {
  it('is a dashed line with the values at the same distance from the start', () => {
    const series = buildSeries(COLUMNS, PARTS, [
      { requests: 7, rate: 0 },
      { requests: 1, rate: 100 },
    ]);
    expect(series.map(({ name }) => name)).toEqual(['Requests', 'Rate', 'Requests (previous period)']);
    expect(series[0]).toMatchObject({ values: [5, 0, 2], kind: 'bars' });
    // A previous period can have fewer intervals, for example if daylight saving time began in it.
    expect(series[2]).toMatchObject({
      values: [7, 1, null],
      kind: 'line',
      previousOf: 'bars',
      look: { tone: 'blue', dash: [6, 3], isOnBars: true },
    });
  });

  it('has no line without a comparison, or without requests, and only the latter is mentioned', () => {
    const silent = PARTS.map(() => ({ requests: 0, rate: null }));
    for (const previous of [null, [], silent]) {
      expect(buildSeries(COLUMNS, PARTS, previous)).toHaveLength(2);
      expect(describePrevious(true, COLUMNS, previous)).toBe('The previous period has no data.');
      expect(describePrevious(false, COLUMNS, previous)).toBeUndefined();
    }
    expect(describePrevious(true, COLUMNS, PARTS)).toBeUndefined();
  });

  it('without failures has a line of zeros', () => {
    const rates = COLUMNS.slice(1).map(({ isCompared: _, ...column }) => column);
    const previous = [{ requests: 3, rate: 0 }];
    expect(buildSeries(rates, PARTS, previous).at(-1)?.values).toEqual([0, null, null]);
    expect(describePrevious(true, rates, previous)).toBeUndefined();
  });
});
