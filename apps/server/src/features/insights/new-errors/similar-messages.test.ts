import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSimilarMessages, MAX_COMPARED } from './similar-messages.ts';

const find = (messages: readonly string[], minShared = 2) =>
  findSimilarMessages(
    messages.map((message) => ({ message })),
    minShared,
  ).map(({ pattern, items }) => [pattern, items.length]);
const NAMES = ['Ada', 'Grace', 'Radia', 'Alan', 'Ines'];

describe('messages that differ in some words', () => {
  test('are found, with … for these words', () => {
    const messages = NAMES.map((name) => `No credit limit is known for ${name}`);
    expect(find(['Table is locked', ...messages, 'The price list is empty'])).toEqual([
      ['No credit limit is known for …', 5],
    ]);
  });

  test('are found if they differ at two positions', () => {
    const plans = ['Basic', 'Team', 'Basic', 'Site', 'Trial'];
    expect(find(NAMES.map((name, at) => `User ${name} cannot book plan ${plans[at]} today`))).toEqual([
      ['User … cannot book plan … today', 5],
    ]);
  });

  test('are found if the values have different numbers of words', () => {
    const names = ['Ada Moreau', 'Jan van der Berg', 'Madonna', 'Radia', 'Grace Hopper'];
    expect(find(names.map((name) => `The customer ${name} is blocked`))).toEqual([
      ['The customer … is blocked', 5],
    ]);
  });

  test('are found, even if numbers in them were already replaced by …', () => {
    expect(find(NAMES.map((name) => `Order … of ${name} was not paid`))).toEqual([
      ['Order … of … was not paid', 5],
    ]);
  });

  test('are not found if they share fewer words than required', () => {
    const messages = ['save', 'connect', 'parse', 'render', 'start'].map((verb) => `Failed to ${verb}`);
    expect([find(messages, 2), find(messages, 3)]).toEqual([[['Failed to …', 5]], []]);
  });

  test('do not include a longer message that shares fewer than half of its own words', () => {
    const long = 'Failed to load the price list for customer Ada';
    const short = ['save', 'connect', 'parse', 'render'].map((verb) => `Failed to ${verb}`);
    expect([find([long, ...short]), find([...short, long])]).toEqual([[], []]);
    expect(find([long, ...short, 'Failed to start'])).toEqual([['Failed to …', 5]]);
  });

  test.each([
    ['there are only four', NAMES.slice(1).map((name) => `No limit is known for ${name}`)],
    ['they share only one word', NAMES.map((name) => `${name} failed`)],
    ['they share fewer than half of their words', NAMES.map((name) => `is a ${name} ${name} ${name}`)],
    ['only numbers are the same', NAMES.map((name) => `… … ${name}`)],
    ['the same message comes five times', NAMES.map(() => 'No limit is known')],
    ['they are empty', ['', ' ', '  ', '   ', '    ']],
  ])('are not found if %s', (_why, messages) => {
    expect(find(messages)).toEqual([]);
  });
});

const listWords = (text: string) => text.split(' ').filter((word) => word !== '' && !word.includes('…'));

test('each message is in at most one group, matches the pattern of the group, and shares half of its words', () => {
  const word = fc.constantFrom('a', 'b', 'c', '…', 'not', 'found');
  const message = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(fc.array(message, { maxLength: 40 }), fc.constantFrom(2, 3), (messages, minShared) => {
      const items = messages.map((text) => ({ message: text }));
      const groups = findSimilarMessages(items, minShared);
      const grouped = groups.flatMap((group) => group.items);
      expect(new Set(grouped).size).toBe(grouped.length);
      for (const { pattern, items: some } of groups) {
        // A value can be empty.
        const matcher = new RegExp(`^${pattern.split(/ ?… ?/).join('.*')}$`);
        const shared = listWords(pattern).length;
        expect(shared).toBeGreaterThanOrEqual(minShared);
        for (const item of some) {
          expect(item.message).toMatch(matcher);
          expect(shared).toBeGreaterThanOrEqual(listWords(item.message).length / 2);
        }
      }
    }),
    { numRuns: 500 },
  );
});

describe('if there are many messages,', () => {
  // Each word occurs in one message only.
  const others = Array.from({ length: 4_000 }, (_, at) =>
    ['Error:', ...Array.from({ length: 30 }, (__, index) => `w${at}x${index}`)].join(' '),
  );
  const similar = NAMES.map((name) => `Error: no credit limit is known for ${name}`);

  test('only the first messages are compared with each other', () => {
    expect(find([...others.slice(0, MAX_COMPARED - 5), ...similar, ...others])).toEqual([]);
    expect(find([...similar, ...others])).toEqual([['Error: no credit limit is known for …', 5]]);
    expect(find([...others, ...similar])).toEqual([]);
  });

  test('later messages can join a group of the first messages', () => {
    const more = ['Error: no credit limit is known for Mo', 'Error: no credit limit is known for Ken'];
    expect(find([...similar, ...others, ...more])).toEqual([['Error: no credit limit is known for …', 7]]);
  });
});
