import { type Figure, figure } from '../lib/figures.ts';
import type { BenchCollector } from './collector.ts';
import { type Fixture, fixtures, type Mode, type Outlet } from './modes.ts';
import { type Measured, measure } from './round.ts';

export interface Bench {
  readonly collector: BenchCollector;
  readonly outlet: Outlet;
  readonly rounds: number;
  /** Number of requests in each round. */
  readonly requests: number;
}

/** The measured rounds of each mode. */
type Rounds = ReadonlyMap<string, readonly Measured[]>;

/** Measures the CPU cost of a fixture's requests in each mode. The modes take turns. The keys name the modes. */
export async function costs(
  fixture: Fixture,
  modes: Readonly<Record<string, Mode>>,
  { collector, outlet, rounds, requests }: Bench,
): Promise<Figure[]> {
  const measured = new Map<string, Measured[]>(Object.keys(modes).map((key) => [key, []]));
  for (let round = 0; round < rounds; round++) {
    const line: string[] = [];
    for (const [key, mode] of Object.entries(modes)) {
      const one = await measure(fixture, mode, collector, outlet, requests);
      measured.get(key)?.push(one);
      line.push(`${mode.name} ${one.cpuMicros.toFixed(0)}`);
    }
    process.stdout.write(`${fixture.name}, round ${round + 1}: CPU µs a request: ${line.join(', ')}\n`);
  }
  return [
    ...bounded(fixture, measured),
    ...Object.entries(modes).flatMap(([key, mode]) => absolute(fixture, key, mode, measured)),
  ];
}

/** Returns the ratios between the measured modes. Only the ratios of the fixture `express-orders` have a bound. */
function bounded(fixture: Fixture, measured: Rounds): Figure[] {
  const row = (name: string, of: string, to: string, must: string) =>
    measured.has(of) && measured.has(to)
      ? [
          figure(
            `${fixture.name}: ${name}`,
            'ratio',
            ratios(measured, of, to),
            fixture === fixtures.orders ? must : undefined,
          ),
        ]
      : [];
  return [
    ...row('loaded, not recording / none', 'idle', 'none', '<= 1.05'),
    ...row('structure / OpenTelemetry http only', 'structure', 'otelHttp', '<= 1'),
    ...row('everything / OpenTelemetry auto', 'all', 'otelAuto', '<= 1'),
    ...row('default / none', 'standard', 'none', '<= 2'),
    ...row('everything / none', 'all', 'none', '<= 3'),
  ];
}

/** Returns, for each round, the cost of the mode `of` divided by the cost of the mode `to` in the same round. */
function ratios(measured: Rounds, of: string, to: string): number[] {
  const base = measured.get(to) ?? [];
  return (measured.get(of) ?? []).map((one, round) => one.cpuMicros / (base[round]?.cpuMicros ?? Number.NaN));
}

function absolute({ name }: Fixture, key: string, mode: Mode, measured: Rounds): Figure[] {
  const rounds = measured.get(key) ?? [];
  const row = (what: string, unit: string, of: (one: Measured) => number) =>
    figure(`${name}, ${mode.name}: ${what}`, unit, rounds.map(of));
  return [
    row('CPU a request', 'µs', (one) => one.cpuMicros),
    ...(key === 'none' || !measured.has('none')
      ? []
      : [figure(`${name}, ${mode.name}: CPU / none`, 'ratio', ratios(measured, key, 'none'))]),
    row('requests a second', '1/s', (one) => one.requestsPerSecond),
    row('p99', 'ms', (one) => one.p99Ms),
    row('memory', 'MB', (one) => one.rssBytes / 1e6),
    ...(mode.sends === 'nothing' ? [] : [row('requests that arrived', '%', (one) => one.seen * 100)]),
  ];
}
