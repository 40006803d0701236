import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchCollector } from './collector.ts';
import type { Fixture, Mode, Outlet } from './modes.ts';
import { measure } from './round.ts';

const requests = 20_000;
const shown = 45;

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/**
 * Runs one round of a mode under the profiler. Prints the CPU time per request and, for each of the most expensive functions, its share of
 * the CPU time.
 */
export async function profile(
  name: string,
  fixture: Fixture,
  modes: Readonly<Record<string, Mode>>,
  collector: BenchCollector,
  outlet: Outlet,
): Promise<void> {
  const mode = modes[name];
  if (mode === undefined) throw new Error(`--profile takes ${Object.keys(modes).join(', ')}; not ${name}`);
  await printProfile(mode.name, (flags) => measure(fixture, mode, collector, outlet, requests, flags));
}

/** Runs a program under the profiler with the Node flags that this requires. Prints its most expensive functions. */
export async function printProfile(
  name: string,
  run: (nodeFlags: readonly string[]) => Promise<{ readonly cpuMicros: number }>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-profile-'));
  try {
    const { cpuMicros } = await run(['--cpu-prof', `--cpu-prof-dir=${folder}`]);
    process.stdout.write(`${name}: ${cpuMicros.toFixed(0)} µs of CPU a request under the profiler\n`);
    for (const file of readdirSync(folder)) print(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function print({ nodes, samples, timeDeltas }: CpuProfile): void {
  const places = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || '(anonymous)'} ${url.replace(/^.*\/(?=.+\/)/, '')}:${lineNumber + 1}`,
    ]),
  );
  const own = new Map<string, number>();
  samples.forEach((id, at) => {
    const place = places.get(id) ?? '?';
    if (!place.startsWith('(idle)')) own.set(place, (own.get(place) ?? 0) + (timeDeltas[at] ?? 0));
  });
  const total = [...own.values()].reduce((sum, micros) => sum + micros, 0);
  const most = [...own].sort((a, b) => b[1] - a[1]).slice(0, shown);
  for (const [place, micros] of most)
    process.stdout.write(`${((micros / total) * 100).toFixed(1).padStart(5)} %  ${place}\n`);
}
