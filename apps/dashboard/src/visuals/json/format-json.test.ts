import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatJson } from './format-json.ts';
import { lineCount, parentLine, shownLines } from './json-lines.ts';
import { wholeText } from './line-text.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const format = (text: string) => wholeText(formatJson(bytesOf(text)));

describe('a JSON text in lines', () => {
  it.each([
    '{"a":1,"b":[true,null,"x"],"c":{}}',
    '[]',
    '{}',
    '"alone"',
    '[[[[1]]]]',
    '{"quote \\" and \\\\":"a\\\\","{[":"]},:"}',
    '{"name":"Zoë 😀 שלום"}',
    '{"file":"src\\/tax.ts","\\/":"\\\\/ \\\\\\/"}',
    ' { "a" :\n[ 1 , 2 ] }\t',
  ])('is as JSON.stringify would lay it out: %s', (text) => {
    expect(format(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
  });

  it('is so for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        expect(format(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
      }),
    );
  });

  it('keeps all digits of numbers that no double holds', () => {
    expect(format('[12345678901234567890.10,1E400]')).toBe('[\n  12345678901234567890.10,\n  1E400\n]');
  });

  it('is refused where it was cut off or is none, wherever that is', () => {
    const text = '{"a":[1,{"b":"c"}]}';
    for (let end = 0; end < text.length; end += 1) {
      expect(() => format(text.slice(0, end)), text.slice(0, end)).toThrow(Error);
    }
    for (const wrong of ['}', '[}', '{"a":1]', ',', '']) expect(() => format(wrong), wrong).toThrow(Error);
  });

  it('goes thousands deep without being mostly spaces', () => {
    const deep = 5_000;
    const lines = formatJson(bytesOf('['.repeat(deep) + ']'.repeat(deep)));
    expect(lineCount(lines)).toBe(deep * 2 - 1);
    expect(lines.levels[deep - 1]).toBe(deep - 1);
    expect(lines.bytes.length).toBeLessThan(deep * 2 * 90);
    expect(JSON.parse(wholeText(lines))).toHaveLength(1);
  });

  it('knows of each opening line where it closes and how much it has', () => {
    const lines = formatJson(bytesOf('{"a":[1,2,3],"b":{"c":{}},"d":0}'));
    // { | a [ | 1 | 2 | 3 | ] | b { | c {} | } | d | }
    expect([...lines.ends]).toEqual([10, 5, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
    expect([...lines.counts]).toEqual([3, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    expect([...lines.levels]).toEqual([0, 1, 2, 2, 2, 1, 1, 2, 1, 1, 0]);
  });

  it('all its lines are shown when all is open, and each lies in the one above it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const lines = formatJson(bytesOf(JSON.stringify(value)));
        const open = { openLevels: Number.POSITIVE_INFINITY, turned: new Set<number>() };
        expect(shownLines(lines, open)).toHaveLength(lineCount(lines));
        for (let line = 0; line < lineCount(lines); line += 1) {
          const parent = parentLine(lines, line);
          if (parent === undefined) expect(lines.levels[line]).toBe(0);
          else expect(lines.levels[line]).toBe((lines.levels[parent] ?? 0) + 1);
        }
      }),
    );
  });
});
