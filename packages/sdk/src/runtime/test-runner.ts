import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

type Env = Readonly<Record<string, string | undefined>>;

/** For each test runner: a pattern that matches the path of its main script. The process that runs this script starts the workers. */
const COMMANDS: ReadonlyMap<string, RegExp> = new Map([
  ['jest', /[\\/](?:jest|jest-cli)[\\/]bin[\\/]jest\.js$|[\\/]\.bin[\\/]jest$/],
  ['vitest', /[\\/]vitest[\\/]vitest\.mjs$|[\\/]\.bin[\\/]vitest$/],
]);

/** Returns the test runner to which this process belongs; undefined if it belongs to no known test runner. */
export function findTestRunner(env: Env, script: string | undefined): string | undefined {
  if (env.JEST_WORKER_ID !== undefined) return 'jest';
  if (env.VITEST !== undefined) return 'vitest';
  for (const [name, command] of COMMANDS) if (script !== undefined && command.test(script)) return name;
  return undefined;
}

const REPORTED = 'throughline.reportedTestRun';

/**
 * True if this process may print a message for the whole test run. Only one of the workers may do this, once. Node's environment data
 * stores that the message was printed. A variable cannot store this: jest gives each test file its own globals and modules, except Node's.
 */
export function mayReportForRun(env: Env): boolean {
  if ((env.VITEST_WORKER_ID ?? env.JEST_WORKER_ID ?? '1') !== '1' || getEnvironmentData(REPORTED) === true)
    return false;
  setEnvironmentData(REPORTED, true);
  return true;
}
