import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMapUrl } from '../../instrument/emit/source-map.ts';
import { entryCall } from '../../internal/runtime-name.ts';
import { BundleScanner } from './bundle-scanner.ts';

function scan(text: string, length: number): BundleScanner {
  const bytes = Buffer.from(text);
  const scanner = new BundleScanner();
  for (let at = 0; at < bytes.length; at += length) scanner.add(bytes.subarray(at, at + length));
  return scanner;
}

/** Returns the URL in the last source map comment. The scanner reads the text in chunks of `length` bytes. */
function findComment(text: string, length: number): string | undefined {
  const { url } = scan(text, length);
  return url && Buffer.from(text).toString('utf8', url.start, url.end);
}

const COMMENT = '//# sourceMappingURL=';
const COMMENT_START = /^[ \t]*\/\/[#@] ?sourceMappingURL=/gm;

test('the last source map comment is found in chunks of any length', () => {
  const parts = [
    COMMENT,
    '//@ sourceMappingURL=',
    'sourceMappingURL=',
    '//#',
    ' ',
    '\t',
    '\n',
    '\r\n',
    'a.js.map',
  ];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...parts, 'é', '"', 'data:;base64,AAAA'), { maxLength: 20 }),
      fc.integer({ min: 1, max: 60 }),
      (texts, length) => {
        const text = texts.join('');
        const [, found] = /^([^\s'"]+)[ \t\r]*$/.exec(findComment(text, length) ?? '') ?? [];
        const start = [...text.matchAll(COMMENT_START)].at(-1)?.index;
        const line = start === undefined ? '' : text.slice(start).split('\n', 1).join();
        expect(found).toBe(findMapUrl(line));
      },
    ),
    { numRuns: 5000 },
  );
});

test('a source map comment that is indented is found, wherever the chunks end', () => {
  for (let length = 1; length < 200; length++)
    expect(findComment(`a();\n${' '.repeat(58)}${COMMENT}a.js.map\n`, length)).toBe('a.js.map');
});

test('a source map comment that spans many chunks ends at the end of its line', () => {
  const url = `data:application/json;base64,${'A'.repeat(10_000)}`;
  expect(findComment(`a();\n${COMMENT}${url}\nb();\nc();`, 100)).toBe(url);
  expect(findComment(`a();\n${COMMENT}${url}`, 100)).toBe(url);
});

test.each([
  'a();',
  `const text = "${COMMENT}a.js.map";`,
  `a(); ${COMMENT}a.js.map`,
  '// sourceMappingURL=a.js.map',
  `${' '.repeat(100)}${COMMENT}a.js.map`,
])('no source map comment is found in %s', (text) => {
  expect(findComment(text, 1000)).toBeUndefined();
  expect(findComment(text, 5)).toBeUndefined();
});

test('instrumented code is recognized, whatever the length of the chunks in which the file is read', () => {
  const text = `${'x'.repeat(300)}${entryCall}1)${'y'.repeat(300)}`;
  for (let length = 1; length < 400; length++) expect(scan(text, length).isInstrumented).toBe(true);
  expect(scan(text.replace('enter', 'leave'), 100).isInstrumented).toBe(false);
});

test('the estimated number of characters in a file is never too high', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.integer({ min: 1, max: 9 }),
      (text, length) => {
        expect(scan(text, length).minLength).toBeLessThanOrEqual(text.length);
      },
    ),
  );
  expect(scan('x'.repeat(1000), 100).minLength).toBe(1000);
});
