import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Redactor } from '../redactor.ts';
import { LINK_TOKENS, PASSWORD_ENDS, PASSWORD_STEMS, SECRET_ALONE, SHORT_ENDS } from './name-table.ts';
import { SECRET_TERMS } from './names.ts';

const redactor = new Redactor({ keys: ['nick', 'innerNote', 'v'] });
const isAscii = (text: string) => Buffer.byteLength(text) === text.length;
const terms = [
  ...SECRET_TERMS.words,
  ...SECRET_TERMS.phrases,
  ...SECRET_ALONE,
  ...LINK_TOKENS,
  ...SHORT_ENDS.map((end) => `staging${end}`),
  ...PASSWORD_STEMS.flatMap((stem) => PASSWORD_ENDS.map((end) => `my${stem}${end}`)),
  'dbpass',
  'devops ext pat',
  'sec websocket protocol',
  'nick',
  'inner note',
].filter(isAscii);

function mayMention(text: string): boolean {
  const bytes = Buffer.from(`"${text}",`);
  return redactor.mayMentionSecret(bytes, 1, bytes.length - 2);
}

/** Texts of one to three names of secrets and other words, in all spellings. A separator comes after each word, or cuts the word in two. */
const texts = fc
  .array(
    fc.record({
      term: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...terms) },
        fc.constantFrom('order', 'v', 'card', 'on', 'boarding', 'max', 'id', 'API', 'x', 'S'),
      ),
      spelling: fc.constantFrom(
        (word: string) => word,
        (word: string) => word.toUpperCase(),
        (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1),
        (word: string) => word.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
        (word: string) => word.replaceAll(' ', '_'),
        (word: string) => word.replaceAll(' ', ''),
      ),
      end: fc.constantFrom('', 's', 'S', '2'),
      cut: fc.nat(12),
      separator: fc.constantFrom('', '', ' ', '_', '-', '.', '2', '$', 'V3', ' v '),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) =>
    parts
      .map(({ term, spelling, end, cut, separator }) => {
        const word = spelling(term) + end;
        return cut < 10 ? word + separator : `${word.slice(0, cut - 8)}${separator}${word.slice(cut - 8)}`;
      })
      .join(''),
  );

test('the quick check finds every text with the name of a secret', () => {
  let mentions = 0;
  fc.assert(
    fc.property(texts, (text) => {
      if (!redactor.mentionsSecret(text)) return;
      mentions++;
      expect(mayMention(text), text).toBe(true);
    }),
    { numRuns: 20_000 },
  );
  expect(mentions).toBeGreaterThan(10_000);
});

test.each(terms)('the quick check finds %s', (term) => {
  for (const name of [term, `${term}s`, `the ${term}.`, term.replaceAll(' ', '_'), term.replaceAll(' ', '')])
    if (redactor.mentionsSecret(name)) expect(mayMention(name), name).toBe(true);
});

test.each([
  'please leave the parcel at the back door',
  'Order number 17, information on the temperature',
  'c6b1f0de-8a2e-4c0f-9d3b-0a1b2c3d4e5f',
  'permission of the commission',
  'shippingAddress2',
  '2026-11-30T08:00:00.000Z',
  'ADA LOVELACE',
  '',
])('the quick check passes over %j', (text) => {
  expect(mayMention(text)).toBe(false);
});
