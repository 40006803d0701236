import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProgramWorld, parentPrograms } from '../../../test/parent-program.ts';
import { load, type PlainStep, record, tracedCode } from '../../../test/traced.ts';
import { defaultLimits } from '../capture/limits.ts';
import { propagation } from './async-parent.ts';

beforeAll(() => {
  propagation.on = true;
});
afterAll(() => {
  propagation.on = false;
});

/** The calls of each request are numbered from a multiple of this number, so no number occurs in two requests. */
const APART = 100_000;

function readNumber({ stepName, inputs }: PlainStep): number {
  const [, ofWork] = /^work (\d+)$/.exec(stepName) ?? [];
  return Number(ofWork ?? /"me":(\d+)/.exec(JSON.stringify(inputs))?.[1]);
}

/** Runs the program in several requests at the same time. Returns a line for each call whose recorded parent is not its caller. */
async function findWrongParents(source: string): Promise<string[]> {
  const code = tracedCode(source);
  const limits = { ...defaultLimits, steps: 100_000, calls: 100_000, requestBytes: 16 * 1024 * 1024 };
  const found = await Promise.all(
    [1, 2].map(async (request) => {
      const id = request * APART;
      const world = new ProgramWorld(id);
      const { main } = load(code, world.globals);
      if (main === undefined) throw new Error('no program');
      const { flow } = await record(() => world.run(main, id), 'all', limits);
      const numbers = new Map(flow.map((step) => [step.stepId, readNumber(step)]));
      const parents = new Map(
        flow.map((step) => [readNumber(step), numbers.get(step.parentStepId ?? '') ?? 'none']),
      );
      return [...world.callers]
        .filter(([call, caller]) => parents.get(call) !== caller)
        .map(([call, caller]) => `${call}: called by ${caller}, recorded below ${parents.get(call)}`);
    }),
  );
  return found.flat();
}

const made = 'let made; function make(me) { return function made(me) { work(call(me)) } }';
const main = (body: string) =>
  `exports.main = async function main(me) { made = make(call(me)); await outer(call(me)) }; async function outer(me) { ${body} }`;

test.each([
  ['uncaught in a for await over undefined', 'for await (const x of undefined) ;'],
  ['uncaught in a for await over an iterator that throws', 'for await (const x of iterables.throws) ;'],
  ['uncaught in an await', 'await broken()'],
  ['caught around an await', 'try { await broken() } catch {}'],
  ['caught around a for await', 'try { for await (const x of iterables.throws) ; } catch {}'],
  ['passed through a finally', 'try { await broken() } finally { work(call(me)) }'],
  ['by the call that is the operand of an await', 'await fail()'],
])(
  'if an error is thrown immediately, %s, later calls of the caller are still below the caller',
  async (_, body) => {
    const source = `${made}
    function fail() { throw new Error('failed') }
    async function inner(me) { ${body} }
    ${main('hold(inner(call(me))); work(call(me)); made(call(me)); later(call(me)); hold(inner(call(me)))')}`;
    expect(await findWrongParents(source)).toEqual([]);
  },
);

test('each step of a random program is below the step that called it, even if calls throw immediately and requests overlap', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(parentPrograms, async (source) => {
      const wrong = await findWrongParents(source);
      if (wrong.length > 0) throw new Error(`${wrong.join('\n')}\n${source}`);
    }),
    { numRuns: repetitions({ usually: 60, thoroughly: 3000 }) },
  );
});
