import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

type Env = Readonly<Record<string, string | undefined>>;

/** Commands of the test runners, as run by the process that starts their workers. */
const COMMANDS: ReadonlyMap<string, RegExp> = new Map([
  ['jest', /[\\/](?:jest|jest-cli)[\\/]bin[\\/]jest\.js$|[\\/]\.bin[\\/]jest$/],
  ['vitest', /[\\/]vitest[\\/]vitest\.mjs$|[\\/]\.bin[\\/]vitest$/],
]);

/** Returns the known test runner that this process belongs to, if any. */
export function findTestRunner(env: Env, script: string | undefined): string | undefined {
  if (env.JEST_WORKER_ID !== undefined) return 'jest';
  if (env.VITEST !== undefined) return 'vitest';
  for (const [name, command] of COMMANDS) if (script !== undefined && command.test(script)) return name;
  return undefined;
}

const TOLD = 'throughline.toldOfTests';

/**
 * True if this process may print a message about the whole test run: once, in one of its workers. jest gives each test file its own
 * globals and modules, except Node's.
 */
export function speaksForRun(env: Env): boolean {
  if ((env.VITEST_WORKER_ID ?? env.JEST_WORKER_ID ?? '1') !== '1' || getEnvironmentData(TOLD) === true)
    return false;
  setEnvironmentData(TOLD, true);
  return true;
}
