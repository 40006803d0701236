/** Runs stages and counts passed and failed tests, for `npm test` and `npm run test:long`. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { childEnv, exitCode, root } from '../workspace.mjs';
import { failuresOfPlaywright, failuresOfVitest, findFlaky } from './failures.mjs';

/**
 * `failures` contains the failed tests with their messages, as far as the runner reported them.
 *
 * @typedef {{ passed: number, failed: number, skipped: number, failures?: readonly string[] }} Count
 */
/**
 * Consecutive stages with the same `group` run at the same time, because no single stage always uses all processors. Each line of their
 * output starts with `label`.
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
 * Counts one failure if the runner failed but reported no failed test.
 *
 * @param {Count} counted
 * @param {string} runner
 * @param {number} code
 * @returns {Count}
 */
function withExitCode(counted, runner, code) {
  if (counted.failed > 0 || code === 0) return counted;
  return {
    ...counted,
    failed: 1,
    failures: [
      ...(counted.failures ?? []),
      `${runner} ended with exit code ${code}, though no test of it failed.`,
    ],
  };
}

/** @param {string} runner @returns {Count} */
function failWithoutReport(runner) {
  return { passed: 0, failed: 1, skipped: 0, failures: [`${runner} wrote no report.`] };
}

/**
 * Returns vitest's counts from the report that it writes to `file`. A file that could not be loaded counts as a failure.
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
  if (report === undefined) return failWithoutReport('vitest');
  const suites = report.testResults.filter(
    /** @param {{ status: string, assertionResults: unknown[] }} suite */
    (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
  ).length;
  const counted = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + suites,
    skipped: report.numPendingTests,
    failures: failuresOfVitest(report),
  };
  return withExitCode(counted, 'vitest', code);
}

/**
 * Returns the counts of the browser tests from the report that Playwright writes to `file`.
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
  if (report?.stats === undefined) return failWithoutReport('playwright');
  for (const name of findFlaky(report)) console.log(`Passed only when tried again: ${name}`);
  const { expected, flaky, unexpected, skipped } = report.stats;
  const counted = {
    passed: expected + flaky,
    failed: unexpected,
    skipped,
    failures: failuresOfPlaywright(report),
  };
  return withExitCode(counted, 'playwright', code);
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
 * Returns the counts of a program whose last line is `N passed, N failed`.
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
      const counted = { passed: Number(passed), failed: Number(failed), skipped: 0 };
      const name = [command, ...args].join(' ');
      const ended = code ?? 1;
      resolve(withExitCode(counted, name, counted.passed > 0 ? ended : ended || 1));
    });
  });
}

/**
 * Returns the stages that `--only=NAME,NAME` names, or all stages without that argument. A name such as `real` also means all stages whose
 * names begin with `real-`. Ends the process if a name means no stage.
 *
 * @param {readonly Stage[]} stages
 */
export function chosen(stages) {
  const only = process.argv
    .find((arg) => arg.startsWith('--only='))
    ?.slice('--only='.length)
    .split(',');
  /** @param {string} name @param {Stage} stage */
  const isMeant = (name, stage) => stage.name === name || stage.name.startsWith(`${name}-`);
  const unknown = only?.filter((name) => !stages.some((stage) => isMeant(name, stage))) ?? [];
  if (unknown.length > 0) {
    console.error(`--only takes ${stages.map((stage) => stage.name).join(', ')}; not ${unknown.join(', ')}.`);
    process.exit(2);
  }
  return stages.filter((stage) => only?.some((name) => isMeant(name, stage)) ?? true);
}

/**
 * Runs the stages of one group at the same time, and the groups one after the other. Prints the counts of each stage, then all failures
 * again and the total. Sets the exit code to 0 only if no test failed and at least one test ran or was skipped.
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
 * Groups consecutive stages with the same group; any other stage is a group of its own.
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
