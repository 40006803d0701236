import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const cache = join(import.meta.dirname, '..', '..', '.cache', 'bench-peers');
const files = ['package.json', 'package-lock.json'].map((name) =>
  join(import.meta.dirname, 'packages', name),
);

/**
 * Installs what we are compared with, in the versions that the lockfile in `packages/` pins, and resolves with the folder. Kept in `.cache/` by the
 * lockfile's digest: 330 MB that nobody needs who does not run this benchmark, so they are no dependencies of the workspace. No install
 * script runs; all of them work without.
 */
export async function installPeers(): Promise<string> {
  const digest = createHash('sha256');
  for (const file of files) digest.update(await readFile(file));
  const folder = join(cache, digest.digest('hex').slice(0, 16));
  if (await exists(join(folder, 'node_modules'))) return folder;
  process.stdout.write('installing what we are compared with, once …\n');
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, 'new-'));
  try {
    for (const file of files) await cp(file, join(fresh, basename(file)));
    await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: fresh,
    });
    await rename(fresh, folder);
  } catch (error) {
    // Another run was faster.
    if (!(await exists(join(folder, 'node_modules')))) throw error;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return folder;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
