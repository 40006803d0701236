import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Suite } from './suites.ts';

const preloads = ['keep-fetch-unloaded.cjs', 'preload.ts'].map(
  (file) => `--require ${join(import.meta.dirname, file)}`,
);
/**
 * Maximum duration of a suite; a longer one has hung. The largest suites take more than a quarter of an hour when they are recorded on a
 * busy machine.
 */
const MAX_MS = 60 * 60_000;

/** How a suite runs: without the SDK, with all code instrumented, or with the calls recorded, too. */
export type Mode = 'plain' | 'loaded' | 'recorded';

/** Each test's name, with true if the test passed. */
export type Results = ReadonlyMap<string, boolean>;

/** Copies a checkout and installs the packages that its tests need. Returns false if the packages cannot be installed. */
export async function prepare(
  { name, tools, made = {}, build = [] }: Suite,
  checkout: string,
  folder: string,
): Promise<boolean> {
  if (existsSync(join(folder, 'node_modules'))) return true;
  cpSync(checkout, folder, { recursive: true, filter: (path) => !/[/\\](?:\.git|node_modules)$/.test(path) });
  for (const [file, text] of Object.entries(made)) writeFileSync(join(folder, file), text);
  const path = join(folder, 'package.json');
  const manifest: { devDependencies?: Record<string, string> } = JSON.parse(readFileSync(path, 'utf8'));
  const wanted = Object.entries(manifest.devDependencies ?? {}).filter(([tool]) => tools.includes(tool));
  writeFileSync(
    path,
    JSON.stringify({ ...manifest, scripts: {}, devDependencies: Object.fromEntries(wanted) }),
  );
  const args = [
    'install',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--ignore-scripts',
    '--legacy-peer-deps',
  ];
  const { code, output } = await run('npm', args, folder, {});
  if (code !== 0) {
    console.log(`${name}: its packages cannot be installed: ${output.slice(-300)}`);
    return false;
  }
  for (const step of build) {
    const built = await run(process.execPath, step, folder, {});
    if (built.code === 0) continue;
    console.log(`${name}: ${step.join(' ')} fails: ${built.output.slice(-300)}`);
    return false;
  }
  return true;
}

/** Runs a suite's tests once. Throws if the SDK traced none of them, because the comparison would then prove nothing. */
export async function runSuite({ name, args }: Suite, folder: string, mode: Mode): Promise<Results> {
  if (mode === 'plain') return readTap((await run(process.execPath, args, folder, {})).output);
  const stepsFile = `${folder}.steps`;
  rmSync(stepsFile, { force: true });
  const { output, signal } = await run(process.execPath, args, folder, {
    NODE_OPTIONS: ['--conditions=source --disable-warning=ExperimentalWarning', ...preloads].join(' '),
    FOREIGN_ROOT: folder,
    FOREIGN_MODE: mode,
    FOREIGN_STEPS: stepsFile,
  });
  if (signal !== null)
    throw new Error(`${name}, ${mode}: ended by ${signal} (after ${MAX_MS / 60_000} minutes at most)`);
  const { functions, steps } = readTraced(stepsFile);
  if (functions === 0 || (mode === 'recorded' && steps === 0))
    throw new Error(`${name}, ${mode}: ${functions} functions were traced, ${steps} steps recorded`);
  return readTap(output);
}

/** Sums the instrumented functions and the recorded steps of all processes of a suite. */
function readTraced(stepsFile: string): { functions: number; steps: number } {
  const lines = existsSync(stepsFile) ? readFileSync(stepsFile, 'utf8').trim().split('\n') : [];
  const sum = { functions: 0, steps: 0 };
  for (const line of lines) {
    const [functions = 0, steps = 0] = line.split(' ').map(Number);
    sum.functions += functions;
    sum.steps += steps;
  }
  return sum;
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; signal: NodeJS.Signals | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, timeout: MAX_MS });
    let output = '';
    const add = (text: Buffer): void => {
      output += text;
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.once('error', (error) => resolve({ code: 1, signal: null, output: error.message }));
    child.once('close', (code, signal) => resolve({ code: code ?? 1, signal, output }));
  });
}

/**
 * Reads the results of a TAP report. Identifies a test by its name, and by how often the same name came before. Times and numbers are
 * removed from names.
 */
function readTap(output: string): Results {
  const results = new Map<string, boolean>();
  for (const line of output.split('\n')) {
    const found = /^(\s*)(not )?ok \d+ ?-? ?(.*?)(?:\s*# (?:time|duration).*)?$/.exec(line);
    if (found === null) continue;
    const [, indent = '', not, name = ''] = found;
    if (/# (?:skip|todo)/i.test(name)) continue;
    let key = `${indent}${name}`;
    for (let copy = 2; results.has(key); copy++) key = `${indent}${name} (${copy})`;
    results.set(key, not === undefined);
  }
  return results;
}
