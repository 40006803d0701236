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
// Under `yield*` and `for await` a recorded generator has a frame of ours below it: it must not push one of the program's out.
Error.stackTraceLimit = 2000;
// The test runner formats stacks itself, and then none is read.
Reflect.deleteProperty(Error, 'prepareStackTrace');

/** Undefined for what is no program. */
function compiled(source: string): Program | undefined {
  try {
    return compileProgram(source);
  } catch {
    return undefined;
  }
}

/** The program as it is rewritten; undefined where no parser reads it, such as `--f()`, which fails only when it is run. */
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
  // A program of its own each time: Babel's functions replace themselves when they are first called.
  return () => compileProgram(result.code);
}

/** How deep a program may recurse is not the same once it is rewritten. */
const isDeep = (seen: readonly string[]): boolean => seen.some((line) => line.endsWith('string overflow'));

/** Runs a program as it is, rewritten, and recorded, and compares what is seen of it. Returns the steps that were recorded. */
export async function compareRuns(source: string, carries: boolean): Promise<readonly RecordedStep[]> {
  const plain = compiled(source);
  const program = plain && rewritten(source);
  // Now and then a random name stands twice in one block.
  fc.pre(plain !== undefined && program !== undefined);
  const expected = await observe(plain);
  const idle = await observe(program());
  // As it is in half of all hosts: those with a library whose work becomes steps.
  propagation.on = carries;
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  const recorded = await runRecording(recording, () => observe(program()));
  const { flow } = recording.finish();
  fc.pre(![expected, idle, recorded].some(isDeep));
  expect(idle).toEqual(expected);
  expect(recorded).toEqual(expected);
  return flow;
}
