import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonFormatter, formatJson } from './format-json.ts';
import { countLines, findParentLine, listShownLines } from './json-lines.ts';
import { readWholeText } from './line-text.ts';

const toBytes = (text: string) => new TextEncoder().encode(text);
const format = (text: string) => readWholeText(formatJson(toBytes(text)));

describe('formatted JSON', () => {
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
  ])('is the output of JSON.stringify: %s', (text) => {
    expect(format(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
  });

  it('is the output of JSON.stringify for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        expect(format(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
      }),
    );
  });

  it('is the same for any split into chunks', () => {
    const anyParts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), anyParts, fc.constantFrom(0, 2), (value, sizes, indent) => {
        const bytes = toBytes(`${JSON.stringify(value, null, indent)} `);
        const formatter = createJsonFormatter();
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          formatter.write(bytes.subarray(at, at + size));
          at += size;
        }
        expect(formatter.end()).toEqual(formatJson(bytes));
      }),
    );
  });

  it('is shown while the rest is still arriving', () => {
    const formatter = createJsonFormatter();
    expect(formatter.soFar()).toBeUndefined();
    formatter.write(toBytes('{"a":[1,{"b":2}],"c":{"d":[3,4'));
    const begun = formatter.soFar();
    expect(begun && readWholeText(begun)).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": 2\n    }\n  ],\n  "c": {\n    "d": [\n      3,',
    );
    // The lines so far, separated by bars: { | a [ | 1, | { | b | } | ], | c { | d [ | 3, |
    expect([...(begun?.ends ?? [])]).toEqual([10, 6, 0, 5, 0, 0, 0, 10, 10, 0]);
    expect([...(begun?.counts ?? [])]).toEqual([2, 2, 0, 1, 0, 0, 0, 1, 2, 0]);
    formatter.write(toBytes('5]}}'));
    expect(readWholeText(formatter.end())).toBe(
      JSON.stringify({ a: [1, { b: 2 }], c: { d: [3, 45] } }, null, 2),
    );
  });

  it('has the same first lines while the rest is arriving as after the end has arrived', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(200), (value, at) => {
        const bytes = toBytes(JSON.stringify(value));
        const formatter = createJsonFormatter();
        formatter.write(bytes.subarray(0, at));
        const begun = formatter.soFar();
        formatter.write(bytes.subarray(at));
        const whole = formatter.end();
        if (begun === undefined) return;
        const count = countLines(begun);
        expect(readWholeText(whole).startsWith(`${readWholeText(begun)}\n`)).toBe(true);
        expect(begun.ends).toEqual(whole.ends.slice(0, count).map((end) => Math.min(end, count)));
        expect(begun.levels).toEqual(whole.levels.slice(0, count));
        expect(listShownLines(begun, { openLevels: 1, turned: new Set() }).length).toBeLessThanOrEqual(count);
      }),
    );
  });

  it('is complete for long strings in small chunks', () => {
    const text = JSON.stringify({ a: 'x'.repeat(300_000), b: `${'\\'.repeat(100_000)}"`, c: 1 });
    const bytes = toBytes(text);
    const formatter = createJsonFormatter();
    for (let at = 0; at < bytes.length; at += 100) formatter.write(bytes.subarray(at, at + 100));
    expect(readWholeText(formatter.end())).toBe(JSON.stringify(JSON.parse(text), null, 2));
  });

  it('keeps all digits of numbers that a double cannot represent', () => {
    expect(format('[12345678901234567890.10,1E400]')).toBe('[\n  12345678901234567890.10,\n  1E400\n]');
  });

  it('is rejected if the JSON is truncated or invalid at any position', () => {
    const text = '{"a":[1,{"b":"c"}]}';
    for (let end = 0; end < text.length; end += 1) {
      expect(() => format(text.slice(0, end)), text.slice(0, end)).toThrow(Error);
    }
    for (const wrong of ['}', '[}', '{"a":1]', ',', '']) expect(() => format(wrong), wrong).toThrow(Error);
  });

  it('is indented only up to a limit, so that deep JSON does not become mostly spaces', () => {
    const deep = 5_000;
    const lines = formatJson(toBytes('['.repeat(deep) + ']'.repeat(deep)));
    expect(countLines(lines)).toBe(deep * 2 - 1);
    expect(lines.levels[deep - 1]).toBe(deep - 1);
    expect(lines.bytes.length).toBeLessThan(deep * 2 * 90);
    expect(JSON.parse(readWholeText(lines))).toHaveLength(1);
  });

  it('stores the index of the closing line and the number of members for each line that opens an object or a list', () => {
    const lines = formatJson(toBytes('{"a":[1,2,3],"b":{"c":{}},"d":0}'));
    // The lines, separated by bars: { | a [ | 1 | 2 | 3 | ] | b { | c {} | } | d | }
    expect([...lines.ends]).toEqual([10, 5, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
    expect([...lines.counts]).toEqual([3, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    expect([...lines.levels]).toEqual([0, 1, 2, 2, 2, 1, 1, 2, 1, 1, 0]);
  });

  it('stores for each line the level, the closing line and the number of members that the indentation shows', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const lines = formatJson(toBytes(JSON.stringify(value)));
        const open = { openLevels: Number.POSITIVE_INFINITY, turned: new Set<number>() };
        expect(listShownLines(lines, open)).toHaveLength(countLines(lines));
        const texts = JSON.stringify(JSON.parse(JSON.stringify(value)), null, 2).split('\n');
        const levels = texts.map((text) => (text.length - text.trimStart().length) / 2);
        const isCloser = (line: number) => /^[}\]]/.test(texts[line]?.trimStart() ?? '');
        const ends = texts.map((text, line) =>
          /[{[]$/.test(text) ? levels.findIndex((level, at) => at > line && level === levels[line]) : 0,
        );
        const counts = ends.map((end, line) => {
          const inside = levels.map(
            (level, at) => at > line && at < end && level === (levels[line] ?? 0) + 1,
          );
          return inside.filter((isInside, at) => isInside && !isCloser(at)).length;
        });
        expect([...lines.levels]).toEqual(levels);
        expect([...lines.ends]).toEqual(ends);
        expect([...lines.counts]).toEqual(counts);
        const parents = levels.map((level, line) =>
          level === 0 ? undefined : levels.findLastIndex((above, at) => at < line && above === level - 1),
        );
        expect(levels.map((_, line) => findParentLine(lines, line))).toEqual(parents);
      }),
    );
  });
});
