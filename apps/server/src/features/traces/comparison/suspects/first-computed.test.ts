import type { CapturedValue, Step } from '@throughline/contract';
import { expect, test } from 'vitest';
import { CallHistory } from '../call-history.ts';
import { CallFlow } from '../cause/call-flow.ts';
import { KnownResults } from '../known-results.ts';
import { type Call, readCalls } from '../read-calls.fixture.ts';
import { findClockChange, findFirstComputed } from './find-suspect.ts';

/** Searches a request's calls, and counts how often results of the other requests' calls are read. */
function countReads(calls: readonly Call[], others: readonly Call[], find = findFirstComputed) {
  let reads = 0;
  const { steps } = readCalls({ name: 'handle', calls });
  const goods = readCalls({ name: 'handle', calls: others }).steps.map((step): Step => {
    const returnValue: CapturedValue = step.variables?.returnValue ?? null;
    const variables = {
      get returnValue() {
        reads += 1;
        return returnValue;
      },
    };
    return { ...step, variables };
  });
  const context = {
    flow: new CallFlow(steps),
    history: new CallHistory([goods]),
    results: new KnownResults([goods]),
  };
  reads = 0;
  return { found: find(steps, context), reads };
}

const square = (side: number): Call => ({ name: 'square', inputs: { side }, returns: (side % 7) * 10 });
const load = (id: number): Call => ({
  name: 'load',
  inputs: { id: `id ${id}` },
  returns: { id: `id ${id}`, title: `title of ${id}` },
});
const list = (count: number, call: (at: number) => Call) =>
  Array.from({ length: count }, (_, at) => call(at));

test('the search for a computed value reads the results of a function once, not for each call of the function', () => {
  const others = list(90, square);
  const { found, reads } = countReads(
    list(200, (at) => square(at + 1000)),
    others,
  );
  expect(found).toBeUndefined();
  // Reading one result can access `returnValue` twice.
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThanOrEqual(2 * others.length);
});

test('the search for a computed value does not read the other results of a function that only looked up data', () => {
  const { found, reads } = countReads(
    list(200, (at) => load(at + 1000)),
    list(90, load),
  );
  expect(found).toBeUndefined();
  expect(reads).toBe(0);
});

test('the search for times between which clocks change does not read the other calls again for each call', () => {
  const count = (departure: string) => (at: number) => ({
    name: 'countNights',
    inputs: { arrival: '2025-03-28', departure, guest: at },
    returns: 3,
  });
  const others = [...list(89, count('2025-03-29')), count('2025-03-31')(90)];
  const { found, reads } = countReads(list(200, count('2025-03-31')), others, findClockChange);
  expect(found).toBeUndefined();
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThanOrEqual(4 * others.length);
});
