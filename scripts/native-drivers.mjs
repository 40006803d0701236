/**
 * Compiles database drivers with native code for `npm run test:long`, because their own installation would download a binary. The pinned
 * Node's package contains the headers.
 */
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitCode, pinnedNode, root, run } from './workspace.mjs';

const folder = join(root, '.cache', 'native-drivers');
const DRIVERS = ['better-sqlite3@13.2.0', 'sqlite3@6.0.1'];
const TOOLS = ['node-gyp@12', 'node-addon-api@8', 'bindings@1'];

/** Installs and compiles missing drivers. Returns false if there is no C++ compiler. */
export async function compileDrivers() {
  if ((await exitCode('c++', ['--version'])) !== 0) return false;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json')))
    writeFileSync(join(folder, 'package.json'), '{"private": true}');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', ...options, ...DRIVERS, ...TOOLS], { cwd: folder });
  const headers = dirname(dirname(realpathSync(pinnedNode)));
  const gyp = join(folder, 'node_modules', 'node-gyp', 'bin', 'node-gyp.js');
  for (const driver of DRIVERS) {
    const [name = ''] = driver.split('@');
    const cwd = join(folder, 'node_modules', name);
    if (existsSync(join(cwd, 'build', 'Release'))) continue;
    await run(pinnedNode, [gyp, 'rebuild', '--release', `--nodedir=${headers}`], { cwd });
  }
  return true;
}
