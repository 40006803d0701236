import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonBounds, type JsonLimits, JsonTooLarge } from './json-bounds.ts';

const NO_LIMITS: JsonLimits = {
  values: 1e9,
  depth: 10_000,
  keys: 1e9,
  nameBytes: 1e9,
  digits: 1e9,
  part: { depth: 0, values: 1e9 },
};

/** Reads the JSON in chunks of `pieceBytes`. Returns the limit that the JSON exceeds; undefined if it exceeds none. */
function findExcess(json: string, limits: Partial<JsonLimits>, pieceBytes = 7): string | undefined {
  const bounds = new JsonBounds({ ...NO_LIMITS, ...limits });
  const bytes = Buffer.from(json);
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) bounds.add(bytes.subarray(at, at + pieceBytes));
    return undefined;
  } catch (error) {
    if (error instanceof JsonTooLarge) return error.limit;
    throw error;
  }
}

function countValues(json: string, pieceBytes: number): number {
  const bounds = new JsonBounds(NO_LIMITS);
  const bytes = Buffer.from(json);
  for (let at = 0; at < bytes.length; at += pieceBytes) bounds.add(bytes.subarray(at, at + pieceBytes));
  return bounds.values;
}

function countParsed(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + countParsed(part), 1);
}

describe('measuring the structure of JSON', () => {
  it('counts the values that JSON.parse creates, wherever the chunks are split', () => {
    const blank = fc.constantFrom(undefined, 2, '\t', '\r\n ');
    fc.assert(
      fc.property(fc.jsonValue(), blank, fc.integer({ min: 1, max: 50 }), (value, indent, pieceBytes) => {
        const json = JSON.stringify(value, null, indent);
        // JSON.parse keeps only the last of several members with the same name, but fast-check generates no such members.
        expect(countValues(json, pieceBytes)).toBe(countParsed(JSON.parse(json)));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['values', '[1,"a",{},[],null]', { values: 6 }, { values: 5 }],
    ['values', '{"a":{"b":true}}', { values: 3 }, { values: 2 }],
    ['values', '["\\"",",[]{}:","\\\\"]', { values: 4 }, { values: 3 }],
    ['values', '"a"\n"b"\n1', { values: 3 }, { values: 2 }],
    ['depth', '[[{"a":[1]}],[]]', { depth: 4 }, { depth: 3 }],
    ['depth', '["[[[["]', { depth: 1 }, { depth: 0 }],
    ['keys', '{"a":1,"b":{"c":1,"d":2,"e":3}}', { keys: 3 }, { keys: 2 }],
    ['keys', '{"a":":::"}', { keys: 1 }, { keys: 0 }],
    ['nameBytes', '{"a":"long text","b":{"na\\"me" :1}}', { nameBytes: 6 }, { nameBytes: 5 }],
    ['digits', '[-123.5e+10]', { digits: 10 }, { digits: 9 }],
    ['digits', '["12345678901",1]', { digits: 1 }, { digits: 0 }],
    ['part', '{"a":[{"b":[1,2]},{}]}', { part: { depth: 2, values: 4 } }, { part: { depth: 2, values: 3 } }],
    ['part', '[1,2]\n{}\n', { part: { depth: 0, values: 3 } }, { part: { depth: 0, values: 2 } }],
  ] as const)('stops at the limit on %s in %s', (name, json, within, over) => {
    for (const pieceBytes of [1, 2, 3, 100]) {
      expect(findExcess(json, within, pieceBytes)).toBeUndefined();
      expect(findExcess(json, over, pieceBytes)).toBe(name);
    }
  });

  it('counts the members of each object separately, however the objects are nested', () => {
    const object = '{"a":1,"b":{"c":1,"d":2},"e":[{"f":1,"g":2}]}';
    expect(findExcess(`[${object},${object}]`, { keys: 3 })).toBeUndefined();
  });

  it('never counts below zero when brackets or colons are unbalanced', () => {
    expect(findExcess(']]]}}}[]', { depth: 1 })).toBeUndefined();
    expect(countValues(':::::,,,,', 2)).toBe(0);
    expect(countValues('"a" 1 :: "b"', 2)).toBe(3);
  });

  it('stops reading in the chunk that first exceeds a limit', () => {
    const bounds = new JsonBounds({ ...NO_LIMITS, values: 1000 });
    const piece = Buffer.from('{},'.repeat(900));
    bounds.add(piece);
    expect(() => bounds.add(piece)).toThrow('more than 1000 values');
    expect(bounds.values).toBeLessThanOrEqual(1001);
  });
});
