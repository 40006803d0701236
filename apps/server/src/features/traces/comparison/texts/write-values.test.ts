import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { writeWhole } from './write-values.ts';

/** Counts the members that are read while an object or list is written. */
function countReads(members: CapturedValue[] | { readonly [key: string]: CapturedValue }) {
  let reads = 0;
  const counted = new Proxy(members, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /\d/.test(key)) reads += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  return { text: writeWhole(counted), reads };
}

test.each([
  ['a list', Array.from({ length: 10_000 }, (_, at) => at)],
  ['an object', Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`member${at}`, at]))],
])('if %s is too long to be written, only a part of its members is read', (_, members) => {
  const { text, reads } = countReads(members);
  expect(text).toBeUndefined();
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThan(100);
});

test('a short object is written with all its members and lists, in the order of the members', () => {
  expect(writeWhole({ code: 'blood', tests: ['hb', 1], more: {} })).toBe(
    '{ code: "blood", tests: ["hb", 1], more: {} }',
  );
});
