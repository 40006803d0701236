import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeFirstUnits } from '../../record/snapshot/text.ts';
import { BodyTap } from './body.ts';

const limit = 1000;

function view(chunks: readonly (string | Uint8Array)[], type?: string, encoding?: string) {
  const tap = new BodyTap(limit);
  for (const chunk of chunks) tap.add(chunk, undefined);
  return tap.view(type, encoding, takeFirstUnits);
}

test('JSON is parsed, and keys named $type in it are escaped', () => {
  expect(view(['{"a":[1,', '{"b":"ü"}]}'], 'application/json; charset=utf-8')).toEqual({
    a: [1, { b: 'ü' }],
  });
  expect(view(['{"$type":"Map","x":{"$type":1}}'], 'application/problem+json')).toEqual({
    $type: 'object',
    properties: { $type: 'Map', x: { $type: 'object', properties: { $type: 1 } } },
  });
  expect(view(['{"__proto__":{"a":1}}'], 'application/json')).toEqual(JSON.parse('{"__proto__":{"a":1}}'));
});

test('invalid JSON is shown as text', () => {
  expect(view(['{"a":'], 'application/json')).toBe('{"a":');
});

test('deeply nested JSON is cut, so that later code does not recurse too deeply', () => {
  const tap = new BodyTap(100_000);
  tap.add('['.repeat(50_000) + ']'.repeat(50_000), 'utf8');
  expect(JSON.stringify(tap.view('application/json', undefined, takeFirstUnits)).length).toBeLessThan(1000);
});

test('a form body is shown as its fields', () => {
  expect(view(['a=1&b=x+y&b=%C3%BC&c=%ZZ'], 'application/x-www-form-urlencoded')).toEqual({
    a: '1',
    b: ['x y', 'ü'],
    c: '%ZZ',
  });
});

test('text is decoded in its charset; a body without a type is shown as text if it is valid text', () => {
  expect(view(['<b>hi</b>'], 'text/html')).toBe('<b>hi</b>');
  expect(view([Buffer.from('grün', 'latin1')], 'text/plain; charset=ISO-8859-1')).toBe('grün');
  expect(view(['plain'])).toBe('plain');
  expect(view([Buffer.from([0xff, 0xfe, 0])])).toEqual({
    $type: 'cut',
    of: 'body',
    size: 3,
    reason: 'bytes',
  });
});

test('a binary body is shown by its type and size', () => {
  expect(view([Buffer.alloc(70_000)], 'image/PNG')).toEqual({
    $type: 'cut',
    of: 'image/png',
    size: 70_000,
    reason: 'bytes',
  });
  expect(view(['x'], 'text/plain; charset=shift_jis')).toMatchObject({ $type: 'cut', of: 'text/plain' });
});

test('a request without a body shows no body', () => {
  expect(view([])).toBeUndefined();
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])(
  'a body compressed with %s is read, unless the decompressed body exceeds the size limit',
  (encoding, pack) => {
    expect(view([pack('{"a":1}')], 'application/json', encoding)).toEqual({ a: 1 });
    expect(view([pack('x'.repeat(1_000_000))], 'text/plain', encoding)).toMatchObject({ $type: 'cut' });
    expect(view(['not packed'], 'text/plain', encoding)).toMatchObject({ $type: 'cut' });
  },
);

test('a long text is cut after a whole character, and its size in bytes is shown', () => {
  const value = view(['é'.repeat(3000)], 'text/plain');
  expect(value).toEqual({ $type: 'string', value: 'é'.repeat(500), length: 6000 });
});

test('a replacement character (U+FFFD) of the original text is kept if the text is cut directly after this character', () => {
  const whole = `${'x'.repeat(997)}\ufffd`;
  expect(view([`${whole}y`], 'text/plain')).toEqual({ $type: 'string', value: whole, length: 1001 });
});

test('the captured body contains only data, and stays the same if the host overwrites its buffer', () => {
  const tap = new BodyTap(limit);
  const chunk = Buffer.from('abc');
  tap.add(chunk, undefined);
  chunk.fill('z');
  tap.add(() => {}, undefined);
  tap.add(null, undefined);
  expect(tap.view('text/plain', undefined, takeFirstUnits)).toBe('abc');
});

test('any text in any chunks is captured in full, or as the whole characters that fit into the size limit', () => {
  const piece = fc
    .tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.nat(60))
    .map(([text, times]) => text.repeat(times));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.boolean(), (pieces, asBytes) => {
      const whole = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
      const value = view(asBytes ? pieces.map((piece) => Buffer.from(piece)) : pieces, 'text/plain');
      if (whole.length === 0) expect(value).toBeUndefined();
      else if (whole.length <= limit) expect(value).toBe(whole.toString());
      else {
        let [beginning, bytes] = ['', 0];
        for (const character of whole.toString()) {
          bytes += Buffer.byteLength(character);
          if (bytes > limit) break;
          beginning += character;
        }
        expect(value).toEqual({ $type: 'string', value: beginning, length: whole.length });
      }
    }),
  );
});
