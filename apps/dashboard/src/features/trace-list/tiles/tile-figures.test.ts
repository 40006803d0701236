import type { ProjectStats } from '@throughline/contract';
import { expect, it } from 'vitest';
import { describeChange, describeCourse, TILE_FIGURES } from './tile-figures.ts';

const figures = (totalTraces: number, errorCount: number, avgDuration: number | null): ProjectStats => ({
  totalTraces,
  errorCount,
  successRate: totalTraces === 0 ? null : (100 * (totalTraces - errorCount)) / totalTraces,
  avgDuration,
});
const nothing = figures(0, 0, null);
const changes = (now: ProjectStats, before: ProjectStats | null) =>
  TILE_FIGURES.map((figure) => describeChange(figure, now, before));

it('each stat describes its change, and whether the change is an improvement', () => {
  expect(changes(figures(1125, 18, 150), figures(1000, 20, 100))).toEqual([
    { text: '+12.5 %, was 1,000', verdict: 'neither' },
    { text: '+0.4 points better, was 98.0 %', verdict: 'better' },
    { text: '−10.0 % better, was 20', verdict: 'better' },
    { text: '+50.0 % worse, was 100 ms', verdict: 'worse' },
  ]);
});

it.each([
  ['the previous period is unknown', figures(5, 1, 10), null, 'No earlier data', 'No earlier data'],
  [
    'the previous period had no requests',
    figures(5, 1, 10),
    nothing,
    'More, worse, was 0',
    'No requests before',
  ],
  ['nothing changed', figures(5, 1, 10), figures(5, 1, 10), 'Unchanged', 'Unchanged'],
  ['the difference is rounded away', figures(5, 1, 10.001), figures(5, 1, 10), 'Unchanged', 'Unchanged'],
  ['the current period has no requests', nothing, figures(5, 1, 10), '−100.0 % better, was 1', 'was 10 ms'],
])('a change is described if %s', (_where, now, before, errors, duration) => {
  const [, , ofErrors, ofDuration] = changes(now, before);
  expect(ofErrors?.text).toBe(errors);
  expect(ofDuration?.text).toBe(duration);
});

it('the trend of a stat is described by its lowest and its highest value', () => {
  const [total, , , duration] = TILE_FIGURES.map((figure) =>
    describeCourse(figure, [figures(3, 0, 20), nothing, figures(41, 2, 1500)]),
  );
  expect(total).toBe('Total Traces over time: lowest 0, highest 41');
  expect(duration).toBe('Avg Duration over time: lowest 20 ms, highest 1.50 s');
  expect(TILE_FIGURES.map((figure) => describeCourse(figure, []))).toContain(
    'Success Rate over time: no data',
  );
});
