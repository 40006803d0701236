/**
 * bench:sdk: what tracing costs the host.
 *
 * Recipe. Each fixture (`express-orders`: Express 5, a JSON body, 12 functions of its own a request, awaits and a Promise.all; `bare-http`) runs in a
 * fresh process for each mode and round, the modes interleaved: no tracer, this SDK loaded but sampling nothing, recording structure, recording
 * values, OpenTelemetry with its http instrumentation alone, and with all its instrumentations. autocannon keeps 20 connections busy; after a warm-up, the CPU (user and system)
 * of the server's process is read before and after, until a second after its tracer has sent the last byte, and divided by the requests. A local
 * collector takes what is sent; a round in which a request (or a step, or its values) is missing fails. Start-up and instrumentation are measured apart.
 *
 *   npm run build && npm run bench:sdk [-- --quick] [-- --json FILE] [-- --profile MODE]
 *
 * `--profile all` runs one round of that mode on express-orders under `node --cpu-prof` and prints where its time went.
 */
import { type Figure, figure, report } from './figures.ts';
import { BenchCollector } from './sdk-collector.ts';
import { measureDelay } from './sdk-delay.ts';
import { type Fixture, fixtures, modes } from './sdk-modes.ts';
import { profile } from './sdk-profile.ts';
import { type Measured, measure } from './sdk-round.ts';
import { memoryGrowth } from './sdk-soak.ts';
import { instrumentingSpeed, startUpAdded } from './sdk-startup.ts';

const args = process.argv.slice(2);
const quick = args.includes('--quick');
const rounds = quick ? 3 : 7;
const requests = quick ? 10_000 : 20_000;

const collector = new BenchCollector();
const address = await collector.start();
const profiled = args[args.indexOf('--profile') + 1];
if (args.includes('--profile')) await profile(profiled ?? '', collector, address);
else
  await report(
    'sdk',
    [...(await costs(fixtures.orders)), ...(await costs(fixtures.bare)), ...(await others())],
    args,
  );
await collector.stop();

type ModeName = keyof typeof modes;

async function costs(fixture: Fixture): Promise<Figure[]> {
  const names = Object.keys(modes).filter((name): name is ModeName => Object.hasOwn(modes, name));
  const measured: Record<ModeName, Measured[]> = {
    none: [],
    idle: [],
    structure: [],
    all: [],
    otelHttp: [],
    otelAuto: [],
  };
  for (let round = 0; round < rounds; round++) {
    for (const name of names)
      measured[name].push(await measure(fixture, modes[name], collector, address, requests));
    const line = names.map((name) => `${name} ${measured[name].at(-1)?.cpuMicros.toFixed(0)}`).join(', ');
    process.stdout.write(`${fixture.name}, round ${round + 1}: CPU µs a request: ${line}\n`);
  }
  return [
    ...ratios(fixture, measured),
    ...names.flatMap((name) => absolute(`${fixture.name}/${modes[name].name}`, measured[name])),
  ];
}

/** Each round's ratio of two modes measured next to one another. The bounds are the orders fixture's. */
function ratios(fixture: Fixture, measured: Record<ModeName, Measured[]>): Figure[] {
  const ratio = (what: string, of: ModeName, to: ModeName, must?: string) =>
    figure(
      `${fixture.name}: ${what}`,
      'ratio',
      measured[of].map((one, round) => one.cpuMicros / (measured[to][round]?.cpuMicros ?? Number.NaN)),
      fixture === fixtures.orders ? must : undefined,
    );
  return [
    ratio('loaded, not recording / none', 'idle', 'none', '<= 1.05'),
    ratio('structure / OpenTelemetry http only', 'structure', 'otelHttp', '<= 1'),
    ratio('everything / OpenTelemetry auto', 'all', 'otelAuto', '<= 1'),
    ratio('structure / none', 'structure', 'none'),
    ratio('everything / none', 'all', 'none', '<= 2'),
    ratio('OpenTelemetry http only / none', 'otelHttp', 'none'),
    ratio('OpenTelemetry auto / none', 'otelAuto', 'none'),
  ];
}

function absolute(name: string, measured: readonly Measured[]): Figure[] {
  return [
    figure(
      `${name}: CPU a request`,
      'µs',
      measured.map((one) => one.cpuMicros),
    ),
    figure(
      `${name}: requests a second`,
      '1/s',
      measured.map((one) => one.requestsPerSecond),
    ),
    figure(
      `${name}: p99`,
      'ms',
      measured.map((one) => one.p99Ms),
    ),
    figure(
      `${name}: memory`,
      'MB',
      measured.map((one) => one.rssBytes / 1e6),
    ),
  ];
}

async function others(): Promise<Figure[]> {
  return [
    figure(
      'event-loop delay p99 added at 1,000 req/s',
      'ms',
      await measureDelay(collector, address, rounds),
      '<= 1',
    ),
    ...(quick
      ? []
      : [figure('memory grown in 7 minutes, collector down', 'MB', [await memoryGrowth()], '<= 20')]),
    figure('start-up added for 500 files', 'ms', startUpAdded(rounds), '<= 150'),
    figure('instrumenting', 'MB/s', instrumentingSpeed(rounds), '>= 5'),
  ];
}
