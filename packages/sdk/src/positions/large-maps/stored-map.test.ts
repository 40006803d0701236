import {
  encodedMappings,
  originalPositionFor,
  type SourceMapSegment,
  TraceMap,
} from '@jridgewell/trace-mapping';
import { isThorough } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineMap, type SourceLine } from '../line-map.ts';
import { Base64Decoder } from './base64-decoder.ts';
import { MapScanner } from './map-scanner.ts';
import { StoredMap } from './stored-map.ts';

const SOURCES = ['src/a.ts', '../b "quoted" \\ \u00e4\u{1f600}.ts', 'webpack://app/./c.ts', null, 'e.ts'];
const CONTENT = [
  'const a = "\\"\\\\";\n',
  'é\u2028\u{1f600}',
  null,
  '{"sources":["no"],"mappings":"AAAA"}',
  '',
];

type Random = () => number;
interface Generated {
  readonly json: string;
  readonly lines: readonly (readonly SourceMapSegment[])[];
}

/** Returns random numbers from 0 to 1, the same for each seed. */
function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/** Builds a map with lines of random lengths. Some segments have no source, some have the column of the segment before. */
function generate(random: Random, lineCount: number, segments: number): Generated {
  const upTo = (max: number) => Math.floor(random() * max);
  const lines = Array.from({ length: lineCount }, () => {
    let column = 0;
    return Array.from({ length: upTo(segments * 2) }, (): SourceMapSegment => {
      column += random() < 0.1 ? 0 : upTo(random() < 0.01 ? 1_000_000 : 40);
      if (random() < 0.1) return [column];
      const place = [column, upTo(SOURCES.length), upTo(random() < 0.1 ? 1e6 : 300), upTo(200)] as const;
      return random() < 0.3 ? [...place, 0] : [...place];
    });
  });
  const whole = { version: 3 as const, sources: SOURCES, names: ['name'], mappings: lines };
  const { sources, names } = whole;
  const entries = Object.entries({
    version: 3,
    file: 'mappings',
    sources,
    sourcesContent: CONTENT,
    names,
    mappings: encodedMappings(new TraceMap(whole)),
    ignoreList: [0, 1],
    x_more: { mappings: 'no', sources: [true, null, -1.5e3] },
  });
  entries.sort(() => random() - 0.5);
  const indent = random() < 0.3 ? 2 : undefined;
  return { json: JSON.stringify(Object.fromEntries(entries), null, indent), lines };
}

/** Cuts bytes into chunks of random lengths. */
function* cut(bytes: Buffer, random: Random, maxLength: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + Math.floor(random() * maxLength);
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

function scan(json: string, random: Random = () => 0.5, maxLength = 1000): StoredMap {
  const bytes = Buffer.from(json);
  const scanner = new MapScanner();
  for (const chunk of cut(bytes, random, maxLength)) scanner.add(chunk);
  scanner.end();
  const read = ({ start, end }: { start: number; end: number }) => bytes.subarray(start - 7, end - 7);
  return new StoredMap(scanner, { start: 7, isBase64: false, read });
}

function scanBase64(json: string, random: Random, maxLength: number, padded: boolean): StoredMap {
  const base64 = Buffer.from(json).toString('base64');
  const bytes = Buffer.from(`before ${padded ? `${base64} \r` : base64.replace(/=+$/, '')}`);
  const scanner = new MapScanner();
  const decoder = new Base64Decoder();
  for (const chunk of cut(bytes.subarray(7), random, maxLength)) scanner.add(decoder.add(chunk));
  scanner.add(decoder.end());
  scanner.end();
  const read = ({ start, end }: { start: number; end: number }) => bytes.subarray(start, end);
  return new StoredMap(scanner, { start: 7, isBase64: true, read });
}

/** Compares the map with another reader of source maps, at the columns of each segment and beside them. */
function expectSame(map: StoredMap, { json, lines }: Generated): void {
  const other = new TraceMap(json);
  const differences: unknown[] = [];
  const step = lines.length > 10_000 ? 7 : 1;
  for (let index = 0; index <= lines.length; index += step) {
    const segments = lines[index] ?? [];
    const columns = new Set(segments.flatMap(([column]) => [column - 1, column, column + 1]));
    columns.add(0).add(2e6).delete(-1);
    for (const column of columns) {
      const { source, line } = originalPositionFor(other, { line: index + 1, column });
      const name = source === null ? null : other.sources[other.resolvedSources.indexOf(source)];
      const expected = typeof name === 'string' ? { source: name, line } : undefined;
      const found = map.find(index + 1, column);
      if (found?.source !== expected?.source || found?.line !== expected?.line)
        differences.push({ line: index + 1, column, found, expected });
    }
  }
  expect(differences).toEqual([]);
}

describe('a map that stays on disk has the same positions as with another source-map reader', () => {
  test.each([
    ['on one line', 1, 4000],
    ['on a few long lines', 5, 800],
    ['on many short lines', 2000, 3],
    ['on thousands of nearly empty lines', 20_000, 0.6],
  ])('%s', (_name, lines, segments) => {
    for (let seed = 1; seed <= 2; seed++) {
      const random = randomFrom(seed);
      const generated = generate(random, lines, segments);
      expectSame(scan(generated.json, random, 3000), generated);
      expectSame(scanBase64(generated.json, random, 3000, seed % 2 === 0), generated);
    }
  });

  test('if the map is read in chunks that end anywhere', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(4), fc.nat(8), fc.nat(7), fc.boolean(), (seed, ...shape) => {
        const [lines, segments, maxLength, padded] = shape;
        const random = randomFrom(seed);
        const generated = generate(random, lines, segments);
        expectSame(scan(generated.json, random, maxLength), generated);
        expectSame(scanBase64(generated.json, random, maxLength, padded), generated);
      }),
      { numRuns: 300 },
    );
  });

  test('if many segments have the same column, or columns decrease', () => {
    // `expectSame` cannot be used: its reader sorts the segments first. `LineMap` and the browser's readers do not sort them.
    const mappings = [...'ABCDEFGHI'].map((digit) => `${`${digit}ACA,`.repeat(1500)}DACA,CACA`).join(',');
    const json = JSON.stringify({ version: 3, sources: ['a'], mappings: `${mappings};;AAAA` });
    const [map, other] = [scan(json), new LineMap(json)];
    for (let column = 0; column < 60_000; column += 97)
      expect(map.find(1, column)).toEqual(other.find(1, column));
    for (const line of [0, 2, 3, 4]) expect(map.find(line, 0)).toEqual(other.find(line, 0));
  });
});

describe('a source map', () => {
  const valid = '{"version":3,"sources":["a"],"names":[],"mappings":"AAAA;AACA"}';
  const findAll = (json: string): SourceLine | undefined => scan(json).find(2, 0);

  test('is read if it is valid', () => {
    expect(findAll(valid)).toEqual({ source: 'a', line: 2 });
    expect(findAll(valid.replace('{', '{"sourceRoot":"/srv",'))).toEqual({ source: '/srv/a', line: 2 });
    expect(findAll(valid.replace('{', '{"sourceRoot":null,'))).toEqual({ source: 'a', line: 2 });
    expect(findAll(`\n ${valid}\r\n`)).toEqual({ source: 'a', line: 2 });
    expect(findAll(valid.replace('"a"', '"\\u0061\\/b"'))).toEqual({ source: 'a/b', line: 2 });
  });

  test('is refused if it is cut off, whatever the position of the cut', () => {
    for (let length = 0; length < valid.length; length++)
      expect(() => scan(valid.slice(0, length)), valid.slice(0, length)).toThrow();
  });

  test.each([
    ['text after the map', `${valid}{}`],
    ['an array', `[${valid}]`],
    ['a string', '"mappings"'],
    ['null', 'null'],
    ['a byte order mark', `\ufeff${valid}`],
    ['a NUL character', valid.replace(',', '\0,')],
    ['sections', valid.replace('{', '{"sections":[],')],
    ['no sources', valid.replace('"sources"', '"source"')],
    ['no mappings', valid.replace('"mappings"', '"mapping"')],
    ['mappings twice', valid.replace('}', ',"mappings":""}')],
    ['sources twice', valid.replace('}', ',"sources":[]}')],
    ['sources that are a string', valid.replace('["a"]', '"a"')],
    ['sources that are null', valid.replace('["a"]', 'null')],
    ['sources in a list of sources', valid.replace('["a"]', '[["a"]]')],
    ['a number as a source', valid.replace('["a"]', '[1]')],
    ['mappings that are a number', valid.replace('"AAAA;AACA"', '1')],
    ['mappings that are a list', valid.replace('"AAAA;AACA"', '["AAAA"]')],
    ['an escape in the mappings', valid.replace('AACA', 'AAC\\u0041')],
    ['a character in the mappings that is no digit', valid.replace('AACA', 'AA!A')],
    ['a character beyond ASCII in the mappings', valid.replace('AACA', 'AAéA')],
    ['a number that does not end', valid.replace('AACA', 'AAg')],
    ['a number that is too long', valid.replace('AACA', 'ggggggggA')],
    ['a segment with a source and no line', valid.replace('AACA', 'AA')],
    ['an empty segment', valid.replace('AACA', 'AACA,,AAAA')],
    ['an invalid escape in a source', valid.replace('"a"', '"\\x"')],
    ['a column that is too large', valid.replace('AACA', `${'+++++fAAA,'.repeat(1000)}A`)],
    ['too many bytes between two positions', valid.replace('AACA', 'AAAA,'.repeat(20_000))],
    ['a segment that is too long', valid.replace('AACA', 'A'.repeat(100_000))],
    ['too many sources', valid.replace('"a"', `${'null,'.repeat(200_000)}null`)],
    [
      'names of sources that are too long in total',
      valid.replace('"a"', `"a"${`,"${'b'.repeat(4000)}"`.repeat(1100)}`),
    ],
    ['a root that is too long', valid.replace('{', `{"sourceRoot":"${'a'.repeat(5000)}",`)],
  ])('is refused with %s', (_name, json) => {
    expect(() => scan(json)).toThrow();
    const padded = () => scanBase64(json, () => 0.5, 100, true);
    expect(padded).toThrow();
  });

  test('that was changed at random is refused, or has the same positions as with LineMap if LineMap can read it', () => {
    const parts = [
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ',',
      ';',
      ':',
      'A',
      'g',
      '\0',
      'null',
      '"sources":',
      'é',
      ' ',
    ];
    const generated = generate(randomFrom(5), 4, 20);
    fc.assert(
      fc.property(
        fc.nat(generated.json.length),
        fc.nat(3),
        fc.constantFrom(...parts),
        (at, removed, part) => {
          const json = generated.json.slice(0, at) + part + generated.json.slice(at + removed);
          let map: StoredMap;
          try {
            map = scan(json);
          } catch (error) {
            expect(error).toBeInstanceOf(Error);
            return;
          }
          let other: LineMap;
          try {
            other = new LineMap(Buffer.from(json).toString());
          } catch {
            // The JSON is damaged in a part that `MapScanner` skips without a check.
            return;
          }
          for (let line = 1; line < 6; line++)
            for (let column = 0; column < 800; column += 53)
              expect(map.find(line, column)).toEqual(other.find(line, column));
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('base64 with a character that is no digit is refused, wherever the chunks end', () => {
  const base64 = Buffer.from('{"version":3,"sources":["a"],"mappings":"AAAA"}').toString('base64');
  for (const damaged of [
    `${base64.slice(0, 6)}!${base64.slice(6)}`,
    base64.replace('e', '='),
    `${base64}A`,
  ]) {
    for (let length = 1; length <= base64.length + 1; length++) {
      const decoder = new Base64Decoder();
      const decodeAll = () => {
        for (let at = 0; at < damaged.length; at += length)
          decoder.add(Buffer.from(damaged.slice(at, at + length)));
        decoder.end();
      };
      expect(decodeAll, `${damaged} in chunks of ${length}`).toThrow(SyntaxError);
    }
  }
});

test('positions in a source with a long name are not found, but positions in the other sources are', () => {
  const sources = ['a', `data:text/javascript,${'x'.repeat(100_000)}`, 'b'];
  const map = scan(JSON.stringify({ version: 3, sources, mappings: 'AAAA;ACAA;ACAA' }));
  expect([1, 2, 3].map((line) => map.find(line, 0)?.source)).toEqual(['a', undefined, 'b']);
});

test('the index of a map with one short source name is smaller than a hundredth of the text of its mappings', () => {
  const mappings = `${`${'AACA,CAAC,'.repeat(20)}EAAE;`.repeat(20_000)}`;
  const content = 'x'.repeat(1_000_000);
  const map = scan(JSON.stringify({ sources: ['a'], sourcesContent: [content], mappings }), () => 0.99, 1e5);
  expect(map.find(20_000, 20 * 2 - 1)).toEqual({ source: 'a', line: 20 * 20_000 + 1 });
  expect(map.bytes).toBeLessThan(mappings.length / 100);
});

test.runIf(isThorough())('a map whose mappings would need a larger index is refused', () => {
  const scanner = new MapScanner();
  scanner.add(Buffer.from('{"sources":["a"],"mappings":"'));
  const megabyte = Buffer.from(`${'AAAA,'.repeat(820)}CAAC;`.repeat(256));
  for (let n = 0; n < 255; n++) scanner.add(megabyte);
  expect(scanner.bytes).toBeLessThan(2 * 1024 * 1024);
  expect(() => {
    for (let n = 0; n < 3; n++) scanner.add(megabyte);
  }).toThrow(RangeError);
});

test('a repeated lookup reads nothing from the file; a new lookup throws if the file has changed', () => {
  const json = JSON.stringify({ version: 3, sources: ['a'], mappings: 'AAAA;AACA' });
  const scanner = new MapScanner();
  scanner.add(Buffer.from(json));
  scanner.end();
  let isChanged = false;
  const read = ({ start, end }: { start: number; end: number }) => {
    if (isChanged) throw new Error('changed');
    return Buffer.from(json).subarray(start, end);
  };
  const map = new StoredMap(scanner, { start: 0, isBase64: false, read });
  expect(map.find(2, 0)).toEqual({ source: 'a', line: 2 });
  isChanged = true;
  expect(map.find(2, 0)).toEqual({ source: 'a', line: 2 });
  expect(() => map.find(1, 0)).toThrow('changed');
});
