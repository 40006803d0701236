import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnownTexts } from './known-texts.ts';

test('a text is what its bytes say, however many others were met before', () => {
  const known = new KnownTexts();
  const read = (text: string) => {
    const bytes = Buffer.from(`[${text}]`);
    return known.of(bytes, 1, bytes.length - 1, (from, start, end) => from.toString('utf8', start, end));
  };
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 30 });
  fc.assert(
    fc.property(texts, (all) => {
      for (const text of [...all, ...all]) expect(read(text)).toBe(text.toWellFormed());
    }),
  );
  // More than are remembered.
  const many = Array.from({ length: 20_000 }, (_text, number) => `app.name${number}`);
  expect(many.map(read)).toEqual(many);
});
