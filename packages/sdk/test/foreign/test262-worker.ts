/**
 * Runs test262 tests without the SDK (plain), instrumented (loaded), and instrumented and recorded. Receives the checkout's folder as an
 * argument, and the paths of tests from the parent process. Sends back, for each path, where the results differ.
 */
import { readFileSync } from 'node:fs';
import { runRecording } from '../../src/record/async/work-context.ts';
import { defaultLimits } from '../../src/record/capture/limits.ts';
import { installRuntime } from '../../src/record/frame.ts';
import { Recording } from '../../src/record/recording.ts';
import { readCase } from './test262-case.ts';
import { instrumenting, type Rewrite, Test262Runner } from './test262-run.ts';

/**
 * The message sent when a run begins. If the worker's process ends during a plain run, this message shows the parent process that the SDK
 * cannot be the cause.
 */
export interface Begun {
  readonly begun: 'plain' | 'instrumented';
}

/** The comparison of one file: the number of runs, and the results that differ. */
export interface Compared {
  readonly path: string;
  readonly runs: number;
  readonly failedPlain: number;
  readonly differences: readonly { readonly mode: string; readonly plain: string; readonly got: string }[];
}

const checkout = process.argv[2] ?? '';
const runtime = installRuntime();
if (runtime === undefined) throw new Error('no runtime');
const runner = new Test262Runner(checkout);
const loaded = instrumenting(runtime);
const plainly: Rewrite = (source) => source;
// Some tests leave promises whose rejection nothing handles, which would end the process.
process.on('unhandledRejection', () => undefined);

function tellBegun(begun: Begun['begun']): void {
  process.send?.({ begun } satisfies Begun);
}

async function compare(path: string): Promise<Compared> {
  const test = readCase(path, readFileSync(path, 'utf8'));
  const differences: Compared['differences'][number][] = [];
  let runs = 0;
  let failedPlain = 0;
  for (const strictness of test?.strictness ?? []) {
    if (test === undefined) break;
    tellBegun('plain');
    const plain = await runner.run(test, strictness, plainly);
    tellBegun('instrumented');
    if (plain !== 'passed') failedPlain++;
    const recording = new Recording({ capture: 'all', limits: defaultLimits });
    const ends = {
      loaded: await runner.run(test, strictness, loaded),
      recorded: await runRecording(recording, () => runner.run(test, strictness, loaded)),
    };
    recording.finish();
    for (const [mode, got] of Object.entries(ends)) {
      runs++;
      if (got !== plain) differences.push({ mode: `${strictness}, ${mode}`, plain, got });
    }
  }
  return { path, runs, failedPlain, differences };
}

process.on('message', (path: string) => {
  void compare(path).then((compared) => process.send?.(compared));
});
