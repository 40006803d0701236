import { pickRows, repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareRuns } from '../../test/compare-runs.ts';
import { compilers } from '../../test/compilers.ts';
import { randomProgram } from '../../test/random-program.ts';

const runs = Number(process.env.DIFFERENTIAL_RUNS ?? repetitions({ usually: 12, thoroughly: 60 }));
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_261_121);

const name = 'compiledProgram';

/** Compiles a source. Returns undefined if the compiler rejects the source. */
function compile(source: string, by: (source: string) => string): string | undefined {
  try {
    return by(source);
  } catch {
    return undefined;
  }
}

test.each(compilers)(
  '%s leaves the formatting of stacks unchanged for the other test files of the process',
  (_, by) => {
    const before = [Error.prepareStackTrace, Error.stackTraceLimit];
    expect(by('async function f() { await 1 }')).not.toBe('');
    expect([Error.prepareStackTrace, Error.stackTraceLimit]).toEqual(before);
  },
);

describe.each(pickRows(compilers, { usually: 3 }))('an instrumented program compiled by %s', (_, by) => {
  test('behaves like the compiled program, whether or not a request is recorded', {
    timeout: 900_000,
  }, async () => {
    let compared = 0;
    const choices = fc.array(fc.nat(10_000), { minLength: 20, maxLength: 220, size: 'max' });
    const property = fc.asyncProperty(choices, async (chosen) => {
      const source = `async function ${name}(log, spend, cut) {\n${randomProgram(chosen)}\n}`;
      const code = compile(source, by);
      fc.pre(code !== undefined);
      const flow = await compareRuns(
        `(function () {\n${code}\nreturn ${name}\n})()`,
        chosen.length % 2 === 0,
      );
      expect(flow.length).toBeGreaterThan(0);
      expect(flow.filter(({ stepName }) => /awaiter|_generator|asyncTo|_next/i.test(stepName))).toEqual([]);
      compared++;
    });
    await fc.assert(property, { numRuns: runs, seed });
    expect(compared).toBeGreaterThanOrEqual(runs);
  });
});
