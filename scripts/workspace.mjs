/**
 * Prepares the workspace for a command: finds the root and the pinned Node, installs packages and builds parts. Plain JavaScript without
 * imports from packages, because it runs before anything is installed, on Node 20 or later.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules', '.bin');
/** Folder that stores, for each part, the fingerprint of the sources of its last build. */
const STAMPS = join(root, '.cache', 'build');

/** Path of the Node that the product runs on, regardless of the Node that runs this script. */
export const pinnedNode = join(root, 'node_modules', 'node', 'bin', 'node');

/** Builds an environment in which commands of packages find the pinned Node first. */
export function childEnv(extra = {}) {
  return { ...process.env, PATH: `${bin}:${process.env.PATH ?? ''}`, ...extra };
}

/**
 * Runs a command to its end and shows its output. Throws an error with the command's name if it fails.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
 */
export async function run(command, args, options = {}) {
  const code = await exitCode(command, args, options);
  if (code !== 0) throw new Error(`\`${command} ${args.join(' ')}\` failed (exit ${code}).`);
}

/**
 * Runs a command to its end. Returns its exit code, or 1 if a signal ended it. If `label` is given, each line of output starts with it,
 * to show which of several concurrent commands printed the line.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, label?: string | undefined }} [options]
 * @returns {Promise<number>}
 */
export function exitCode(command, args, { cwd = root, env = childEnv(), quiet, label } = {}) {
  const shown = label === undefined ? 'inherit' : 'pipe';
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: label !== undefined && process.stdout.isTTY ? { FORCE_COLOR: '1', ...env } : env,
      stdio: ['ignore', quiet === true ? 'ignore' : shown, shown],
    });
    const shownAll = [child.stdout, child.stderr].map((stream) => showLines(stream, label));
    child.once('error', reject);
    child.once('exit', (code) => {
      // After a command has ended, a process that the command left running can keep the output open.
      const limit = new Promise((stop) => setTimeout(stop, OUTPUT_LIMIT_MS).unref());
      void Promise.race([Promise.all(shownAll), limit]).then(() => {
        for (const stream of [child.stdout, child.stderr]) stream?.destroy();
        resolve(code ?? 1);
      });
    });
  });
}

/** Time to wait for the remaining output after a command has ended. */
const OUTPUT_LIMIT_MS = 2000;

/**
 * Prints the output of a command line by line, so that lines of concurrent commands are not mixed.
 *
 * @param {import('node:stream').Readable | null} stream
 * @param {string | undefined} label
 */
async function showLines(stream, label) {
  if (stream === null) return;
  for await (const line of createInterface({ input: stream })) console.log(`${label} │ ${line}`);
}

/** Installs the packages if any are missing or differ from the version in the lockfile. */
export async function ensureInstalled() {
  if (existsSync(pinnedNode) && hasAllPackages()) return;
  console.log('Installing packages (once; about a minute) …');
  await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { env: { ...process.env } });
}

/**
 * Returns true if the lockfile that npm wrote at its last install contains the required packages of package-lock.json in the same versions.
 * Does not compare the files' dates, because a git checkout changes them.
 */
function hasAllPackages() {
  const noted = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(noted)) return false;
  const installed = packagesIn(noted);
  return Object.entries(packagesIn(join(root, 'package-lock.json'))).every(
    ([path, wanted]) =>
      !path.includes('node_modules/') ||
      wanted.optional === true ||
      installed[path]?.version === wanted.version,
  );
}

/**
 * @param {string} lockfile
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesIn(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}

/**
 * The parts to build. No part needs the build of another part, because each part reads the sources of the other parts.
 *
 * @type {readonly { name: string, dir: string, inputs: readonly string[], outputs: readonly string[] }[]}
 */
const PARTS = [
  {
    name: 'contract',
    dir: 'packages/contract',
    inputs: ['packages/contract'],
    outputs: ['packages/contract/dist'],
  },
  {
    name: 'SDK',
    dir: 'packages/sdk',
    inputs: ['packages/sdk', 'packages/contract/src'],
    outputs: ['packages/sdk/dist', 'packages/sdk/packed/throughline-node.tgz'],
  },
  {
    name: 'server',
    dir: 'apps/server',
    inputs: ['apps/server', 'packages/contract/src'],
    outputs: ['apps/server/dist'],
  },
  {
    name: 'dashboard',
    dir: 'apps/dashboard',
    inputs: ['apps/dashboard', 'packages/contract/src'],
    outputs: ['apps/dashboard/dist'],
  },
  {
    name: 'demo shop',
    dir: 'apps/demo',
    inputs: ['apps/demo/src/database'],
    outputs: ['apps/demo/.cache'],
  },
];

/** Builds all parts whose sources have changed since their last build, concurrently. Throws if a build fails. */
export async function ensureBuilt() {
  mkdirSync(STAMPS, { recursive: true });
  const built = await Promise.allSettled(PARTS.map(ensurePartBuilt));
  for (const outcome of built) if (outcome.status === 'rejected') throw outcome.reason;
}

/** @param {typeof PARTS[number]} part */
async function ensurePartBuilt({ name, dir, inputs, outputs }) {
  const stamp = join(STAMPS, dir.replaceAll('/', '-'));
  const sources = fingerprint(inputs);
  const current =
    outputs.every((path) => existsSync(join(root, path))) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === sources;
  if (current) return;
  console.log(`Building the ${name} …`);
  rmSync(stamp, { force: true });
  await run('npm', ['run', '--silent', 'build'], { cwd: join(root, dir) });
  writeFileSync(stamp, sources);
}

/**
 * Returns a hash of the lockfile, tsconfig.base.json and every source file in the given folders.
 *
 * @param {readonly string[]} folders
 */
function fingerprint(folders) {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'tsconfig.base.json', ...folders.flatMap(sourceFiles)]) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

const NOT_SOURCE = new Set(['node_modules', 'dist', 'packed', 'fixtures', '.cache', '.data']);

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourceFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !NOT_SOURCE.has(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? sourceFiles(path) : [path];
    });
}
