import { cp, mkdir, rename, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { installPinned } from '@throughline/testkit/pinned-packages';
import { packaged } from './services.ts';

/**
 * Installs the published services in the versions in the lockfile in `packages/`, and adds the benchmark's own service. Returns
 * the folder, which has a subfolder per service. The folder is outside the project, so that no service can load the project's packages.
 */
export async function installServices(): Promise<string> {
  const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = await installPinned({
    from: join(import.meta.dirname, 'packages'),
    cache: join(caches, 'throughline', 'bench-real'),
    what: 'the services',
    arrange: moveOutOfModules,
  });
  const own = join(folder, 'services');
  await cp(join(import.meta.dirname, 'services'), own, { recursive: true });
  return own;
}

/** Moves each service out of node_modules, since code in node_modules counts as a library and not as the host's own code. */
async function moveOutOfModules(folder: string): Promise<void> {
  for (const { name, packageName } of packaged) {
    const installed = join(folder, 'node_modules', packageName);
    const own = join(folder, 'services', name);
    await mkdir(dirname(own), { recursive: true });
    await rename(installed, own);
    await symlink(relative(dirname(installed), own), installed);
  }
}
