/**
 * bench:export: measures the time and memory that an export of a large selection takes, and an import.
 *
 * Recipe. A folder is filled with 200,000 traces of 20 steps with values in one project (see `load.ts`; 6 GB as JSON). Each round starts
 * the real server on it in a fresh process, exports 10,000 traces so that everything that loads lazily is loaded, and notes the process's
 * memory. Then all traces are exported over HTTP: every line is counted and its id noted, and one line in a thousand is parsed and its
 * steps are counted. A missing or duplicate trace fails the run. After a third of the export, the reader pauses for ten seconds, to show if
 * the server buffers output in memory. The memory is read every 50 ms; the figure is its peak above the earlier value. Finally,
 * `throughline import` imports the 10,000 lines into another project, and the peak memory of the command and of the server is measured the
 * same way. `--quick` uses a tenth of the traces and one round.
 *
 *   npm run bench:export [-- --quick] [-- --rounds N] [-- --json FILE]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient, routes } from '@throughline/contract';
import { z } from 'zod';
import { figure, report } from '../lib/figures.ts';
import { launchServer } from '../lib/server-process.ts';
import { STEPS_PER_TRACE } from '../lib/trace-generator.ts';
import { readMemory } from '../soak/watch.ts';
import { type Loaded, loadFolder } from './load.ts';

const MAIN = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    json: { type: 'string' },
  },
});
const { quick } = options;
const rounds = options.rounds === undefined ? (quick ? 1 : 3) : Number(options.rounds);
const IMPORTED = quick ? 2000 : 10_000;
const PAUSE_MS = 10_000;
const WATCH_MS = 50;

const Line = z.object({ _id: z.string(), flow: z.array(z.unknown()) });

/** Reads an export to its end or, if `file` is set, up to `lines` lines. Fails unless it contains `lines` different traces. */
async function readExport(
  server: { readonly url: string; readonly token: string },
  projectId: string,
  wanted: { readonly lines: number; readonly pauseAt?: number; readonly file?: string },
): Promise<{ readonly bytes: number; readonly lines: number }> {
  const answer = await opened(`${server.url}/api/traces/export?projectId=${projectId}`, server.token);
  const file = wanted.file === undefined ? undefined : createWriteStream(wanted.file);
  const ids = new Set<string>();
  let bytes = 0;
  let begun: Buffer[] = [];
  let paused = false;
  for await (const chunk of answer) {
    const piece = z.instanceof(Buffer).parse(chunk);
    bytes += piece.length;
    let start = 0;
    for (let end = piece.indexOf(10); end >= 0 && ids.size < wanted.lines; end = piece.indexOf(10, start)) {
      const line = Buffer.concat([...begun, piece.subarray(start, end + 1)]);
      begun = [];
      start = end + 1;
      ids.add(readId(line, ids.size % 1000 === 0));
      if (file?.write(line) === false) await once(file, 'drain');
    }
    if (ids.size === wanted.lines && wanted.file !== undefined) break;
    if (start < piece.length) begun.push(piece.subarray(start));
    if (!paused && ids.size >= (wanted.pauseAt ?? Number.POSITIVE_INFINITY)) {
      paused = true;
      await sleep(PAUSE_MS);
    }
  }
  if (file !== undefined) {
    file.end();
    await once(file, 'finish');
  }
  if (ids.size !== wanted.lines) throw new Error(`${wanted.lines} traces were to come, and ${ids.size} came`);
  return { bytes, lines: ids.size };
}

/** Returns the id in a line. If `lookInto`, also checks that the line is a complete trace. */
function readId(line: Buffer, lookInto: boolean): string {
  const id = /^\{"_id":"([^"]{36})"/.exec(line.toString('latin1', 0, 64))?.[1];
  if (id === undefined) throw new Error(`a line is no trace: ${line.toString('utf8', 0, 80)}`);
  if (lookInto && Line.parse(JSON.parse(line.toString())).flow.length !== STEPS_PER_TRACE)
    throw new Error(`the trace ${id} was exported without some of its steps`);
  return id;
}

function opened(url: string, token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${token}` } }, (answer) => {
      if (answer.statusCode === 200) resolve(answer);
      else reject(new Error(`the export answers ${answer.statusCode}`));
    }).on('error', reject);
  });
}

/** Measures the memory of processes in bytes: before `run` starts, and the peak during `run`. */
async function measurePeak<T>(
  pids: readonly number[],
  run: () => Promise<T>,
): Promise<{ readonly result: T; readonly before: readonly number[]; readonly peaks: readonly number[] }> {
  const before = pids.map(readMemory);
  const peaks = [...before];
  const timer = setInterval(() => {
    for (const [index, pid] of pids.entries()) peaks[index] = Math.max(peaks[index] ?? 0, readMemory(pid));
  }, WATCH_MS);
  try {
    return { result: await run(), before, peaks };
  } finally {
    clearInterval(timer);
  }
}

function getPid(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('a process has no id');
  return child.pid;
}

/** Creates another project of the same owner, and its API key. */
async function anotherProject(server: { readonly url: string; readonly token: string }) {
  const owner = createClient({ baseUrl: server.url, fetch, token: () => server.token });
  const { project } = await owner.call(routes.projects.create, { body: { name: 'imported' } });
  const { apiKey } = await owner.call(routes.projects.apiKey, { params: { id: project.id } });
  const total = async () =>
    (await owner.call(routes.traces.list, { query: { projectId: project.id, limit: 1 } })).total;
  return { apiKey, total };
}

async function runRound(loaded: Loaded) {
  const { child, url, stop, kill } = await launchServer(loaded.dataDir);
  try {
    const server = { url, token: loaded.token };
    const file = join(loaded.dataDir, 'exported.ndjson');
    await readExport(server, loaded.projectId, { lines: IMPORTED, file });
    const pid = getPid(child);
    const startMs = performance.now();
    const exported = await measurePeak([pid], () =>
      readExport(server, loaded.projectId, { lines: loaded.traces, pauseAt: loaded.traces / 3 }),
    );
    const exportSeconds = (performance.now() - startMs - PAUSE_MS) / 1000;
    const to = await anotherProject(server);
    const importing = spawn(process.execPath, ['--conditions=source', MAIN, 'import', file], {
      env: { ...process.env, THROUGHLINE_URL: url, THROUGHLINE_API_KEY: to.apiKey },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const importStartMs = performance.now();
    const imported = await measurePeak([pid, getPid(importing)], async () => {
      const [code] = await once(importing, 'exit');
      if (code !== 0) throw new Error(`the import ended with ${code}`);
    });
    const importSeconds = (performance.now() - importStartMs) / 1000;
    const total = await to.total();
    if (total !== IMPORTED) throw new Error(`${IMPORTED} traces were imported, and ${total} are there`);
    await stop();
    const [before = 0] = exported.before;
    const [peak = 0] = exported.peaks;
    const [serverPeak = 0, commandPeak = 0] = imported.peaks;
    return {
      before,
      peak,
      bytes: exported.result.bytes,
      bytesPerSecond: exported.result.bytes / exportSeconds,
      tracesPerSecond: exported.result.lines / exportSeconds,
      importedPerSecond: IMPORTED / importSeconds,
      serverPeak,
      commandPeak,
    };
  } finally {
    await kill();
  }
}

const loaded = await loadFolder({ templates: quick ? 1000 : 5000, copies: quick ? 20 : 40 });
const measured = [];
try {
  for (let round = 0; round < rounds; round += 1) {
    const result = await runRound(loaded);
    measured.push(result);
    process.stdout.write(
      `round ${round + 1}: ${Math.round(result.before / 1e6)} MB before, ${Math.round(result.peak / 1e6)} MB at most, ${(result.bytes / 1e9).toFixed(2)} GB exported at ${Math.round(result.bytesPerSecond / 1e6)} MB/s\n`,
    );
  }
} finally {
  await loaded.removeFolder();
}
await report(
  'export',
  [
    figure(
      `export of ${loaded.traces.toLocaleString('en-US')} traces: the server's memory above what it was`,
      'MB',
      measured.map(({ before, peak }) => (peak - before) / 1e6),
      '<= 400',
    ),
    figure(
      'export: the server at most',
      'MB',
      measured.map(({ peak }) => peak / 1e6),
    ),
    figure(
      'export: size',
      'GB',
      measured.map(({ bytes }) => bytes / 1e9),
    ),
    figure(
      'export: traces a second',
      'traces/s',
      measured.map(({ tracesPerSecond }) => tracesPerSecond),
    ),
    figure(
      `import of ${IMPORTED.toLocaleString('en-US')} traces: the command at most`,
      'MB',
      measured.map(({ commandPeak }) => commandPeak / 1e6),
      '<= 400',
    ),
    figure(
      'import: the server at most',
      'MB',
      measured.map(({ serverPeak }) => serverPeak / 1e6),
      '<= 1500',
    ),
    figure(
      'import: traces a second',
      'traces/s',
      measured.map(({ importedPerSecond }) => importedPerSecond),
    ),
  ],
  process.argv.slice(2),
);
