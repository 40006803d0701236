/** Running stages and counting what passed and failed, for `npm test` and `npm run test:long`. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { childEnv, exitCode, root } from '../workspace.mjs';
import { failuresOfPlaywright, failuresOfVitest, findFlaky } from './failures.mjs';

/**
 * `failures` say which failed and why, as far as the runner told.
 *
 * @typedef {{ passed: number, failed: number, skipped: number, failures?: readonly string[] }} Count
 */
/**
 * Stages that follow one another with the same `group` run at the same time, since each leaves a processor idle now and then. `label` is what each
 * line of their output then starts with.
 *
 * @typedef {{ name: string, group?: string, run: (label?: string) => Promise<Count> }} Stage
 */

/** @returns {Count} */
export function none() {
  return { passed: 0, failed: 0, skipped: 0 };
}

/** @param {Count} total @param {Count} more */
export function add(total, more) {
  total.passed += more.passed;
  total.failed += more.failed;
  total.skipped += more.skipped;
  total.failures = [...(total.failures ?? []), ...(more.failures ?? [])];
}

/**
 * A runner that failed for a reason that no test of it names still counts as one failure.
 *
 * @param {Count} told
 * @param {string} runner
 * @param {number} code
 * @returns {Count}
 */
function withExitCode(told, runner, code) {
  if (told.failed > 0 || code === 0) return told;
  return {
    ...told,
    failed: 1,
    failures: [
      ...(told.failures ?? []),
      `${runner} ended with exit code ${code}, though no test of it failed.`,
    ],
  };
}

/** @param {string} runner @returns {Count} */
function untold(runner) {
  return { passed: 0, failed: 1, skipped: 0, failures: [`${runner} wrote no report.`] };
}

/**
 * Vitest's own count, by the report that it writes to `file`. A file that could not be loaded counts as a failure.
 *
 * @param {readonly string[]} args
 * @param {string} file
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [label]
 * @returns {Promise<Count>}
 */
export async function vitest(args, file, env = {}, label = undefined) {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const code = await exitCode(
    'vitest',
    ['run', '--reporter=default', '--reporter=json', `--outputFile=${file}`, ...args],
    { env: childEnv(env), label },
  );
  const report = read(file);
  if (report === undefined) return untold('vitest');
  const suites = report.testResults.filter(
    /** @param {{ status: string, assertionResults: unknown[] }} suite */
    (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
  ).length;
  const told = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + suites,
    skipped: report.numPendingTests,
    failures: failuresOfVitest(report),
  };
  return withExitCode(told, 'vitest', code);
}

/**
 * The browser tests' own count, by the report that they write to `file`.
 *
 * @param {readonly string[]} args
 * @param {string} file
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [label]
 * @returns {Promise<Count>}
 */
export async function playwright(args, file, env = {}, label = undefined) {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const code = await exitCode(
    'playwright',
    ['test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json', ...args],
    { env: childEnv({ PLAYWRIGHT_JSON_OUTPUT_NAME: file, ...env }), label },
  );
  const report = read(file);
  if (report?.stats === undefined) return untold('playwright');
  for (const name of findFlaky(report)) console.log(`Passed only when tried again: ${name}`);
  const { expected, flaky, unexpected, skipped } = report.stats;
  const told = {
    passed: expected + flaky,
    failed: unexpected,
    skipped,
    failures: failuresOfPlaywright(report),
  };
  return withExitCode(told, 'playwright', code);
}

/** @param {string} file */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * The count of a program that ends with the line `N passed, N failed`.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Count>}
 */
export function program(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: childEnv(env),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let tail = '';
    child.stdout.on('data', (text) => {
      process.stdout.write(text);
      tail = (tail + text).slice(-10_000);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      const [, passed = 0, failed = 0] = [...tail.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1) ?? [];
      const told = { passed: Number(passed), failed: Number(failed), skipped: 0 };
      const name = [command, ...args].join(' ');
      const ended = code ?? 1;
      resolve(withExitCode(told, name, told.passed > 0 ? ended : ended || 1));
    });
  });
}

/**
 * The stages that `--only=NAME,NAME` names, else all. Ends the process where it names none.
 *
 * @param {readonly Stage[]} stages
 */
export function chosen(stages) {
  const only = process.argv
    .find((arg) => arg.startsWith('--only='))
    ?.slice('--only='.length)
    .split(',');
  const unknown = only?.filter((name) => stages.every((stage) => stage.name !== name)) ?? [];
  if (unknown.length > 0) {
    console.error(`--only takes ${stages.map((stage) => stage.name).join(', ')}; not ${unknown.join(', ')}.`);
    process.exit(2);
  }
  return stages.filter(({ name }) => only === undefined || only.includes(name));
}

/**
 * Runs them in turn, says the count of each, once more what failed, and the count of all, and sets the exit code: 0 only when none failed
 * and some ran, or were skipped.
 *
 * @param {readonly Stage[]} stages
 */
export async function runAll(stages) {
  const total = none();
  for (const group of together(stages)) {
    const isAlone = group.length === 1;
    const results = await Promise.all(
      group.map((stage) => runStage(stage, isAlone ? undefined : stage.name)),
    );
    for (const result of results) add(total, result);
  }
  for (const failure of total.failures ?? []) console.log(`✖ ${failure}\n`);
  console.log(
    `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
  );
  process.exitCode = total.failed === 0 && total.passed + total.skipped > 0 ? 0 : 1;
}

/**
 * Stages of the same group that follow one another together, any other alone.
 *
 * @param {readonly Stage[]} stages
 */
function together(stages) {
  /** @type {Stage[][]} */
  const groups = [];
  for (const stage of stages) {
    const last = groups.at(-1);
    if (stage.group !== undefined && last?.[0]?.group === stage.group) last.push(stage);
    else groups.push([stage]);
  }
  return groups;
}

/** @param {Stage} stage @param {string | undefined} label @returns {Promise<Count>} */
async function runStage({ name, run }, label) {
  const started = Date.now();
  const result = await run(label);
  console.log(
    `${name}: ${result.passed} of ${result.passed + result.failed} in ${Math.round((Date.now() - started) / 1000)} s\n`,
  );
  return result;
}
