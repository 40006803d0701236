/**
 * bench:sdk: measures the cost of tracing for the host.
 *
 * Recipe. Each fixture (`express-orders`: Express 5, a JSON body, 12 functions of its own per request, awaits and a Promise.all;
 * `koa-articles`: Koa with knex over SQLite, where `ctx` is passed from function to function; `nest-articles`: Nest, services and entities;
 * `bare-http`) runs in a fresh process for each mode and round, the modes interleaved: no tracer, this SDK loaded but sampling nothing,
 * recording structure, recording everything, and the peers (`peers/`): OpenTelemetry with only its http instrumentation and with all its
 * instrumentations, Sentry, dd-trace, Elastic's agent, AppMap. autocannon keeps 20 connections busy. After a warm-up, the CPU time (user and
 * system) of the server's process is read before the load and a second after its tracer has sent the last byte, and divided by the number of
 * requests. A local collector receives the data and counts it afterwards. A round fails if a request is missing from the data of this SDK or
 * of OpenTelemetry, or if a step or its values are missing from the data of this SDK. For the other peers, the delivered fraction is a
 * figure. AppMap is so slow that it gets a tenth of the requests. Start-up, instrumentation, and the costs of source text and of the values
 * of queries (folder `cpu`) are measured separately.
 *
 *   npm run build && npm run bench:sdk [-- --json FILE] [-- --quick] [-- --peers] [-- --rounds N] [-- --fixture NAME] [-- --modes A,B]
 *     [-- --source] [-- --queries] [-- --profile MODE]
 *
 * `--quick`: 3 rounds (`--rounds 7`: 7 instead), OpenTelemetry as the only peer unless `--peers` is given, no soak. `--fixture
 * express-orders`: only that fixture's costs. `--modes none,all`: only these modes' costs. `--source`: only the CPU cost of source text.
 * `--queries`: only the CPU cost of the values of queries. `--profile all` runs one round of that mode on express-orders, or on the given
 * `--fixture`, under `node --cpu-prof` and prints the most expensive functions.
 */
import { parseArgs } from 'node:util';
import { calibrated } from '../lib/calibration.ts';
import { type Figure, figure, report } from '../lib/figures.ts';
import { installPeers } from '../peers/install.ts';
import { peers } from '../peers/peers.ts';
import { BenchCollector } from './collector.ts';
import { costs } from './costs.ts';
import { queryCpu, type RecordedRows } from './cpu/query-cpu.ts';
import { sourceCpu } from './cpu/source-cpu.ts';
import { addedDelay } from './delay.ts';
import { fixtures, type Mode, modes } from './modes.ts';
import { profile } from './profile.ts';
import { memoryGrowth } from './soak.ts';
import { instrumentingSpeed, sourceStartAdded, startUpAdded } from './startup.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    fixture: { type: 'string' },
    modes: { type: 'string' },
    source: { type: 'boolean', default: false },
    queries: { type: 'boolean', default: false },
    profile: { type: 'string' },
    json: { type: 'string' },
  },
});
const rounds = Number(options.rounds ?? (options.quick ? 3 : 7));
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds takes a whole number; not ${options.rounds}`);
const requests = options.quick ? 10_000 : 20_000;
const only = Object.values(fixtures).filter(({ name }) => name === options.fixture);
if (options.fixture !== undefined && only.length === 0)
  throw new Error(`there is no fixture ${options.fixture}`);

const chosen = options.source || options.queries ? ['all'] : options.modes?.split(',');
const all = await selectModes();
const collector = new BenchCollector();
try {
  const bench = { collector, outlet: await collector.start(), rounds, requests };
  if (options.profile !== undefined)
    await profile(options.profile, only[0] ?? fixtures.orders, all, collector, bench.outlet);
  else if (options.source) await report('sdk', [sourceCost()], process.argv.slice(2));
  else if (options.queries) await report('sdk', queryCosts(), process.argv.slice(2));
  else {
    const figures: Figure[] = [];
    for (const fixture of only.length > 0 ? only : Object.values(fixtures))
      figures.push(...(await costs(fixture, all, bench)));
    if (only.length === 0 && chosen === undefined) figures.push(...(await others(bench)));
    await report('sdk', figures, process.argv.slice(2));
  }
} finally {
  await collector.stop();
}

/** The bound is 2 % of the CPU time that a request to express-orders takes in the mode `everything`, which is about 600 µs. */
function sourceCost(): Figure {
  return figure('CPU that source text adds to a trace', 'µs', sourceCpu(rounds), '<= 12');
}

function queryCosts(): Figure[] {
  const cost = (name: string, rows: RecordedRows, must: string) =>
    figure(`CPU that ${name} of a query add to a trace`, 'µs', queryCpu(rounds, rows), must);
  return [
    cost('the bound values', 0, '<= 8'),
    cost('the bound values and one row', 1, '<= 15'),
    cost('the bound values and five rows', 5, '<= 40'),
  ];
}

/** Returns the modes to measure. The peers are only installed when one of them is measured. */
async function selectModes(): Promise<Readonly<Record<string, Mode>>> {
  if (chosen?.every((key) => key in modes)) return pick(modes, chosen);
  const { otelHttp, otelAuto, ...further } = peers(await installPeers());
  const known = { ...modes, otelHttp, otelAuto, ...further };
  if (chosen !== undefined) return pick(known, chosen);
  return { ...modes, otelHttp, otelAuto, ...(options.quick && !options.peers ? {} : further) };
}

function pick(
  known: Readonly<Record<string, Mode>>,
  keys: readonly string[],
): Readonly<Record<string, Mode>> {
  const missing = keys.find((key) => !(key in known));
  if (missing !== undefined)
    throw new Error(`there is no mode ${missing}; the modes are ${Object.keys(known).join(', ')}`);
  return Object.fromEntries(Object.entries(known).filter(([key]) => keys.includes(key)));
}

async function others(bench: Parameters<typeof costs>[2]): Promise<Figure[]> {
  const { outlet } = bench;
  return [
    ...(await calibrated(
      'event-loop delay p99 added at 1,000 req/s',
      rounds,
      () => addedDelay(collector, outlet),
      '<= 1',
    )),
    sourceCost(),
    ...queryCosts(),
    ...(options.quick
      ? []
      : [
          figure(
            'memory over 10 minutes with the collector down: grown',
            'MB',
            [await memoryGrowth()],
            '<= 20',
          ),
        ]),
    ...(await calibrated('first start added for 500 files', rounds, () => startUpAdded(false), '<= 150')),
    ...(await calibrated(
      'first start added by source text for 500 files',
      rounds,
      sourceStartAdded,
      '<= 50',
    )),
    ...(await calibrated('later starts added for 500 files', rounds, () => startUpAdded(true), '<= 150')),
    figure('instrumenting, MB of source a second', 'MB/s', instrumentingSpeed(rounds), '>= 5'),
  ];
}
