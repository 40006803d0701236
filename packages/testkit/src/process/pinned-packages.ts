import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

export interface PinnedPackages {
  /** Folder with a package.json and its lockfile. */
  readonly from: string;
  /** Folder of the cache, with one subfolder per lockfile. */
  readonly cache: string;
  /** Description printed during the installation. */
  readonly what: string;
  /** Changes the installed files before they are used for the first time. */
  readonly arrange?: (folder: string) => Promise<void>;
}

/**
 * Installs the packages that a lockfile pins, once. Returns their folder, whose name is the lockfile's digest. The packages are not
 * dependencies of the workspace, because only benchmarks and long tests need their hundreds of megabytes. Install scripts do not run; all
 * packages work without them.
 */
export async function installPinned({ from, cache, what, arrange }: PinnedPackages): Promise<string> {
  const files = ['package.json', 'package-lock.json'].map((name) => join(from, name));
  const digest = createHash('sha256');
  for (const file of files) digest.update(await readFile(file));
  const folder = join(cache, digest.digest('hex').slice(0, 16));
  if (await exists(join(folder, 'node_modules'))) return folder;
  process.stdout.write(`installing ${what}, once …\n`);
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, 'new-'));
  try {
    for (const file of files) await cp(file, join(fresh, basename(file)));
    await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: fresh,
    });
    await arrange?.(fresh);
    await rename(fresh, folder);
  } catch (error) {
    // A concurrent run can have installed the packages first.
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
