import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinRows, RowBytes, type Rows } from './row-bytes.ts';

test('the rows of each trace are complete and in order, even if the traces were interleaved', () => {
  const field = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.nat({ max: 10_000 }).map((length) => 'ä'.repeat(length)),
  );
  const row = field.map((text) => `${text}\n`);
  const sequence = fc.array(fc.tuple(fc.nat({ max: 3 }), row), { maxLength: 40 });
  fc.assert(
    fc.property(sequence, fc.nat({ max: 20_000 }), (added, expectedBytes) => {
      const bytes = new RowBytes(expectedBytes);
      const groups = Array.from({ length: 4 }, (): Rows => ({ pieces: [] }));
      for (const [place, text] of added) bytes.add(text, groups[place] ?? { pieces: [] });
      for (const [place, rows] of groups.entries()) {
        const texts = added.flatMap(([of, text]) => (of === place ? [text] : []));
        expect(joinRows(rows).equals(Buffer.from(texts.join('')))).toBe(true);
      }
    }),
  );
});
