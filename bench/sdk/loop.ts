/**
 * Measures how much time instrumented code adds to each call in a loop of a million calls, in ns, sync and async: `npm exec -- node
 * --conditions=source bench/sdk/loop.ts`. Each round is a fresh process. The process runs the loop without instrumentation, then
 * instrumented outside a recorded request, then instrumented inside a recorded request, and checks the number of recorded calls.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { instrument } from '../../packages/sdk/src/instrument/instrument.ts';
import { runRecording } from '../../packages/sdk/src/record/async/work-context.ts';
import { defaultLimits } from '../../packages/sdk/src/record/capture/limits.ts';
import { installRuntime } from '../../packages/sdk/src/record/frame.ts';
import { Recording } from '../../packages/sdk/src/record/recording.ts';
import { figure, report } from '../lib/figures.ts';

const calls = 1_000_000;
const source = `
function add(a, b) { const sum = a + b; return sum }
async function wait(a) { await null; return a }
exports.sync = (n) => { let sum = 0; for (let i = 0; i < n; i++) sum = add(sum, i); return sum };
exports.async = async (n) => { let sum = 0; for (let i = 0; i < n; i++) sum += await wait(i); return sum };`;

type Loop = (n: number) => unknown;

function load(code: string): Record<string, Loop> {
  const exported: Record<string, Loop> = {};
  const wrapper: unknown = vm.runInThisContext(`(function (exports) { ${code}\n})`, {
    filename: '/shop/loop.js',
  });
  if (typeof wrapper !== 'function') throw new Error('the loop is no function');
  wrapper(exported);
  return exported;
}

function instrumented(): Record<string, Loop> {
  const runtime = installRuntime();
  if (runtime === undefined) throw new Error('another runtime is installed');
  const done = instrument(source, {
    file: '/shop/loop.js',
    root: '/shop',
    moduleKind: 'commonjs',
    language: 'js',
    reserveSites: (count) => runtime.reserveSites(count),
    withMap: false,
  });
  if ('skipped' in done) throw new Error(done.skipped);
  runtime.addSites(done.firstSite, done.sites, '/shop/loop.js', done.insertions);
  return load(done.code);
}

async function measureNanoseconds(run: () => unknown): Promise<number> {
  const started = performance.now();
  await run();
  return ((performance.now() - started) * 1e6) / calls;
}

async function recorded(loop: Loop): Promise<number> {
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  const taken = await measureNanoseconds(() => runRecording(recording, () => loop(calls)));
  const counted = recording.finish().flow.find(({ repeat }) => repeat !== undefined);
  if (counted?.repeat?.count !== calls - defaultLimits.calls) throw new Error('calls were not counted');
  return taken;
}

async function round(): Promise<void> {
  const [plain, traced] = [load(source), instrumented()];
  const added: Record<string, number> = {};
  for (const kind of ['sync', 'async']) {
    const [one, other] = [plain[kind], traced[kind]];
    if (one === undefined || other === undefined) throw new Error(`no ${kind} loop`);
    for (let turn = 0; turn < 3; turn++) {
      const before = await measureNanoseconds(() => one(calls));
      const idle = await measureNanoseconds(() => other(calls));
      added[kind] = (await recorded(other)) - before;
      added[`${kind} idle`] = idle - before;
    }
  }
  process.stdout.write(JSON.stringify(added));
}

/**
 * Returns times in ns per call, by kind of function, one for each round. `sync` and `async`: the time that recording adds after the first
 * calls. `sync idle` and `async idle`: the time that the instrumented code adds outside a recorded request.
 */
export function loopCosts(rounds: number): Record<string, number[]> {
  const measured: Record<string, number[]> = {};
  for (let count = 0; count < rounds; count++) {
    const child = spawnSync(
      process.execPath,
      [...process.execArgv, fileURLToPath(import.meta.url), '--round'],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    );
    if (child.status !== 0) throw new Error('a round failed');
    for (const [kind, value] of Object.entries<number>(JSON.parse(child.stdout)))
      measured[kind] = [...(measured[kind] ?? []), value];
  }
  return measured;
}

if (process.argv.includes('--round')) await round();
else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2);
  const costs = loopCosts(args.includes('--quick') ? 3 : 7);
  const figures = Object.entries(costs).map(([kind, values]) =>
    figure(`added to a call after the first ${defaultLimits.calls}, ${kind}`, 'ns', values),
  );
  await report('sdk-loop', figures, args);
}
