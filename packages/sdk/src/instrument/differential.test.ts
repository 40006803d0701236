import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grammarProgram } from '../../test/grammar-program.ts';
import { compileProgram, observe, type Program, programFile } from '../../test/observe.ts';
import { randomProgram } from '../../test/random-program.ts';
import { carrying } from '../record/carried.ts';
import { installRuntime } from '../record/frame.ts';
import { defaultLimits } from '../record/limits.ts';
import { Recording, runRecording } from '../record/recording.ts';
import { instrument } from './instrument.ts';

/** Of each kind of programs. */
const runs = Number(process.env.DIFFERENTIAL_RUNS ?? 400);
/** The same programs at each run, unless one is given: `DIFFERENTIAL_SEED=$RANDOM DIFFERENTIAL_RUNS=5000`. */
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_261_121);
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
function rewritten(source: string): Program | undefined {
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
  return compileProgram(result.code);
}

/** How deep a program may recurse is not the same once it is rewritten. */
const isDeep = (seen: readonly string[]): boolean => seen.some((line) => line.endsWith('string overflow'));

describe.each([
  ['of common code', randomProgram, 220],
  ['rich in what few programs have', grammarProgram, 500],
])('a rewritten program %s', (_, write, maxLength) => {
  test('does what the plain one does, idle and recorded', { timeout: 900_000 }, async () => {
    let compared = 0;
    const choices = fc.array(fc.nat(10_000), { minLength: 20, maxLength, size: 'max' });
    const property = fc.asyncProperty(choices, async (chosen) => {
      const source = `(async function (log, spend, cut) {\n${write(chosen)}\n})`;
      const plain = compiled(source);
      const program = plain && rewritten(source);
      // Now and then a random name stands twice in one block.
      fc.pre(plain !== undefined && program !== undefined);
      const expected = await observe(plain);
      const idle = await observe(program);
      // As it is in half of all hosts: those with a library whose work becomes steps.
      carrying.on = chosen.length % 2 === 0;
      const recording = new Recording({ capture: 'all', limits: defaultLimits });
      const recorded = await runRecording(recording, () => observe(program));
      const { flow } = recording.finish();
      fc.pre(![expected, idle, recorded].some(isDeep));
      expect(idle).toEqual(expected);
      expect(recorded).toEqual(expected);
      expect(flow.length).toBeGreaterThan(0);
      compared++;
    });
    await fc.assert(property, { numRuns: runs, seed });
    expect(compared).toBeGreaterThanOrEqual(runs);
  });
});
