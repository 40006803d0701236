import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { type Call, readCalls } from './read-calls.fixture.ts';
import { areSmall, type TraceTexts } from './trace-texts.ts';

function toTexts(root: Call): TraceTexts {
  const { steps, ...trace } = readCalls(root);
  return { ...trace, texts: steps.map((step) => JSON.stringify(step)) };
}

const repeat = (count: number, trace: TraceTexts) => Array.from({ length: count }, () => trace);
const countCharacters = (traces: readonly TraceTexts[]) =>
  traces.flatMap(({ texts }) => texts).join('').length;
const list = <Item>(length: number, build: (index: number) => Item) =>
  Array.from({ length }, (_item, index) => build(index));
const manyKeys = (count: number) => Object.fromEntries(list(count, (index) => [`key${index}`, index % 10]));

test.each<[string, Call]>([
  ['an object with many keys', { name: 'read', inputs: manyKeys(10_000) }],
  ['a list of digits', { name: 'read', inputs: list(10_000, (index) => index % 10) }],
  ['a list of empty objects', { name: 'read', inputs: list(10_000, () => ({})) }],
])('two requests with %s do not count as small, although they have few characters', (_what, call) => {
  const traces = repeat(2, toTexts(call));
  expect(countCharacters(traces)).toBeLessThan(500_000);
  expect(areSmall(traces)).toBe(false);
});

test('two requests with more than 2,000 calls do not count as small', () => {
  expect(areSmall(repeat(2, toTexts({ name: 'read', calls: list(1000, () => ({ name: 'f' })) })))).toBe(
    false,
  );
});

test('two requests with a text of 300 kB do not count as small, although they have few values', () => {
  expect(areSmall(repeat(2, toTexts({ name: 'read', inputs: ['x'.repeat(300_000)] })))).toBe(false);
});

test('ten ordinary requests of 20 calls count as small', () => {
  const item = { id: 'a-17', name: 'Kettle', price: 24.9, tags: ['kitchen', 'sale'] };
  const inputs: CapturedValue = { cart: { items: [item, item] }, user: { id: 'u-1', country: 'NL' } };
  const calls = list(19, (index) => ({
    name: `call${index}`,
    inputs,
    returns: item,
    locals: { index, item },
  }));
  expect(areSmall(repeat(10, toTexts({ name: 'postItem', calls })))).toBe(true);
});
