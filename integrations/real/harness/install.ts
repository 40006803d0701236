import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { installPinned } from '@throughline/testkit/pinned-packages';
import { satisfies } from 'semver';
import { appNode } from '../../harness/app.ts';
import type { RealService } from './service.ts';

const run = promisify(execFile);

/**
 * Installs a service in the versions of its lockfile. Moves the packages with the service's own source out of node_modules, because
 * functions in node_modules count as a library's functions. Returns the folder of the moved packages, or undefined if npm cannot install
 * the service.
 */
export async function installService({ name, own, tarballs }: RealService): Promise<string | undefined> {
  const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  try {
    const folder = await installPinned({
      from: join(import.meta.dirname, '..', name, 'packages'),
      cache: join(caches, 'throughline', 'real', name),
      what: name,
      arrange: async (fresh) => {
        if (tarballs !== undefined) await unpackTarballs(join(fresh, 'node_modules'), tarballs);
        await moveOwn(fresh, own);
      },
    });
    return join(folder, 'services');
  } catch (error) {
    console.log(`${name}: skipped, since npm cannot install it: ${String(error).split('\n')[0]}`);
    return undefined;
  }
}

/** Explains why the service does not run on the Node of the apps, by the `engines` of its packages; undefined if it does. */
export async function explainUnsupportedNode(
  installed: string,
  { own }: RealService,
): Promise<string | undefined> {
  const version = (await run(appNode, ['--version'])).stdout.trim();
  for (const name of own) {
    const { engines } = Object(JSON.parse(await readFile(join(installed, name, 'package.json'), 'utf8')));
    const { node } = Object(engines);
    if (typeof node === 'string' && !satisfies(version, node)) return `${name} requires Node ${node}`;
  }
  return undefined;
}

async function moveOwn(folder: string, own: readonly string[]): Promise<void> {
  for (const name of own) {
    const installed = join(folder, 'node_modules', name);
    const moved = join(folder, 'services', name);
    await mkdir(dirname(moved), { recursive: true });
    await rename(installed, moved);
    await symlink(relative(dirname(installed), moved), installed);
  }
  // Declares the packages as workspaces of one project, as they are in the service's repository. Each package therefore counts as own code.
  await writeFile(join(folder, 'services', 'package.json'), JSON.stringify({ workspaces: own }));
}

/** Replaces the empty packages by the packages in the tarballs. */
async function unpackTarballs(modules: string, tarballs: string): Promise<void> {
  const folder = join(modules, tarballs);
  for (const file of await readdir(folder)) {
    const fresh = await mkdtemp(join(folder, 'unpacked-'));
    await run('tar', ['-xzf', join(folder, file), '-C', fresh, '--strip-components=1']);
    const name = readName(JSON.parse(await readFile(join(fresh, 'package.json'), 'utf8')));
    await rm(join(modules, name), { recursive: true, force: true });
    await rename(fresh, join(modules, name));
  }
}

function readName(manifest: unknown): string {
  const { name } = Object(manifest);
  if (typeof name === 'string') return name;
  throw new Error('a package.json without a name');
}
