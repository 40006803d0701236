import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnownTexts } from './known-texts.ts';

test('a cached string equals its bytes, even if many strings were read before', () => {
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
  // More names than the cache has space for.
  const many = Array.from({ length: 20_000 }, (_text, number) => `app.name${number}`);
  expect(many.map(read)).toEqual(many);
});

test('a cached name equals its bytes, whatever the order of names', () => {
  const known = new KnownTexts();
  const read = (text: string) => {
    const bytes = Buffer.from(`[${text}]`);
    return known.nameOf(bytes, 1, bytes.length - 1, (from, start, end) => from.toString('utf8', start, end));
  };
  const name = fc.oneof(
    fc.constantFrom('', 'a', 'b', 'aa', 'db.system', 'db.systems'),
    fc.string({ maxLength: 60 }),
  );
  fc.assert(
    fc.property(fc.array(name, { maxLength: 30 }), (names) => {
      for (const each of [...names, ...names]) expect(read(each)).toBe(each.toWellFormed());
    }),
  );
});

test('names that repeat in the same order are taken from the cache', () => {
  const known = new KnownTexts();
  let made = 0;
  const bytes = Buffer.from('db.systemdb.namecode.lineno');
  const read = () =>
    [[0, 9] as const, [9, 16] as const, [16, 27] as const].map(([start, end]) =>
      known.nameOf(bytes, start, end, () => {
        made += 1;
        return bytes.toString('utf8', start, end);
      }),
    );
  expect([read(), read(), read()]).toEqual(
    Array.from({ length: 3 }, () => ['db.system', 'db.name', 'code.lineno']),
  );
  expect(made).toBe(3);
});
