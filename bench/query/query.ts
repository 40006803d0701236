/**
 * bench:query: measures how fast lists, searches and single traces are read from a store with ten million steps.
 *
 * Recipe. A folder is filled with 500,000 traces of 20 steps over 30 days in the measured project, and 100,000 more in 49 others (see
 * `load.ts`). Each round starts the real server on it in a fresh process and sends each of the measured requests in turn, 20 times, with
 * different parameters each time, one at a time over one persistent connection. A wrong response fails the run. The figure is the median
 * over all rounds of each round's 95th percentile. A kind of request in `rows.ts` can contain several requests (for example one per
 * filter): its figure is the figure of the slowest request. Each round also measures the time from a trace's acknowledgement to its event
 * in the live feed. The last round runs all requests five more times while four clients read and one writes 1,000 steps a second. Before
 * all rounds, without a server, `typed-search.ts` measures a typed search over captured values. `--quick` uses a tenth of the traces and
 * three rounds.
 *
 *   npm run bench:query [-- --quick] [-- --json FILE] [-- --folder FILE] [-- --only TEXT] [-- --rounds N]
 *
 * `--folder FILE` keeps the folder and writes its path to FILE, or reuses the folder that FILE names. `--only TEXT` measures only requests
 * whose names contain the text, or one of several texts separated by commas, without other clients. `typed search` and `live feed` are also
 * names.
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { calibrationMs } from '../lib/calibration.ts';
import { type Figure, figure, report } from '../lib/figures.ts';
import { launchServer } from '../lib/server-process.ts';
import { beside, feedDelays } from './beside.ts';
import { measuredCalls } from './calls.ts';
import { type Loaded, loadFolder } from './load.ts';
import { type Get, type MeasuredCall, ROWS, type Row } from './rows.ts';
import { typedSearchFigures } from './typed-search.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    folder: { type: 'string' },
    only: { type: 'string' },
    rounds: { type: 'string' },
  },
});
const ROUNDS = options.rounds === undefined ? (options.quick ? 3 : 7) : Number(options.rounds);
const only = options.only?.split(',');
const isAsked = (name: string) => only?.some((text) => name.includes(text)) ?? true;
const CALLS = 20;
const TYPED = 'typed search';
const FEED = 'live feed: accepted to with the reader, p95';

type Times = Map<MeasuredCall, number[]>;

const loaded = await folder();
process.stdout.write(
  `${loaded.steps.toLocaleString('en-US')} steps in ${loaded.traces.toLocaleString('en-US')} traces of one project, ${loaded.othersTraces.toLocaleString('en-US')} traces in 49 others\n`,
);
const p50 = new Map<string, number[]>();
const p95 = new Map<string, number[]>();
const ratios = new Map<string, number[]>();
const rows = new Map<Row, number[]>();
const bySize = (all: readonly number[]) => [...all].sort((a, b) => a - b);
const at = (all: readonly number[], share: number) =>
  bySize(all)[Math.ceil(all.length * share) - 1] ?? Number.NaN;
const add = <Key>(to: Map<Key, number[]>, key: Key, value: number) =>
  to.set(key, [...(to.get(key) ?? []), value]);
let busy: Times = new Map();
const feed: number[] = [];
const typed = isAsked(TYPED) ? await typedSearchFigures(loaded, ROUNDS) : [];
const rounds = only?.every((text) => text.startsWith(TYPED)) ? 0 : ROUNDS;

for (let round = 0; round < rounds; round += 1) {
  await served(async (get, server) => {
    const calls = (await measuredCalls(loaded, get)).filter(({ name }) => isAsked(name));
    await ask(calls, get, 2);
    const fixedLoopMs = calibrationMs();
    const worst = new Map<Row, { readonly name: string; readonly ms: number }>();
    for (const [call, times] of await ask(calls, get, CALLS)) {
      const slow = at(times, 0.95);
      add(p50, call.name, at(times, 0.5));
      add(p95, call.name, slow);
      if (call.row !== undefined && slow > (worst.get(call.row)?.ms ?? 0))
        worst.set(call.row, { name: call.name, ms: slow });
    }
    for (const [row, { ms }] of worst) {
      add(rows, row, ms);
      add(ratios, row, ms / fixedLoopMs);
    }
    process.stdout.write(
      `round ${round + 1}: ${[...worst].map(([row, { name, ms }]) => `${row} ${Math.round(ms)} ms (${name})`).join('; ')}\n`,
    );
    if (isAsked(FEED)) feed.push(at(await feedDelays({ ...loaded, ...server }, CALLS), 0.95));
    if (round < rounds - 1 || only !== undefined) return;
    busy = await beside({ ...loaded, ...server }, get, calls, () => ask(calls, get, CALLS / 4));
  });
}
if (options.folder === undefined) await loaded.removeFolder();

const figures: Figure[] = [];
const rowsMeasured: ReadonlySet<string> = new Set(rows.keys());
for (const [row, bound] of Object.entries(ROWS)) {
  if (only !== undefined && !rowsMeasured.has(row)) continue;
  figures.push(figure(`${row}, p95`, 'ms', measured(rows, row), `<= ${bound}`));
  figures.push(figure(`${row}, by a fixed loop beside it`, 'ratio', measured(ratios, row)));
}
if (feed.length > 0) figures.push(figure(FEED, 'ms', feed, '<= 1000'));
figures.push(...typed);
for (const [name, times] of p95) {
  figures.push(figure(`${name}, p50`, 'ms', measured(p50, name)), figure(`${name}, p95`, 'ms', times));
}
for (const [call, times] of busy) {
  figures.push(figure(`${call.name}, with four readers and a writer, p95`, 'ms', [at(times, 0.95)]));
}
await report('query', figures, options.json === undefined ? [] : ['--json', options.json]);

/** Sends the requests in turn, so that no request profits from caches that it has just filled itself. */
async function ask(calls: readonly MeasuredCall[], get: Get, times: number): Promise<Times> {
  const taken: Times = new Map(calls.map((call) => [call, []]));
  for (let turn = 0; turn < times; turn += 1) {
    for (const call of calls) {
      if (turn >= (call.turns ?? times)) continue;
      const startMs = performance.now();
      const answer = await get(call.path(turn));
      taken.get(call)?.push(performance.now() - startMs);
      call.check(answer);
    }
  }
  return taken;
}

function measured(from: ReadonlyMap<string, readonly number[]>, name: string): readonly number[] {
  const found = from.get(name);
  if (found === undefined) throw new Error(`${name} was not measured`);
  return found;
}

async function served(use: (get: Get, server: { readonly url: string }) => Promise<void>): Promise<void> {
  const server = await launchServer(loaded.dataDir);
  try {
    await use(async (path) => {
      const answer = await fetch(server.url + path, {
        headers: { authorization: `Bearer ${loaded.token}` },
      });
      if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
      return answer.json();
    }, server);
  } finally {
    await server.stop();
  }
}

async function folder(): Promise<Loaded> {
  const { folder: file } = options;
  if (file !== undefined && existsSync(file)) {
    return { ...JSON.parse(await readFile(file, 'utf8')), removeFolder: () => Promise.resolve() };
  }
  const startMs = performance.now();
  const made = await loadFolder(
    options.quick ? { templates: 2500, copies: 20 } : { templates: 10_000, copies: 50 },
  );
  process.stdout.write(`filled in ${Math.round((performance.now() - startMs) / 1000)} s\n`);
  if (file !== undefined) await writeFile(file, JSON.stringify(made));
  return made;
}
