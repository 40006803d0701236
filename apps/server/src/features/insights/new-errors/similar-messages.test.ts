import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSimilarMessages } from './similar-messages.ts';

const find = (messages: readonly string[]) =>
  findSimilarMessages(messages.map((message) => ({ message }))).map(({ pattern, items }) => [
    pattern,
    items.length,
  ]);
const NAMES = ['Ada', 'Grace', 'Radia', 'Alan', 'Ines'];

describe('messages that differ in some words', () => {
  test('are found, with … for these words', () => {
    const messages = NAMES.map((name) => `No credit limit is known for ${name}`);
    expect(find(['Table is locked', ...messages, 'The price list is empty'])).toEqual([
      ['No credit limit is known for …', 5],
    ]);
  });

  test('are found with the words at two positions', () => {
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

  test('are found beside numbers that were already replaced', () => {
    expect(find(NAMES.map((name) => `Order … of ${name} was not paid`))).toEqual([
      ['Order … of … was not paid', 5],
    ]);
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

test('each message is in at most one group, and matches the pattern of the group', () => {
  const word = fc.constantFrom('a', 'b', 'c', '…', 'not', 'found');
  const message = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(fc.array(message, { maxLength: 40 }), (messages) => {
      const items = messages.map((text) => ({ message: text }));
      const groups = findSimilarMessages(items);
      const grouped = groups.flatMap((group) => group.items);
      expect(new Set(grouped).size).toBe(grouped.length);
      for (const { pattern, items: some } of groups) {
        const matcher = new RegExp(`^${pattern.split('…').join('.*')}$`);
        for (const item of some) expect(item.message).toMatch(matcher);
      }
    }),
  );
});
