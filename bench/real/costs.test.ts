import { expect, test } from 'vitest';
import { boundedFigures, divideRounds, median } from './costs.ts';
import type { Measured } from './round.ts';
import { services } from './services.ts';

const measured = (cpuMicros: number, arrived = 1, arrivedEvenly: number | undefined = 1): Measured => ({
  cpuMicros,
  perSecond: 1000,
  arrived,
  arrivedEvenly,
  traceBytes: [40_000, 20_000, 10_000],
  steps: 30,
  withValues: 15,
});

const rounds = new Map([
  ['none', [measured(100), measured(200), measured(100)]],
  ['standard', [measured(150), measured(500), measured(180)]],
  ['structure', [measured(120), measured(300), measured(130)]],
  ['all', [measured(250), measured(500), measured(400)]],
  ['otelAuto', [measured(240), measured(250), measured(130)]],
]);

test('the cost of one mode in each round is divided by the cost of the other mode in the same round', () => {
  expect(divideRounds(rounds, 'standard', 'none')).toEqual([1.5, 2.5, 1.8]);
});

test('the median of an even number of values is the lower middle value, and computing the median leaves the values in their order', () => {
  const values = [4, 1, 3, 2];
  expect(median(values)).toBe(2);
  expect(values).toEqual([4, 1, 3, 2]);
});

test('the medians of the ratios, the lost or doubled traces and the size of a trace are compared with their bounds', () => {
  const [service] = services;
  if (service === undefined) throw new Error('there is no service');
  const figures = boundedFigures(service, rounds);
  expect(figures.map(({ name, value, ok }) => [name.replace(`${service.name}: `, ''), value, ok])).toEqual([
    ['default / none', 1.8, true],
    ['everything without budget / none', 2.5, true],
    ['structure / OpenTelemetry auto', 1, true],
    ['traces lost or doubled at 80 % of its maximum rate', 0, true],
    ['traces lost or doubled at its maximum rate', 0, true],
    ['a trace, median', 20, true],
  ]);
});

test.each([
  ['lost', 0.99],
  ['doubled', 1.01],
])('the bounds are missed if one trace in a hundred is %s', (_what, arrived) => {
  const [service] = services;
  if (service === undefined) throw new Error('there is no service');
  const lossy = new Map([...rounds, ['standard', [measured(150, arrived, arrived)]]] as const);
  const missed = boundedFigures(service, lossy).filter(({ ok }) => ok === false);
  expect(missed.map(({ value }) => Math.round(value * 100) / 100)).toEqual([1, 1]);
});
