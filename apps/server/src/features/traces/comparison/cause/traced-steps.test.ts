import { expect, test } from 'vitest';
import { findFirstDifference } from '../comparison.ts';
import { type Call, readCalls } from '../read-calls.fixture.ts';
import { chooseTracedSteps, MAX_TRACED_STEPS } from './traced-steps.ts';

const OVERFLOW = 'Maximum call stack size exceeded';

/** Builds the calls of a recursion that ends at `depth`, by an error if `throws` is given. */
function recur(depth: number, months: number, throws?: string): Call {
  let call: Call = {
    name: 'dueDays',
    inputs: { months },
    ...(throws === undefined ? { returns: [] } : { throws }),
  };
  for (let level = 1; level < depth; level += 1) call = { ...call, calls: [call] };
  return call;
}

function tracePlan(payments: number, months: number, depth: number, throws?: string) {
  return readCalls(
    {
      name: 'plan',
      inputs: { payments },
      ...(throws === undefined ? { returns: 'ok' } : { throws }),
      calls: [{ name: 'monthsBetween', inputs: { payments }, returns: months }, recur(depth, months, throws)],
    },
    { payments },
  );
}

test('the cause of an endless recursion is found, although the request has more steps than the search reads', () => {
  const [good, ...goods] = [tracePlan(12, 1, 12), tracePlan(6, 2, 6), tracePlan(4, 3, 4), tracePlan(2, 6, 2)];
  if (good === undefined) throw new Error('there is a good request');
  expect(findFirstDifference(tracePlan(24, 0, 3000, OVERFLOW), good, goods)).toMatchObject({
    text: expect.stringContaining('`monthsBetween` returned 0'),
    step: '2',
  });
});

test('of a large failed request, only the function that threw, its callers, the first steps and the steps just before the error are read', () => {
  const { steps } = readCalls({
    name: 'handle',
    throws: 'no rate',
    calls: [
      ...Array.from({ length: 5000 }, (_, at) => ({ name: `read${at}`, returns: at })),
      { name: 'tax', throws: 'no rate' },
    ],
  });
  const names = chooseTracedSteps(steps).map(({ stepName }) => stepName);
  // The first step is also a caller of the function that threw.
  expect(names).toHaveLength(MAX_TRACED_STEPS - 1);
  expect(names.slice(0, 2)).toEqual(['handle', 'read0']);
  expect(names.slice(-2)).toEqual(['read4999', 'tax']);
  expect(chooseTracedSteps(steps.filter(({ error }) => error === null))).toEqual([]);
});

test('all steps of a request of ordinary size are read', () => {
  const { steps } = readCalls({
    name: 'handle',
    calls: [{ name: 'tax', throws: 'no rate' }],
    throws: 'no rate',
  });
  expect(chooseTracedSteps(steps)).toBe(steps);
});
