/**
 * Preloads the SDK in the processes of a library's own tests. Must be loaded with `--require`: an imported module would replace
 * `Module.runMain` only after Node has read that property. Traces the library's whole checkout. With `FOREIGN_MODE=recorded`, all code that
 * runs is recorded, in one recording after another.
 */
import { appendFileSync } from 'node:fs';
import Module from 'node:module';
import { installLoaders } from '../../src/loaders/install.ts';
import { runRecording, WorkContext } from '../../src/record/async/work-context.ts';
import { defaultLimits } from '../../src/record/capture/limits.ts';
import { installRuntime } from '../../src/record/frame.ts';
import { Recording } from '../../src/record/recording.ts';

const { FOREIGN_ROOT: root = process.cwd(), FOREIGN_MODE: mode, FOREIGN_STEPS: stepsFile } = process.env;
/** The number of steps after which the next recording begins, so that no recording reaches its limit. */
const MAX_STEPS = 1000;

installLoaders({ root, include: [], exclude: [], accessors: true, report: () => undefined });

let steps = 0;
if (mode === 'recorded') {
  const start = (): Recording => new Recording({ capture: 'all', limits: defaultLimits });
  let current = start();
  const next = (): Recording => {
    if (current.steps.length > MAX_STEPS) {
      steps += current.steps.length;
      current.drop();
      current = start();
    }
    return current;
  };
  process.on('exit', () => {
    steps += current.steps.length;
  });
  // Work that a step of an earlier recording started is recorded in the current recording, because one test can start all tests after it.
  const readStep = Object.getOwnPropertyDescriptor(WorkContext.prototype, 'step')?.get;
  Object.defineProperty(WorkContext.prototype, 'recording', { get: next });
  Object.defineProperty(WorkContext.prototype, 'step', {
    get(this: WorkContext) {
      const step: WorkContext['step'] = readStep?.call(this);
      return step?.recording === current ? step : null;
    },
  });
  const runMain: unknown = Reflect.get(Module, 'runMain');
  if (typeof runMain !== 'function') throw new Error('this Node has no Module.runMain');
  Reflect.set(Module, 'runMain', (...args: unknown[]) => {
    runRecording(current, () => {
      Reflect.apply(runMain, Module, args);
    });
  });
}

if (stepsFile !== undefined) {
  // The counts are written to a file, because some tests check the output of their processes.
  process.on('exit', () => appendFileSync(stepsFile, `${installRuntime()?.reserveSites(0) ?? 0} ${steps}\n`));
}

const putBack: unknown = Reflect.get(globalThis, Symbol.for('throughline.test.putBack'));
if (typeof putBack === 'function') putBack();
