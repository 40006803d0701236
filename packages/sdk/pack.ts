/**
 * Builds the SDK and packs it as it is published: packed/throughline-node.tgz, which the Throughline server serves. The package.json in the
 * archive lacks the parts that only the workspace needs: the export condition `source`, the scripts and the development dependencies.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from './package.json' with { type: 'json' };

const here = import.meta.dirname;
const packed = join(here, 'packed');

await import('./build.ts');
const staged = mkdtempSync(join(tmpdir(), 'throughline-pack-'));
try {
  for (const part of ['dist', 'README.md']) cpSync(join(here, part), join(staged, part), { recursive: true });
  cpSync(join(here, '..', '..', 'LICENSE'), join(staged, 'LICENSE'));
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(buildManifest(), null, 2)}\n`);
  mkdirSync(packed, { recursive: true });
  const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', packed], {
    cwd: staged,
    encoding: 'utf8',
  });
  renameSync(join(packed, name.trim()), join(packed, 'throughline-node.tgz'));
} finally {
  rmSync(staged, { recursive: true });
}

function buildManifest(): object {
  const { scripts: _scripts, devDependencies: _development, exports, ...rest } = manifest;
  const entryPoints = Object.entries(exports).map(([name, entryPoint]) => {
    if (typeof entryPoint === 'string') return [name, entryPoint];
    const { source: _source, ...conditions } = entryPoint;
    return [name, conditions];
  });
  return { ...rest, exports: Object.fromEntries(entryPoints) };
}
