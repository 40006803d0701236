import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instrument } from '../packages/sdk/src/instrument/instrument.ts';

const files = 500;
const template = readFileSync(join(import.meta.dirname, 'fixtures', 'express-orders', 'orders.js'), 'utf8');

/** Each round: the wall time that loading 500 files of about 2 kB takes longer with the SDK than without. Milliseconds. */
export function startUpAdded(rounds: number): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{"name":"many-files","type":"commonjs"}');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(
      join(import.meta.dirname, '..', 'node_modules', '@throughline'),
      join(folder, 'node_modules', '@throughline'),
    );
    for (let file = 0; file < files; file++) writeFileSync(join(folder, `part-${file}.js`), template);
    const all = Array.from({ length: files }, (_, file) => `require('./part-${file}.js');`);
    writeFileSync(join(folder, 'app.js'), all.join('\n'));
    const time = (flags: readonly string[]) => {
      const started = performance.now();
      const { status } = spawnSync(process.execPath, [...flags, 'app.js'], {
        cwd: folder,
        env: { THROUGHLINE_API_KEY: 'tl_x', THROUGHLINE_URL: 'http://127.0.0.1:9' },
        stdio: 'inherit',
      });
      if (status !== 0) throw new Error('the many files did not load');
      return performance.now() - started;
    };
    const measured: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const plain = time([]);
      measured.push(time(['--import', '@throughline/node/auto']) - plain);
    }
    return measured;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Each round: MB of source instrumented a second, on one thread, once warm. */
export function instrumentingSpeed(rounds: number): number[] {
  const once = (file: string) => {
    const done = instrument(template, {
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
