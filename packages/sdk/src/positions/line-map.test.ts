import {
  encodedMappings,
  originalPositionFor,
  type SourceMapSegment,
  TraceMap,
} from '@jridgewell/trace-mapping';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineMap } from './line-map.ts';

const SOURCES = ['src/a.ts', '../b.ts', 'webpack://app/./c.ts', null];

/** Segments sorted by column; some have no source. */
const segment = fc.tuple(
  fc.nat(40),
  fc.option(fc.tuple(fc.nat(SOURCES.length - 1), fc.nat(100_000), fc.nat(500)), { freq: 5 }),
  fc.boolean(),
);
const line = fc.array(segment, { maxLength: 6 });

function encoded(lines: readonly (readonly [number, [number, number, number] | null, boolean][])[]): string {
  const mappings = lines.map((segments) => {
    let column = 0;
    return segments.map(([further, origin, isNamed]): SourceMapSegment => {
      column += further;
      if (origin === null) return [column];
      return isNamed ? [column, ...origin, 0] : [column, ...origin];
    });
  });
  const map = { version: 3 as const, sources: SOURCES, names: ['name'] };
  return JSON.stringify({ ...map, mappings: encodedMappings(new TraceMap({ ...map, mappings })) });
}

test('each position maps to the same source as with another source-map reader, in any order of lookups', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 30 }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 32 }), fc.nat(260)), { minLength: 1, maxLength: 30 }),
      (lines, places) => {
        const json = encoded(lines);
        const map = new LineMap(json);
        const other = new TraceMap(json);
        for (const [line, column] of places) {
          const { source, line: expected } = originalPositionFor(other, { line, column });
          const found = map.find(line, column);
          const name = source === null ? null : other.sources[other.resolvedSources.indexOf(source)];
          // A null source has no name.
          expect(found).toEqual(typeof name === 'string' ? { source: name, line: expected } : undefined);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('the first of several segments at one position applies', () => {
  const map = encoded([
    [
      [40, null, false],
      [0, [0, 0, 0], false],
    ],
  ]);
  expect(new LineMap(map).find(1, 40)).toBeUndefined();
  expect(new LineMap(map).find(1, 41)).toEqual({ source: 'src/a.ts', line: 1 });
});

test('positions at the beginning, middle and end of a long map are found', () => {
  const lines = Array.from({ length: 10_000 }, (_line, n) => [
    [n % 7, [n % 3, n * 3, 0], true] satisfies [number, [number, number, number], boolean],
  ]);
  const map = new LineMap(encoded(lines));
  for (const line of [10_000, 1, 5000, 1024, 1025, 1023, 2049, 9999, 2]) {
    expect(map.find(line, 50)).toEqual({ source: SOURCES[(line - 1) % 3], line: (line - 1) * 3 + 1 });
  }
  expect(map.find(10_001, 0)).toBeUndefined();
});

test("the map's `sourceRoot` is put before the names of sources", () => {
  const json = JSON.parse(encoded([[[0, [0, 4, 0], false]]]));
  for (const sourceRoot of ['/srv', '/srv/'])
    expect(new LineMap(JSON.stringify({ ...json, sourceRoot })).find(1, 0)?.source).toBe('/srv/src/a.ts');
});

test.each(['{', 'null', '{"version":3,"sources":["a"]}', '{"mappings":"AAAA"}'])(
  '%s is rejected as a source map',
  (json) => {
    expect(() => new LineMap(json)).toThrow();
  },
);

test('a damaged source map resolves positions before the damage, and throws for positions after the damage', () => {
  const map = new LineMap('{"version":3,"sources":["a"],"mappings":"AAAA;A!;AAAA"}');
  expect(map.find(1, 0)).toEqual({ source: 'a', line: 1 });
  expect(() => map.find(3, 0)).toThrow(RangeError);
});
