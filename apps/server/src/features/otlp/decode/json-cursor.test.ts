import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildJsonRequest, spanMembers } from '../fixtures/wire.ts';
import { decodeJson } from './decode-json.ts';
import { JsonCursor } from './json-cursor.ts';
import { RequestCounts } from './request-counts.ts';
import { MalformedMessage } from './wire-reader.ts';

/** Reads the value at the cursor member by member and element by element. */
function walk(cursor: JsonCursor): unknown {
  if (cursor.isAtObject) {
    const members: [string, unknown][] = [];
    for (const name of cursor.members()) members.push([name, walk(cursor)]);
    return Object.fromEntries(members);
  }
  if (cursor.isAtArray) {
    const elements: unknown[] = [];
    for (const _element of cursor.elements()) elements.push(walk(cursor));
    return elements;
  }
  const { start, end } = cursor.skip();
  return cursor.parse(start, end);
}

function walkText(text: string): unknown {
  const cursor = new JsonCursor(Buffer.from(text));
  const value = walk(cursor);
  cursor.finish();
  return value;
}

/** Parses like JSON.parse, but keeps the digits of integers that no double can represent. */
function parseAll(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) && !String(value).includes('e')
      ? String(value)
      : value,
  );
}

const blank = fc.constantFrom(undefined, 2, '\t', '\r\n ');

describe('the JSON cursor', () => {
  it('finds the same values as JSON.parse, with any indentation', () => {
    fc.assert(
      fc.property(fc.jsonValue(), blank, (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(walkText(text)).toEqual(parseAll(text));
      }),
    );
  });

  it('skips a value of any kind and continues at the byte after the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (first, second) => {
        const cursor = new JsonCursor(Buffer.from(JSON.stringify([first, second])));
        const found: unknown[] = [];
        for (const _element of cursor.elements()) {
          const { start, end } = cursor.skip();
          found.push(cursor.parse(start, end));
        }
        expect(found).toEqual(parseAll(JSON.stringify([first, second])));
      }),
    );
  });

  it.each([
    ['{"a":[1,{"b":"x"}]}', 7, 3],
    ['"[[["', 1, 0],
    ['[[],[[]]]', 4, 3],
  ])('measures the structure of %s', (text, values, depth) => {
    expect(new JsonCursor(Buffer.from(text)).skip()).toEqual({ start: 0, end: text.length, values, depth });
  });

  it('reads escaped names, a byte order mark, and integers that no double can represent', () => {
    expect(walkText('\uFEFF{"\\u0061\\"":12345678901234567890,"n":1e2}')).toEqual({
      'a"': '12345678901234567890',
      n: 100,
    });
  });

  it.each([
    '',
    ' ',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,}',
    '{a:1}',
    '[1 2]',
    '[1,]',
    '[',
    '"a',
    '"\\',
    '1 1',
    ']',
    ':',
  ])('refuses %j', (text) => {
    expect(() => walkText(text)).toThrow(MalformedMessage);
  });
});

it('a request is refused as invalid JSON exactly if JSON.parse refuses it', () => {
  const good = buildJsonRequest(
    `{${spanMembers(1)},"attributes":[{"key":"a\\n","value":{"arrayValue":{"values":[{"intValue":"1"}]}}}],"x":{"y":[1.5e3,null]}},{}`,
  ).replace('{"spans"', '{"scope":{"name":"s"},"z":"\\\\","spans"');
  const edit = fc.record({
    at: fc.nat(good.length - 1),
    kind: fc.constantFrom('set', 'cut', 'insert', 'remove'),
    sign: fc.constantFrom(...'{}[],:"\\ 0an-'),
  });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 3 }), (edits) => {
      let text = good;
      for (const { at, kind, sign } of edits) {
        if (kind === 'cut') text = text.slice(0, at);
        else
          text =
            text.slice(0, at) + (kind === 'remove' ? '' : sign) + text.slice(kind === 'insert' ? at : at + 1);
      }
      const isJson = answers(() => JSON.parse(text));
      // The second set makes the decoder look for the trace id of each span.
      for (const fullTraces of [new Set<string>(), new Set(['cd'.repeat(16)])]) {
        const read = () => [...decodeJson(Buffer.from(text), new RequestCounts(), fullTraces)];
        if (isJson) expect(catchMessage(read)).not.toContain('is not JSON');
        else expect(read).toThrow(MalformedMessage);
      }
    }),
    { numRuns: 2000 },
  );
});

function answers(read: () => unknown): boolean {
  return catchMessage(read) === '';
}

function catchMessage(read: () => unknown): string {
  try {
    read();
    return '';
  } catch (error) {
    return error instanceof Error ? `failed: ${error.message}` : 'failed';
  }
}
