/**
 * bench: runs every `bench:…` script of the root package.json in sequence.
 *
 *   npm run build && npm run bench [-- --quick] [-- --json FILE]
 *
 * `--json FILE` writes a list with the output of each script. Exits with an error if any script failed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import root from '../package.json' with { type: 'json' };

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-all-'));
const reports: unknown[] = [];
const failed: string[] = [];
for (const script of Object.keys(root.scripts).filter((name) => name.startsWith('bench:'))) {
  const file = join(folder, `${script.replace(':', '-')}.json`);
  const args = ['run', '--silent', script, '--', '--json', file, ...(options.quick ? ['--quick'] : [])];
  const { status } = spawnSync('npm', args, { cwd: join(import.meta.dirname, '..'), stdio: 'inherit' });
  if (status === 0) reports.push(JSON.parse(readFileSync(file, 'utf8')));
  else failed.push(script);
}
rmSync(folder, { recursive: true });
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(reports, null, 2)}\n`);
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
