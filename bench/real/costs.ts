import { type Figure, figure } from '../lib/figures.ts';
import type { Mode } from '../sdk/modes.ts';
import { type Bench, type Measured, measure } from './round.ts';
import type { Service } from './services.ts';

/** The measured rounds of each mode, by the mode's key. */
type Rounds = ReadonlyMap<string, readonly Measured[]>;

/** Measures the CPU time of the service per request in each mode. The modes take turns. */
export async function measureInTurns(
  service: Service,
  modes: Readonly<Record<string, Mode>>,
  rounds: number,
  bench: Bench,
): Promise<Rounds> {
  const measured = new Map<string, Measured[]>(Object.keys(modes).map((key) => [key, []]));
  for (let round = 0; round < rounds; round++) {
    const line: string[] = [];
    for (const [key, mode] of Object.entries(modes)) {
      const one = await measure(service, mode, bench, { evenly: key === 'standard' });
      measured.get(key)?.push(one);
      line.push(`${mode.name} ${one.cpuMicros.toFixed(0)} (${(one.arrived * 100).toFixed(1)} %)`);
    }
    process.stdout.write(
      `${service.name}, round ${round + 1}: CPU µs a request (traces that arrived): ${line.join(', ')}\n`,
    );
  }
  return measured;
}

/** Returns the measurements of a service that have a bound. */
export function boundedFigures({ name }: Service, measured: Rounds): Figure[] {
  const rounds = (key: string) => measured.get(key) ?? [];
  /** The difference between the numbers of traces and requests. A duplicate and a lost trace in the same round cancel each other out. */
  const missed = (what: string, key: string, read: (one: Measured) => number | undefined) =>
    figure(
      `${name}: traces lost or doubled ${what}`,
      '%',
      rounds(key).map((one) => Math.abs(1 - (read(one) ?? Number.NaN)) * 100),
      '<= 0',
    );
  return [
    figure(`${name}: default / none`, 'ratio', divideRounds(measured, 'standard', 'none'), '<= 2'),
    figure(
      `${name}: everything without budget / none`,
      'ratio',
      divideRounds(measured, 'all', 'none'),
      '<= 3',
    ),
    figure(
      `${name}: structure / OpenTelemetry auto`,
      'ratio',
      divideRounds(measured, 'structure', 'otelAuto'),
      '<= 1',
    ),
    missed('at 80 % of its maximum rate', 'standard', (one) => one.arrivedEvenly),
    missed('at its maximum rate', 'standard', ({ arrived }) => arrived),
    figure(
      `${name}: a trace, median`,
      'kB',
      rounds('standard').map(({ traceBytes }) => median(traceBytes) / 1000),
      '<= 30',
    ),
  ];
}

/** Returns the measurements that have no bound. */
export function otherFigures(
  { name }: Service,
  modes: Readonly<Record<string, Mode>>,
  measured: Rounds,
): Figure[] {
  return Object.entries(modes).flatMap(([key, mode]) => {
    const rounds = measured.get(key) ?? [];
    const row = (what: string, unit: string, read: (one: Measured) => number) =>
      figure(`${name}, ${mode.name}: ${what}`, unit, rounds.map(read));
    return [
      row('CPU a request', 'µs', ({ cpuMicros }) => cpuMicros),
      figure(`${name}, ${mode.name}: CPU / none`, 'ratio', divideRounds(measured, key, 'none')),
      row('requests a second', '1/s', ({ perSecond }) => perSecond),
      ...(key === 'none' ? [] : [row('traces that arrived', '%', (one) => one.arrived * 100)]),
      ...(key === 'standard' || key === 'all' || key === 'structure'
        ? [
            row('a trace, median', 'kB', (one) => median(one.traceBytes) / 1000),
            row('steps a trace', '', (one) => one.steps / one.traceBytes.length),
            row('steps with values', '%', (one) => (one.withValues / one.steps) * 100),
          ]
        : []),
    ];
  });
}

/** Returns, for each round, the cost of the mode `key` divided by the cost of the mode `base` in the same round. */
export function divideRounds(measured: Rounds, key: string, base: string): number[] {
  const bases = measured.get(base) ?? [];
  return (measured.get(key) ?? []).map(
    ({ cpuMicros }, round) => cpuMicros / (bases[round]?.cpuMicros ?? Number.NaN),
  );
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}
