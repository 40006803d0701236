import type { ValuePath, ValuePlace } from '@throughline/contract';
import { expect, it } from 'vitest';
import { planTrace } from '../searched.fixture.ts';
import { findValueOrigin } from '../value-origin.ts';

const at = { filePath: 'src/tax.ts', lineNumber: 7 };

const trace = planTrace(
  [
    {
      ...at,
      id: 'price',
      at: [0, 90],
      variables: { localVariables: { rate: 0.1925, kind: 'EU', total: 7 } },
    },
    { ...at, id: 'taxFor', parent: 'price', at: [10, 20], inputs: { code: 'VAT-19', buyer: 'u-71b2' } },
    { ...at, id: 'loadRate', parent: 'price', at: [30, 60], variables: { returnValue: 4712 } },
    {
      ...at,
      id: 'SELECT rates',
      stepType: 'database',
      parent: 'loadRate',
      at: [40, 50],
      inputs: { table: 'rates-2026' },
      outputs: { version: 'v-99' },
    },
    { id: 'nowhere', at: [70, 80], variables: { returnValue: 4713 } },
  ],
  { body: { buyer: 'u-71b2' } },
);

/** Returns the literal to search for, and the functions in which to search. */
async function ask(stepId: string, place: ValuePlace, path: ValuePath) {
  const { question } = (await findValueOrigin(trace, { stepId, place, path })) ?? {};
  if (question === undefined) return undefined;
  const { literal, places } = question;
  return [literal?.text, ...places.map(({ stepId: id, role, variable }) => `${id} ${role} ${variable}`)];
}

it("the code of the first function with the value is searched, and for an argument also the code of the function's caller", async () => {
  expect(await ask('price', 'localVariables', ['rate'])).toEqual(['0.1925', 'price own rate']);
  expect(await ask('taxFor', 'inputs', ['code'])).toEqual([
    'VAT-19',
    'taxFor received code',
    'price caller code',
  ]);
});

it('a value that is too common is not searched for as a literal', async () => {
  expect(await ask('price', 'localVariables', ['kind'])).toEqual([undefined, 'price own kind']);
  expect(await ask('price', 'localVariables', ['total'])).toBeUndefined();
});

it('no code is searched for a value that came from the request or from another process', async () => {
  expect(await ask('taxFor', 'inputs', ['buyer'])).toBeUndefined();
  expect(await ask('SELECT rates', 'outputs', ['version'])).toBeUndefined();
  expect(await ask('loadRate', 'returnValue', [])).toBeUndefined();
});

it('for an argument of a query, only the code of the function that made the query is searched', async () => {
  expect(await ask('SELECT rates', 'inputs', ['table'])).toEqual(['rates-2026', 'loadRate caller table']);
});

it('no code is searched for a function whose position in the code is unknown', async () => {
  expect(await ask('nowhere', 'returnValue', [])).toBeUndefined();
});
