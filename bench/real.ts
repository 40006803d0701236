/**
 * bench:real: measures the CPU cost of tracing, and the traces that arrive, on four published services that were not written for this SDK,
 * and on a small one that was written for this benchmark.
 *
 * Recipe. Published services (`real/services.ts`: Verdaccio on Express, s3rver on Koa, json-server on Express, Community Solid Server on
 * plain http) are installed once in exact versions into `~/.cache/throughline`, and moved out of node_modules, so that their own functions
 * count as the host's. No service on Fastify is published as a package; `real/services/fastify-articles` is a small one with the structure
 * of the RealWorld services. Each runs in a fresh process for each mode and round, the modes interleaved: no tracer, this SDK with its
 * default settings, with structure only, with everything and no budget, and OpenTelemetry's auto-instrumentations, dd-trace and Sentry. autocannon keeps 20
 * connections busy with the service's scenario; each response's status is checked. After a warm-up as long as the load, the CPU time (user
 * and system) of the process is read before the load and a second after its tracer has sent the last byte, and divided by the number of
 * requests. With default settings, the same process then receives 80 % of the rate that it just reached, evenly spaced. A local collector
 * receives the traces; they are counted afterwards.
 *
 *   npm run build && npm run bench:real [-- --json FILE] [-- --quick] [-- --rounds N] [-- --service NAME,NAME] [-- --profile MODE]
 *
 * `--quick`: 3 rounds of half as many requests. `--profile standard --service s3rver` runs one round of that mode under `node --cpu-prof`
 * and prints the most expensive functions. `BENCH_REAL_STDERR=1` shows the services' stderr.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Figure, figure, report } from './lib/figures.ts';
import { installPeers } from './peers/install.ts';
import { peers } from './peers/peers.ts';
import { boundedFigures, divideRounds, measureInTurns, median, otherFigures } from './real/costs.ts';
import { installServices } from './real/install.ts';
import { measure } from './real/round.ts';
import { services } from './real/services.ts';
import { BenchCollector } from './sdk/collector.ts';
import { type Mode, modes as sdkModes } from './sdk/modes.ts';
import { printProfile } from './sdk/profile.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    service: { type: 'string' },
    profile: { type: 'string' },
    json: { type: 'string' },
  },
});
const rounds = Number(options.rounds ?? (options.quick ? 3 : 7));
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds takes a whole number; not ${options.rounds}`);
const names = options.service?.split(',') ?? services.map(({ name }) => name);
const chosen = services.filter(({ name }) => names.includes(name));
if (chosen.length !== names.length)
  throw new Error(`--service takes ${services.map(({ name }) => name).join(', ')}; not ${options.service}`);

const { none, standard, structure, all } = sdkModes;
const { otelAuto, datadog, sentry } = peers(await installPeers());
const modes: Readonly<Record<string, Mode>> = { none, standard, structure, all, otelAuto, datadog, sentry };
const collector = new BenchCollector();
try {
  const folder = await installServices();
  const bench = { collector, outlet: await collector.start(), folder, share: options.quick ? 0.5 : 1 };
  if (options.profile !== undefined) await profile(options.profile, bench);
  else await compare(bench);
} finally {
  await collector.stop();
}

async function compare(bench: Parameters<typeof measure>[2]): Promise<void> {
  const figures: Figure[] = [];
  const details: Figure[] = [];
  /** For each service, the cost of the SDK's default mode divided by the cost of OpenTelemetry, by round. */
  const besideOpenTelemetry: number[][] = [];
  for (const service of chosen) {
    const measured = await measureInTurns(service, modes, rounds, bench);
    figures.push(...boundedFigures(service, measured));
    details.push(...otherFigures(service, modes, measured));
    besideOpenTelemetry.push(divideRounds(measured, 'standard', 'otelAuto'));
  }
  const medians = Array.from({ length: rounds }, (_, round) =>
    median(besideOpenTelemetry.map((ratios) => ratios[round] ?? Number.NaN)),
  );
  figures.push(figure('default / OpenTelemetry auto, median of services', 'ratio', medians, '<= 1'));
  await report('real', [...figures, ...details], process.argv.slice(2));
}

async function profile(key: string, bench: Parameters<typeof measure>[2]): Promise<void> {
  const mode = modes[key];
  if (mode === undefined) throw new Error(`--profile takes ${Object.keys(modes).join(', ')}; not ${key}`);
  const ending = ['--require', join(import.meta.dirname, 'fixtures', 'end-on-sigterm.cjs')];
  for (const service of chosen)
    await printProfile(`${service.name}, ${mode.name}`, (flags) =>
      measure(service, mode, bench, { nodeFlags: [...flags, ...ending] }),
    );
}
