import fc from 'fast-check';
import { expect } from 'vitest';
import { instrument } from '../src/instrument/instrument.ts';
import { propagation } from '../src/record/async/async-parent.ts';
import { runRecording } from '../src/record/async/work-context.ts';
import { defaultLimits } from '../src/record/capture/limits.ts';
import { installRuntime } from '../src/record/frame.ts';
import type { RecordedStep } from '../src/record/recorded-step.ts';
import { Recording } from '../src/record/recording.ts';
import { compileProgram, observe, type Program, programFile } from './observe.ts';

const runtime = installRuntime();
// Under `yield*` and `for await`, the stack of a recorded generator has one more frame, of the SDK. With a high limit, this frame pushes no
// frame of the program out of the stack.
Error.stackTraceLimit = 2000;
// Removes the test runner's formatting of stacks, because the program's own formatting must be tested.
Reflect.deleteProperty(Error, 'prepareStackTrace');

/** Compiles a program. Returns undefined if the source is invalid. */
function compiled(source: string): Program | undefined {
  try {
    return compileProgram(source);
  } catch {
    return undefined;
  }
}

/** Instruments a program. Returns undefined if no parser accepts the source, such as `--f()`, which fails only when it runs. */
function rewritten(source: string): (() => Program) | undefined {
  if (runtime === undefined) throw new Error('no runtime');
  const result = instrument(source, {
    file: programFile,
    root: '/project',
    moduleKind: 'commonjs',
    language: 'js',
    reserveSites: (count) => runtime.reserveSites(count),
    withMap: false,
    withAccessors: true,
  });
  if ('skipped' in result) {
    expect(result.skipped).toMatch(/^it cannot be parsed/);
    return undefined;
  }
  runtime.addSites(result.firstSite, result.sites, programFile, result.insertions);
  const lines = /\r\n|[\n\r\u2028\u2029]/;
  expect(result.code.split(lines).length).toBe(source.split(lines).length);
  // Compiles the program again for each run: Babel's functions replace themselves when first called.
  return () => compileProgram(result.code);
}

/** True if the recursion limit was reached. This limit is lower in an instrumented program, so the observations cannot be compared. */
const isDeep = (seen: readonly string[]): boolean => seen.some((line) => line.endsWith('string overflow'));

/** Runs a program without the SDK, instrumented, and recorded. Compares the observations of the three runs. Returns the recorded steps. */
export async function compareRuns(source: string, carries: boolean): Promise<readonly RecordedStep[]> {
  const plain = compiled(source);
  const program = plain && rewritten(source);
  // Skips programs that do not compile: occasionally a random name is declared twice in one block.
  fc.pre(plain !== undefined && program !== undefined);
  const expected = await observe(plain);
  const idle = await observe(program());
  // In a host, the SDK turns context propagation on when the work of a library can become a step.
  propagation.on = carries;
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  const recorded = await runRecording(recording, () => observe(program()));
  const { flow } = recording.finish();
  fc.pre(![expected, idle, recorded].some(isDeep));
  expect(idle).toEqual(expected);
  expect(recorded).toEqual(expected);
  return flow;
}
