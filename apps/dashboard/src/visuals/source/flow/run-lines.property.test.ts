import { runInThisContext } from 'node:vm';
import type { CapturedValue, Step } from '@throughline/contract';
import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { aStep } from '../../steps/step.fixture.ts';
import { findThrownLine } from '../../steps/thrown-line.ts';
import { type Program, writeProgram } from './program.fixture.ts';
import { findRunLines } from './run-lines.ts';

const FIRST_LINE = 10;
const FILE = 'src/f.js';

interface Run {
  readonly step: Step;
  readonly children: readonly Step[];
  /** The lines of the statements that ran. */
  readonly hit: ReadonlySet<number>;
}

class OutOfFuel extends Error {}

/** Runs a program, whose conditions and calls depend on `plan`, and records the step that the SDK would send. */
async function runProgram({ traced, calls }: Program, plan: readonly number[]): Promise<Run | undefined> {
  let at = 0;
  let fuel = 300;
  const next = (count: number) => {
    if (fuel-- < 0) throw new OutOfFuel();
    return (plan[at++ % Math.max(1, plan.length)] ?? 0) % count;
  };
  const hit = new Set<number>();
  const locals = new Map<string, unknown>();
  const children: Step[] = [];
  const stored: { value: unknown } = { value: undefined };
  const called = calls.map((name) => createCall(name, next, children));
  const library = {
    ran: (line: number) => hit.add(line),
    bound: (name: string, value: unknown) => locals.set(name, value),
    renew: (names: readonly string[]) => {
      for (const name of names) locals.delete(name);
    },
    pick: () => next(2) === 1,
    more: () => next(3) > 0,
    choose: () => next(4),
    items: () => [1, 2, 3].slice(0, next(4)),
    maybe: () => (next(5) === 0 ? undefined : { field: next(2) }),
    use: () => undefined,
    sum: () => next(2),
    box: stored,
    quiet: settle,
    run: (callback: () => unknown) => (next(3) === 0 ? undefined : settle(callback())),
    caught: (callback: () => unknown) => {
      try {
        return settle(callback());
      } catch (error) {
        return error;
      }
    },
    store: (callback: () => unknown) => {
      stored.value = settle((async () => callback())());
    },
  };
  const names = [...Object.keys(library), ...calls];
  const source = `(function (${names.join(', ')}) { return ${traced}\n})`;
  const create: unknown = runInThisContext(source, { filename: `/app/${FILE}`, lineOffset: FIRST_LINE - 1 });
  if (typeof create !== 'function') throw new Error('the program is no function');
  const f = create(...Object.values(library), ...called);
  try {
    const returnValue: unknown = await f(1);
    return { step: describeStep(locals, { returnValue }), children, hit };
  } catch (thrown) {
    // Not every thrown value is an error: a program can throw what a call returned.
    if (thrown instanceof OutOfFuel) return undefined;
    return { step: describeStep(locals, { thrown }), children, hit };
  }
}

function settle(value: unknown): unknown {
  if (value instanceof Promise) value.catch(() => undefined);
  return value;
}

/** Creates a function whose calls return, throw, or return a promise that rejects immediately or later. */
function createCall(name: string, next: (count: number) => number, children: Step[]): () => unknown {
  const record = (error?: Error) => {
    children.push(
      aStep(`${name}-${children.length}`, {
        functionName: name,
        filePath: 'lib/calls.js',
        error:
          error === undefined ? null : { name: error.name, message: error.message, stack: error.stack ?? '' },
      }),
    );
  };
  const text = `(function (act) { return function ${name}() { return act() } })`;
  const wrap: unknown = runInThisContext(text, { filename: '/app/lib/calls.js' });
  if (typeof wrap !== 'function') throw new Error('the call is no function');
  return wrap(() => {
    const result = next(12);
    if (result < 7) {
      record();
      return result % 2;
    }
    const error = new Error('failed');
    if (result < 9) {
      record(error);
      throw error;
    }
    record(result === 9 ? undefined : error);
    if (result === 9) return settle(Promise.resolve(1));
    if (result === 10) return settle(Promise.reject(error));
    return settle(
      Promise.resolve().then(() => {
        throw error;
      }),
    );
  });
}

function describeStep(
  locals: ReadonlyMap<string, unknown>,
  { thrown, ...result }: { readonly thrown?: unknown; readonly returnValue?: unknown },
): Step {
  const isThrown = !('returnValue' in result);
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return aStep('f', {
    functionName: 'f',
    filePath: FILE,
    lineNumber: FIRST_LINE,
    variables: {
      capturedAt: isThrown ? 'throw' : 'exit',
      parameters: { first: 1 },
      localVariables: Object.fromEntries([...locals].map(([key, value]) => [key, encode(value)])),
      ...(!isThrown && { returnValue: encode(result.returnValue) }),
    },
    error: isThrown
      ? { name, message, ...(thrown instanceof Error && stack !== undefined && { stack }) }
      : null,
  });
}

function encode(value: unknown): CapturedValue {
  if (value === undefined) return { $type: 'undefined' };
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return {};
}

it('for any program and run, a line is marked as run only if it ran, and as not reached only if it did not run', async () => {
  const counts = { ran: 0, missed: 0, hit: 0, runs: 0, lines: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(1_000_000), { minLength: 20, maxLength: 300 }),
      fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 40 }),
      async (tape, plan) => {
        const program = writeProgram(tape);
        const run = await runProgram(program, plan);
        if (run === undefined) return;
        const { step, children, hit } = run;
        const source = { line: FIRST_LINE, text: program.text };
        const lines = findRunLines({ source, file: FILE, step, children, thrown: findThrownLine(step) });
        const wrong = [...lines].filter(
          ([line, isRun]) => isRun !== hit.has(line) && isStatement(program, line),
        );
        counts.runs++;
        counts.lines += program.text.split('\n').length;
        counts.hit += hit.size;
        for (const isRun of lines.values()) counts[isRun ? 'ran' : 'missed']++;
        expect(
          wrong.map(([line, isRun]) => `${line} ${isRun}: ${describe(program, line, step, hit)}`),
        ).toEqual([]);
      },
    ),
    { numRuns: repetitions({ usually: 400, thoroughly: 20_000 }) },
  );
  // At least a third of the lines that ran, and a tenth of the other lines, have a mark.
  expect(counts.ran).toBeGreaterThan(counts.hit / 3);
  expect(counts.missed).toBeGreaterThan((counts.lines - counts.hit) / 10);
});

/** False for lines such as `} else {`, which report nothing when they run. */
function isStatement({ traced }: Program, line: number): boolean {
  return traced.split('\n')[line - FIRST_LINE]?.includes(`ran(${line})`) === true;
}

function describe({ text }: Program, line: number, { error }: Step, hit: ReadonlySet<number>): string {
  const lines = text
    .split('\n')
    .map((code, at) => `${at + FIRST_LINE}${hit.has(at + FIRST_LINE) ? '*' : ' '} ${code}`);
  return `${lines[line - FIRST_LINE]} in\n${lines.join('\n')}\n${error?.stack ?? error?.message ?? 'returned'}`;
}
