import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { findFirstDifference, type ReadTrace } from '../comparison.ts';
import { type Call, readCalls } from '../read-calls.fixture.ts';

/** Returns the sentence about the cause of a failure. Compares the failed request with the first of the successful requests. */
function say(failed: ReadTrace, goods: readonly ReadTrace[]) {
  const [right, ...further] = goods;
  if (right === undefined) throw new Error('there is a good request');
  return findFirstDifference(failed, right, further);
}

const NORDLYS = { id: 'nordlys', cents: 14 };
const ALPINA = { id: 'alpina', cents: 16 };

function traceQuote(client: CapturedValue, current: CapturedValue, throws?: string): ReadTrace {
  return readCalls({
    name: 'quote',
    ...(throws === undefined ? { returns: 'quoted' } : { throws }),
    calls: [
      { name: 'authenticate', inputs: { scheme: 'Key' }, returns: client },
      { name: 'currentClient', returns: current },
      { name: 'checkOwner', ...(throws === undefined ? { returns: true } : { throws }) },
    ],
  });
}
const QUOTES = [traceQuote(NORDLYS, NORDLYS), traceQuote(ALPINA, ALPINA), traceQuote(NORDLYS, NORDLYS)];

test('if two functions returned different objects, but equal objects in all other requests, the later function is described', () => {
  expect(say(traceQuote(ALPINA, NORDLYS, 'belongs to another client'), QUOTES)).toMatchObject({
    text: '`currentClient` returned { id: "nordlys", cents: 14 }, but `authenticate` returned { id: "alpina", cents: 16 }; in other requests both always returned the same',
    step: '3',
  });
});

test.each([
  ['both differ in another request', [...QUOTES, traceQuote(NORDLYS, ALPINA)]],
  ['both return the same object in all other requests', [QUOTES[0], QUOTES[0], QUOTES[2]]],
  ['there are only two other requests', QUOTES.slice(0, 2)],
])('two different objects are not described as unequal if %s', (_, goods) => {
  const known = goods.filter((good) => good !== undefined);
  expect(say(traceQuote(ALPINA, NORDLYS, 'belongs to another client'), known)?.text ?? '').not.toContain(
    'both always',
  );
});

function traceChoice(fits: readonly boolean[], throws?: string): ReadTrace {
  const calls = fits.map((returns, berths): Call => ({ name: 'fits', inputs: { berths }, returns }));
  const outcome = throws === undefined ? { returns: 'Heron' } : { throws };
  return readCalls({ name: 'hire', ...outcome, calls: [{ name: 'choose', ...outcome, calls }] });
}
const CHOICES = [traceChoice([true, false]), traceChoice([false, true]), traceChoice([true])];

test('a function that returned only false is described if it also returned true in each compared request that called it', () => {
  expect(say(traceChoice([false, false, false], 'nothing is free'), CHOICES)).toMatchObject({
    text: '`fits` returned false in all 3 calls; in each compared request that called it, it also returned true',
    step: '3',
  });
});

test.each([
  ['it also returned only false in another request', [...CHOICES, traceChoice([false])], [false, false]],
  ['it returned true as well', CHOICES, [false, true]],
  ['only two other requests called it', CHOICES.slice(1), [false, false]],
] as const)('a function that returned only false is not described if %s', (_, goods, fits) => {
  expect(say(traceChoice(fits, 'nothing is free'), goods)?.text ?? '').not.toContain(
    'in each compared request that called it',
  );
});
