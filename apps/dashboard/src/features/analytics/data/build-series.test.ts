import { describe, expect, it } from 'vitest';
import { buildSeries, describePrevious, type SeriesOf } from './build-series.ts';
import { describeRetention, isCompared } from './previous-period.ts';

interface Part {
  readonly requests: number;
  readonly rate: number | null;
}
const COLUMNS: readonly SeriesOf<Part>[] = [
  { name: 'Requests', look: { tone: 'blue' }, kind: 'bars', pick: ({ requests }) => requests },
  { name: 'Rate', look: { tone: 'red' }, kind: 'line', pick: ({ rate }) => rate, isCompared: false },
];
const COMPARED = {
  previous: {
    startDate: '2026-01-01T00:00:00.000000Z',
    endDate: '2026-01-08T00:00:00.000000Z',
    shownSince: null,
  },
};
const PARTS: readonly Part[] = [
  { requests: 5, rate: 20 },
  { requests: 0, rate: null },
  { requests: 2, rate: 0 },
];

describe('the previous period of a chart', () => {
  it('is a dashed line that begins at the left edge of the chart, as the selected period does', () => {
    const series = buildSeries(COLUMNS, PARTS, [
      { requests: 7, rate: 0 },
      { requests: 1, rate: 100 },
    ]);
    expect(series.map(({ name }) => name)).toEqual(['Requests', 'Rate', 'Requests (previous period)']);
    expect(series[0]).toMatchObject({ values: [5, 0, 2], kind: 'bars' });
    // The previous period can have fewer intervals, for example if daylight saving time began in the previous period.
    expect(series[2]).toMatchObject({
      values: [7, 1, null],
      kind: 'line',
      previousOf: 'bars',
      look: { tone: 'blue', dash: [6, 3], isOnBars: true },
    });
  });

  it('has no line if it has no requests, and a message says that it has no data', () => {
    const silent = PARTS.map(() => ({ requests: 0, rate: null }));
    for (const previous of [[], silent]) {
      expect(buildSeries(COLUMNS, PARTS, previous)).toHaveLength(2);
      expect(describePrevious(COMPARED, COLUMNS, previous)).toBe('The previous period has no data.');
    }
    expect(describePrevious(COMPARED, COLUMNS, PARTS)).toBeUndefined();
  });

  it('is not reported as empty while its stats load, if its stats were not requested, or if the plan hides its stats', () => {
    const hidden = { previous: { ...COMPARED.previous, shownSince: '2026-01-05T00:00:00.000000Z' } };
    expect(buildSeries(COLUMNS, PARTS, null)).toHaveLength(2);
    // While stats with a comparison load, stats that were loaded without a comparison are shown.
    for (const range of [{ previous: null }, hidden]) {
      expect(describePrevious(range, COLUMNS, null)).toBeUndefined();
      expect(isCompared(range)).toBe(false);
    }
    expect(isCompared(COMPARED)).toBe(true);
  });

  it('is mentioned above the stats if the plan hides a part of it', () => {
    const since = '2026-01-05T00:00:00.000000Z';
    const hidden = { ...COMPARED.previous, shownSince: since };
    expect(describeRetention({ shownSince: null, ...COMPARED })).toBeUndefined();
    expect(describeRetention({ shownSince: since, previous: null })).toMatch(
      /^Your plan shows traces since [^,]+\.$/,
    );
    for (const shownSince of [null, since]) {
      expect(describeRetention({ shownSince, previous: hidden })).toMatch(
        /^Your plan shows traces since .+, so there is no comparison with the previous period\.$/,
      );
    }
  });

  it('has an error rate of zero, not a missing value, if it has requests but no failures', () => {
    const rates = COLUMNS.slice(1).map(({ isCompared: _, ...column }) => column);
    const previous = [{ requests: 3, rate: 0 }];
    expect(buildSeries(rates, PARTS, previous).at(-1)?.values).toEqual([0, null, null]);
    expect(describePrevious(COMPARED, rates, previous)).toBeUndefined();
  });
});
