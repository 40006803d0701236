import vm from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomProgram } from '../../test/random-program.ts';
import { carrying } from '../record/carried.ts';
import { installRuntime } from '../record/frame.ts';
import { defaultLimits } from '../record/limits.ts';
import { Recording, runRecording } from '../record/recording.ts';
import { instrument } from './instrument.ts';

const runs = Number(process.env.DIFFERENTIAL_RUNS ?? 1000);
/** The same programs at each run, unless one is given: `DIFFERENTIAL_SEED=$RANDOM DIFFERENTIAL_RUNS=5000`. */
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_261_121);
const runtime = installRuntime();
// Under `yield*` and `for await` a recorded generator has a frame of ours below it: it must not push one of the program's out.
Error.stackTraceLimit = 2000;
// The test runner formats stacks itself, and then none is read.
Reflect.deleteProperty(Error, 'prepareStackTrace');
const file = '/project/program.js';

type Log = (...values: unknown[]) => unknown;
type Cut = (value: unknown) => unknown;
type Program = (log: Log, spend: () => boolean, cut: Cut) => Promise<unknown>;

function compile(code: string): Program {
  const program: unknown = vm.runInThisContext(code, { filename: file });
  if (typeof program !== 'function') throw new Error('no program');
  return async (log, spend, cut) => program(log, spend, cut);
}

/** Runs a program beside a steady tick of microtasks: what it logged, and at which tick, is all that can be seen of it. */
async function observe(program: Program): Promise<string[]> {
  const seen: string[] = [];
  let ticks = 0;
  let ended = false;
  let fuel = 150;
  const log: Log = (...values) => {
    // A variable of a loop's own name may be written inside of it, and the loop then go on for ever.
    if (seen.length > 5000) throw new RangeError('said too much');
    seen.push(`${ticks}: ${values.map(shown).join(' ')}`);
    return values[0];
  };
  const spend = (): boolean => {
    if (--fuel < 0) throw new RangeError('out of fuel');
    return fuel % 3 === 0;
  };
  const tick = async (): Promise<void> => {
    while (!ended && ticks < 2000) {
      ticks++;
      await null;
    }
  };
  const ticking = tick();
  try {
    log('end', await program(log, spend, cut));
  } catch (error) {
    log('failed', error);
  }
  await new Promise(setImmediate);
  ended = true;
  await ticking;
  return seen;
}

const cut: Cut = (value) => (typeof value === 'string' ? value.slice(0, 50) : value);

function shown(value: unknown): string {
  if (value instanceof Error) return `${value.message} ${headOf(value)} ${frames(value).join(' < ')}`;
  if (typeof value === 'function') return `function ${value.name}/${value.length}`;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value) ?? 'object';
  return `${typeof value} ${String(value)}`;
}

function isValid(source: string): boolean {
  try {
    compile(source);
    return true;
  } catch {
    return false;
  }
}

/** What its stack begins with: the message as it was when somebody first asked for the stack. */
function headOf({ stack = '' }: Error): string {
  return stack.slice(0, stack.search(/\n +at /));
}

/** Function names and line numbers of an error's stack, as far as they are the program's. */
function frames(error: Error): string[] {
  const lines = (error.stack ?? '').split('\n').filter((line) => line.includes(file));
  return lines.map((line) => line.trim().replace(/:(\d+):\d+\)?$/, ':$1'));
}

describe('an instrumented program', () => {
  test('does what the plain one does, idle and recorded', { timeout: 300_000 }, async () => {
    if (runtime === undefined) throw new Error('no runtime');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(10_000), { minLength: 20, maxLength: 220, size: 'max' }),
        async (choices) => {
          const source = `(async function (log, spend, cut) {\n${randomProgram(choices)}\n})`;
          // Now and then a random name stands twice in one block.
          fc.pre(isValid(source));
          const expected = await observe(compile(source));
          const result = instrument(source, {
            file,
            root: '/project',
            moduleKind: 'commonjs',
            language: 'js',
            reserveSites: (count) => runtime.reserveSites(count),
            withMap: false,
            withAccessors: true,
          });
          if ('skipped' in result) throw new Error(result.skipped);
          runtime.addSites(result.firstSite, result.sites);
          expect(result.code.split('\n').length).toBe(source.split('\n').length);
          const program = compile(result.code);
          expect(await observe(program)).toEqual(expected);
          // As it is in half of all hosts: those with a library whose work becomes steps.
          carrying.on = choices.length % 2 === 0;
          const recording = new Recording({ capture: 'all', limits: defaultLimits });
          expect(await runRecording(recording, () => observe(program))).toEqual(expected);
          expect(recording.finish().flow.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: runs, seed },
    );
  });
});
