import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatJsonField } from './tab-separated.ts';

test('JSON of any length has every backslash doubled and is otherwise unchanged', () => {
  const part = fc.constantFrom('\\\\', '\\"', '\\n', 'a', 'ü', '😀', '\\u0000', '"');
  fc.assert(
    fc.property(fc.array(part), fc.constantFrom(1, 5000, 70_000), (parts, times) => {
      const json = parts.join('').repeat(parts.length === 0 ? 1 : Math.ceil(times / parts.length));
      expect(formatJsonField(json)).toBe(json.split('\\').join('\\\\'));
    }),
    { numRuns: 60 },
  );
});
