import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareRuns } from '../../test/compare-runs.ts';
import { grammarProgram } from '../../test/grammar-program.ts';
import { promiseProgram } from '../../test/promise-statements.ts';
import { randomProgram } from '../../test/random-program.ts';

/** The number of random programs that each test runs. */
const runs = Number(process.env.DIFFERENTIAL_RUNS ?? repetitions({ usually: 60, thoroughly: 400 }));
/** A fixed seed, so that each run tests the same programs. `DIFFERENTIAL_SEED=$RANDOM DIFFERENTIAL_RUNS=5000` tests other programs. */
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_261_121);

describe.each([
  ['of common code', randomProgram, 220],
  ['with much rare syntax', grammarProgram, 500],
  ['of functions that return promises', promiseProgram, 60],
])('an instrumented program %s', (_, write, maxLength) => {
  test('behaves like the original program, whether or not a request is recorded', {
    timeout: 900_000,
  }, async () => {
    let compared = 0;
    const choices = fc.array(fc.nat(10_000), { minLength: 20, maxLength, size: 'max' });
    const property = fc.asyncProperty(choices, async (chosen) => {
      const source = `(async function (log, spend, cut) {\n${write(chosen)}\n})`;
      const flow = await compareRuns(source, chosen.length % 2 === 0);
      expect(flow.length).toBeGreaterThan(0);
      compared++;
    });
    await fc.assert(property, { numRuns: runs, seed });
    expect(compared).toBeGreaterThanOrEqual(runs);
  });
});
