import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Begun, Compared } from './test262-worker.ts';

const program = join(import.meta.dirname, 'test262-worker.ts');
const execArgv = ['--conditions=source', '--experimental-vm-modules', '--no-warnings'];
/** Number of tests after which a process is replaced, because each test's environment leaves memory behind. */
const MAX_TESTS = 1500;
const MAX_TEST_MS = 120_000;

/** Compares the results of all tests in one part of a checkout, or of every n-th test in the part, and prints the differences. */
export async function compareTest262(
  checkout: string,
  part: string,
  every: number,
): Promise<{ passed: number; failed: number }> {
  const files = readdirSync(join(checkout, 'test', part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((_, index) => index % every === 0);
  const worker = new Worker(checkout);
  let runs = 0;
  let failed = 0;
  let failedPlain = 0;
  for (const file of files) {
    const compared = await worker.compare(file);
    runs += compared.runs;
    failed += compared.differences.length;
    failedPlain += compared.failedPlain;
    for (const { mode, plain, got } of compared.differences)
      console.log(`${relative(checkout, file)}, ${mode}: ${plain} plain, ${got}`);
  }
  worker.end();
  console.log(
    `test262: ${files.length} files, ${runs} runs compared, ${failed} end otherwise (${failedPlain} fail plain)`,
  );
  return { passed: runs - failed, failed };
}

/** A process that compares one test after another. If it ends or hangs, another process replaces it. */
class Worker {
  readonly #checkout: string;
  #child: ChildProcess | undefined;
  #tests = 0;

  constructor(checkout: string) {
    this.#checkout = checkout;
  }

  compare(path: string): Promise<Compared> {
    if (this.#tests++ >= MAX_TESTS) this.end();
    this.#child ??= fork(program, [this.#checkout], {
      execArgv,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const child = this.#child;
    return new Promise((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), MAX_TEST_MS);
      let begun: Begun['begun'] = 'plain';
      const onEnd = (): void => {
        clearTimeout(timer);
        this.#child = undefined;
        const ended = { mode: 'any', plain: 'an end', got: 'the process ended' };
        const isPlain = begun === 'plain';
        resolve({ path, runs: 1, failedPlain: isPlain ? 1 : 0, differences: isPlain ? [] : [ended] });
      };
      const onMessage = (message: Begun | Compared): void => {
        if ('begun' in message) {
          begun = message.begun;
          return;
        }
        clearTimeout(timer);
        child.off('exit', onEnd);
        child.off('message', onMessage);
        resolve(message);
      };
      child.once('exit', onEnd);
      child.on('message', onMessage);
      child.send(path);
    });
  }

  end(): void {
    this.#child?.removeAllListeners('exit');
    this.#child?.kill();
    this.#child = undefined;
    this.#tests = 0;
  }
}
