import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instrument } from '../../packages/sdk/src/instrument/instrument.ts';

const files = 500;
const template = readFileSync(
  join(import.meta.dirname, '../fixtures', 'express-orders', 'orders.js'),
  'utf8',
);

interface Run {
  /** True to keep the process running for 5 s, so that the instrumented code is cached. */
  readonly stay?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** A host of 500 files of about 2 kB in a folder of its own. Like every service, it loads Node's http module, also without a tracer. */
export class ManyFiles {
  private readonly folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'));

  constructor() {
    const put = (name: string, text: string) => writeFileSync(join(this.folder, name), text);
    put('package.json', '{"name":"many-files","type":"commonjs"}');
    const modules = join(this.folder, 'node_modules');
    mkdirSync(modules);
    symlinkSync(
      join(import.meta.dirname, '../..', 'node_modules', '@throughline'),
      join(modules, '@throughline'),
    );
    for (let file = 0; file < files; file++) put(`part-${file}.js`, template);
    const all = Array.from({ length: files }, (_, file) => `require('./part-${file}.js');`);
    // If there is an argument, the process keeps running for 5 s, as services do.
    put(
      'app.js',
      `require('node:http');\n${all.join('\n')}\nif (process.argv[2]) setTimeout(() => {}, 5000);`,
    );
  }

  /** Runs the host. Returns the milliseconds from the start to the end of its process. */
  time(flags: readonly string[], { stay = false, env = {} }: Run = {}): number {
    const started = performance.now();
    const { status } = spawnSync(process.execPath, [...flags, 'app.js', ...(stay ? ['stay'] : [])], {
      cwd: this.folder,
      env: { THROUGHLINE_API_KEY: 'tl_x', THROUGHLINE_URL: 'http://127.0.0.1:9', ...env },
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error('the many files did not load');
    return performance.now() - started;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

const traced = ['--import', '@throughline/node/auto'];

/**
 * Returns how many milliseconds the SDK adds to the host's start. If `isLater` is false, measures the first start, when nothing is cached.
 * If it is true, measures a start after a run that lasted long enough to cache the instrumented code.
 */
export function startUpAdded(isLater: boolean): number {
  const host = new ManyFiles();
  try {
    if (isLater) host.time(traced, { stay: true });
    const plain = host.time([]);
    return host.time(traced) - plain;
  } finally {
    host.remove();
  }
}

/** Returns how many milliseconds the recording of source text adds to the first start, when nothing is cached. */
export function sourceStartAdded(): number {
  const [withSource, without] = [new ManyFiles(), new ManyFiles()];
  try {
    const base = without.time(traced, { env: { THROUGHLINE_SOURCE: 'off' } });
    return withSource.time(traced) - base;
  } finally {
    withSource.remove();
    without.remove();
  }
}

/** Returns, for each round, how many MB of source are instrumented per second on one thread, after a warm-up. */
export function instrumentingSpeed(rounds: number): number[] {
  let count = 0;
  const once = (file: string) => {
    // The counter makes each text different. V8 would check identical texts only once.
    const done = instrument(`${template}\n// ${count++}`, {
      file: `/shop/${file}`,
      root: '/shop',
      moduleKind: 'commonjs',
      language: 'js',
      reserveSites: () => 0,
      withMap: false,
    });
    if ('skipped' in done) throw new Error(`the file was skipped: ${done.skipped}`);
  };
  for (let file = 0; file < files; file++) once(`warm-${file}.js`);
  return Array.from({ length: rounds }, () => {
    const started = performance.now();
    for (let file = 0; file < files; file++) once(`part-${file}.js`);
    return (files * Buffer.byteLength(template)) / 1e6 / ((performance.now() - started) / 1000);
  });
}
