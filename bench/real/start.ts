/**
 * bench:real-start: measures how much longer a published service starts with the SDK.
 *
 * Recipe. A service of `integrations/real` (by default Ghost on MariaDB, with its database already created) starts in a fresh process until
 * it prints that it is ready: without the SDK, for the first time with the SDK (there is no cache of instrumented code), and again with the
 * SDK. The ways to start take turns. Between two starts, the process runs until the SDK has written its cache. The second start with the SDK
 * is not measured: it caches the code that V8 compiles, which the first start does not.
 *
 *   npm run build && npm run bench:real-start [-- --json FILE] [-- --rounds N] [-- --service NAME]
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { findFreePort } from '@throughline/testkit/free-port';
import { startMariaDb } from '@throughline/testkit/mariadb';
import { installService } from '../../integrations/real/harness/install.ts';
import type { RealService } from '../../integrations/real/harness/service.ts';
import { startService } from '../../integrations/real/harness/start-service.ts';
import { figure, report } from '../lib/figures.ts';
import { readProcessCpuSeconds } from '../lib/process-cost.ts';
import { BenchCollector } from '../sdk/collector.ts';
import { modes } from '../sdk/modes.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    service: { type: 'string', default: 'ghost' },
    json: { type: 'string' },
  },
});
/** Maximum time that the SDK may add to a later start, in percent. A first start has no maximum, because it happens once per version. */
const MUST = '<= 15';
const CACHED_MS = 60_000;

interface Started {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const { service }: { service: RealService } = await import(
  `../../integrations/real/${options.service}/service.ts`
);
const installed = await installService(service);
if (installed === undefined) throw new Error(`${service.name} cannot be installed`);
const cache = join(dirname(installed), 'node_modules', '.cache', 'throughline');
const mariaDb = service.needsDatabase === 'MariaDB' ? await startMariaDb() : undefined;
if (service.needsDatabase !== undefined && mariaDb === undefined)
  throw new Error(`${service.name} needs ${service.needsDatabase}`);
const database = (await mariaDb?.createDatabase('start')) ?? '';
const parent = mkdtempSync(join(tmpdir(), 'throughline-bench-start-'));
const collector = new BenchCollector();
try {
  const outlet = await collector.start();
  const traced = modes.standard.env(outlet);
  await start(undefined);
  const measured = { none: [] as Started[], first: [] as Started[], later: [] as Started[] };
  for (let round = 0; round < Number(options.rounds); round += 1) {
    rmSync(cache, { recursive: true, force: true });
    measured.none.push(await start(undefined));
    measured.first.push(await start(traced));
    await start(traced, isCompiledCached);
    measured.later.push(await start(traced));
    const line = Object.entries(measured).map(
      ([name, all]) => `${name} ${Math.round(all.at(-1)?.wallMs ?? 0)}`,
    );
    process.stdout.write(`round ${round + 1}: ms until ready: ${line.join(', ')}\n`);
  }
  const added = (name: 'first' | 'later', read: (one: Started) => number) =>
    measured[name].map((one, round) => (read(one) / read(measured.none[round] ?? one) - 1) * 100);
  await report(
    'real-start',
    [
      figure(
        `${service.name}: time added to a later start`,
        '%',
        added('later', ({ wallMs }) => wallMs),
        MUST,
      ),
      figure(
        `${service.name}: CPU added to a later start`,
        '%',
        added('later', ({ cpuMs }) => cpuMs),
      ),
      figure(
        `${service.name}: time added to a first start`,
        '%',
        added('first', ({ wallMs }) => wallMs),
      ),
      figure(
        `${service.name}: CPU added to a first start`,
        '%',
        added('first', ({ cpuMs }) => cpuMs),
      ),
      figure(
        `${service.name}: start without the SDK`,
        'ms',
        measured.none.map(({ wallMs }) => wallMs),
      ),
    ],
    process.argv.slice(2),
  );
} finally {
  await mariaDb?.stop();
  await collector.stop();
  rmSync(parent, { recursive: true, force: true });
}

/**
 * Starts the service, measures the time until the service is ready, and stops it. With the SDK, stops the service only after the SDK has
 * written its cache.
 */
async function start(
  traced: Readonly<Record<string, string>> | undefined,
  isWritten = isInstrumentedCached,
): Promise<Started> {
  const port = await findFreePort();
  const startedMs = performance.now();
  const running = await startService(service, {
    ...{ installed: installed ?? '', folder: join(parent, 'work'), port, database, traced },
  });
  const measured = {
    wallMs: performance.now() - startedMs,
    cpuMs: readProcessCpuSeconds(running.pid) * 1000,
  };
  const until = performance.now() + CACHED_MS;
  while (traced !== undefined && !(await isWritten())) {
    if (performance.now() > until) throw new Error(`the SDK wrote no cache to ${cache}`);
    await new Promise((wait) => setTimeout(wait, 200));
  }
  await running.stop();
  return measured;
}

async function isInstrumentedCached(): Promise<boolean> {
  return existsSync(cache) && (await readdir(cache)).some((name) => /^instrumented[\w.-]*$/.test(name));
}

/** True if Node has written compiled code to the cache. Node creates a folder for its version first, so one entry is not enough. */
async function isCompiledCached(): Promise<boolean> {
  const compiled = join(cache, 'compiled');
  return existsSync(compiled) && (await readdir(compiled, { recursive: true })).length > 1;
}
