import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Redactor } from '../redactor.ts';
import { CleanTexts } from './clean-texts.ts';
import { HiddenTexts } from './hidden-texts.ts';

test('a string that was never cached does not count as free of secrets', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\ud83d'), maxLength: 130 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 50 }), fc.array(text, { maxLength: 50 }), (added, others) => {
      const clean = new CleanTexts();
      for (const each of added) clean.add(each);
      for (const each of others) if (!added.includes(each)) expect(clean.has(each)).toBe(false);
    }),
  );
});

test('the string that was cached last counts as free of secrets, whatever was in its slot', () => {
  const clean = new CleanTexts();
  for (let number = 0; number < 100_000; number++) clean.add(`order ${number}`);
  expect(clean.has('order 99999')).toBe(true);
});

test('a string that is cached as free of secrets is still checked for half a card number if it is cut off, and for the secrets of its trace', () => {
  const redactor = new Redactor();
  const card = 'card 4242424242';
  expect(redactor.text(card)).toBe(card);
  expect(redactor.text(card, true)).not.toBe(card);
  expect(redactor.text(card)).toBe(card);
  const secret = new HiddenTexts(['card 4242424242']);
  expect(redactor.hideSecrets(secret, () => redactor.text(card))).not.toBe(card);
  expect(redactor.text(card)).toBe(card);
});
