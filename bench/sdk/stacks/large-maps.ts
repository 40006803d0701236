/**
 * Measures how the SDK reads the source map of a bundle of 100 MB: the time until a position is found, the longest time for which the event
 * loop does nothing else, the memory that the map still uses afterwards, and the time of later lookups. The SDK reads large bundles in
 * pieces, and bundles of up to 32 MB as a whole. `--whole` reads the large bundle as a whole, too, to compare. Other programs on the
 * machine can lengthen the time for which the event loop does nothing else.
 *
 *   npm run bench:maps [-- --whole] [-- --inline] [-- --megabytes N]
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LargeFiles } from '../../../packages/sdk/src/errors/large-files/large-files.ts';
import { LineMap, type SourceLine } from '../../../packages/sdk/src/positions/line-map.ts';

const { values } = parseArgs({
  options: {
    whole: { type: 'boolean', default: false },
    inline: { type: 'boolean', default: false },
    /**
     * Set only in a child process: the folder in which the child writes the files. The parent process only reads the files, so that writing
     * does not count towards the parent's peak memory.
     */
    write: { type: 'string' },
    megabytes: { type: 'string', default: '100' },
  },
});

const LINE = 'const total = price(order.items, rate(order));  //\n';
const LINES_OF_SOURCE = 500;
const TEXT = JSON.stringify(LINE.repeat(LINES_OF_SOURCE));
/** The mappings of one line of the bundle: eight positions. The first segment, `AACA`, moves on to the next line of the source. */
const SEGMENTS = 'AACA,MAAM,GAAG,KAAK,EAAE,OAAO,KAAK,EAAE';
const LATER_LOOKUPS = 1000;

/** Measures the longest time in ms between two turns of the event loop. */
class Silence {
  longestMs = 0;
  #lastMs = performance.now();
  #isOver = false;

  constructor() {
    setImmediate(() => this.#turn());
  }

  end(): void {
    this.#isOver = true;
    this.#measure();
  }

  #turn(): void {
    this.#measure();
    if (!this.#isOver) setImmediate(() => this.#turn());
  }

  #measure(): void {
    const nowMs = performance.now();
    this.longestMs = Math.max(this.longestMs, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
  }
}

function* chunks(text: string, count: number): Generator<string> {
  const most = 10_000;
  for (let left = count; left > 0; left -= most) yield text.repeat(Math.min(most, left));
}

const modules = Math.ceil((Number(values.megabytes) * 1024 * 1024) / (LINE.length * LINES_OF_SOURCE));
const lines = modules * LINES_OF_SOURCE;

/** Writes a bundle, in which each module has 500 lines, and its source map. */
function writeBundle(file: string): void {
  for (const code of chunks(LINE, modules * LINES_OF_SOURCE)) appendFileSync(file, code);
  const map = `${file}.map`;
  const names = Array.from({ length: modules }, (_name, n) => `../src/features/part-${n}/service.ts`);
  writeFileSync(map, `{"version":3,"sources":${JSON.stringify(names)},"sourcesContent":[${TEXT}`);
  for (const texts of chunks(`,${TEXT}`, modules - 1)) appendFileSync(map, texts);
  // A module begins at line 1 of the next source. In `ACnfA`, `C` moves to the next source, and `nf` is −499: from the last line back to
  // the first.
  const module = `;${`${SEGMENTS};`.repeat(LINES_OF_SOURCE - 1)}`.slice(0, -1);
  const first = `AAAA${module}`;
  appendFileSync(map, `],"names":[],"mappings":"${first}`);
  for (const mappings of chunks(`;ACnfA${module}`, modules - 1)) appendFileSync(map, mappings);
  appendFileSync(map, '"}');
  appendFileSync(file, '//# sourceMappingURL=');
  if (values.inline) {
    appendFileSync(file, 'data:application/json;base64,');
    const json = readFileSync(map);
    for (let at = 0; at < json.length; at += 3_000_000)
      appendFileSync(file, json.toString('base64', at, at + 3_000_000));
  } else appendFileSync(file, 'bundle.js.map');
}

interface Found {
  /** Number of bytes that the map uses. */
  readonly bytes: number;
  find(line: number, column: number): SourceLine | undefined;
}

async function scan(file: string): Promise<Found> {
  const large = new LargeFiles().start(file);
  while (large.found === null) await new Promise((resolve) => setTimeout(resolve, 1));
  return large.found.map;
}

/** Reads the bundle and its map as a whole, as the SDK reads bundles of up to 32 MB. */
async function readWhole(file: string): Promise<Found> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  const source = readFileSync(file, 'utf8');
  if (!source.includes('sourceMappingURL=')) throw new Error('the bundle names no map');
  return new LineMap(readFileSync(`${file}.map`, 'utf8'));
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

function measureMemory(): { readonly heap: number; readonly external: number } {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, external };
}

async function measure(file: string): Promise<void> {
  const before = measureMemory();
  const { rss } = process.memoryUsage();
  const silence = new Silence();
  const startMs = performance.now();
  const cpu = process.cpuUsage();
  const map = await (values.whole ? readWhole(file) : scan(file));
  const foundMs = performance.now() - startMs;
  const last = map.find(lines - 1, 20);
  await new Promise((resolve) => setImmediate(resolve));
  silence.end();
  const { user, system } = process.cpuUsage(cpu);
  const laterMs = performance.now();
  for (let n = 1; n <= LATER_LOOKUPS; n++) map.find(Math.floor((lines / LATER_LOOKUPS) * n), 20);
  const lookupMs = (performance.now() - laterMs) / LATER_LOOKUPS;
  const after = measureMemory();
  process.stdout.write(
    `${[
      `bundle ${megabytes(statSync(file).size)}, map ${megabytes(statSync(`${file}.map`).size)}`,
      `found after ${foundMs.toFixed(0)} ms, the line before the last is ${last?.source}:${last?.line}`,
      `CPU ${((user + system) / 1000).toFixed(0)} ms, with the measuring loop`,
      `longest silence of the event loop ${silence.longestMs.toFixed(1)} ms`,
      `later lookups ${lookupMs.toFixed(3)} ms each`,
      `peak of the process's memory ${megabytes(process.resourceUsage().maxRSS * 1024 - rss)} above the beginning`,
      `the map uses ${megabytes(map.bytes)}; heap ${megabytes(after.heap - before.heap)} larger, external memory ${megabytes(after.external - before.external)}`,
    ].join('\n')}\n`,
  );
}

if (values.write !== undefined) writeBundle(values.write);
else {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'));
  try {
    const file = join(folder, 'bundle.js');
    const flags = ['--conditions=source', import.meta.filename, ...process.argv.slice(2)];
    execFileSync(process.execPath, [...flags, '--write', file]);
    await measure(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
