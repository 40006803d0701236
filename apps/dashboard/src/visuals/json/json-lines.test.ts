import { describe, expect, it } from 'vitest';
import { findLines } from './find-lines.ts';
import { formatJson } from './format-json.ts';
import { type Folding, indexOfLine, listShownLines, revealLine, turnLine } from './json-lines.ts';
import { readFoldedPreview, readLineText, readValueText, splitLine } from './line-text.ts';
import { computeLineWindow, scrollToSee } from './use-line-window.ts';

const buildLines = (value: unknown) => formatJson(new TextEncoder().encode(JSON.stringify(value)));
const fold = (openLevels: number): Folding => ({ openLevels, turned: new Set() });
const texts = (lines: ReturnType<typeof buildLines>, folding: Folding) =>
  [...listShownLines(lines, folding)].map((line) => readLineText(lines, line).text);

describe('folding', () => {
  const lines = buildLines({ a: { b: { c: 1 } }, d: [2] });

  it('hides deeper levels, and a click folds or unfolds a line', () => {
    expect(texts(lines, fold(1))).toEqual(['{', '"a": {', '"d": [', '}']);
    const second = turnLine(fold(1), 1);
    expect(texts(lines, second)).toEqual(['{', '"a": {', '"b": {', '},', '"d": [', '}']);
    expect(texts(lines, turnLine(second, 1))).toEqual(texts(lines, fold(1)));
    expect(texts(lines, fold(0))).toEqual(['{']);
  });

  it('opens only the parents of a line that is revealed', () => {
    const revealed = revealLine(lines, fold(0), 3);
    expect(texts(lines, revealed)).toEqual(['{', '"a": {', '"b": {', '"c": 1', '}', '},', '"d": [', '}']);
    expect(revealLine(lines, revealed, 3)).toBe(revealed);
  });

  it('finds the folded line that hides a line', () => {
    const shown = listShownLines(lines, fold(1));
    expect(indexOfLine(shown, 3)).toBe(1);
    expect(indexOfLine(shown, 0)).toBe(0);
    expect(indexOfLine(shown, 9)).toBe(3);
  });
});

describe('searching', () => {
  const lines = buildLines({ Path: '/orders', list: ['ORDERS and orders', 'Zoë', 'ZOË', 'é'], ПУТЬ: 'İx' });
  const found = (text: string) => [...findLines(lines, text)].map((line) => readLineText(lines, line).text);

  it.each([
    ['orders', ['"Path": "/orders",', '"ORDERS and orders",']],
    ['"path": "/', ['"Path": "/orders",']],
    ['zoë', ['"Zoë",', '"ZOË",']],
    ['путь', ['"ПУТЬ": "İx"']],
    ['nowhere', []],
    ['', []],
  ])('finds each line once, ignoring case: %s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

describe('a line', () => {
  it('is cut if it is too long, never within a character, and can be copied in full', () => {
    const text = '😀'.repeat(5_000);
    const lines = buildLines({ text });
    const cut = readLineText(lines, 1);
    expect(cut.text).not.toContain('\ufffd');
    expect(cut.text.length).toBeLessThan(2_000);
    expect(cut.cutBytes + new TextEncoder().encode(cut.text).length).toBe(20_000 + '"text": ""'.length);
    expect(readValueText(lines, 1)).toBe(text);
  });

  it.each([
    ['"a": 1,', { key: '"a"', value: '1', comma: ',', tone: 'number' }],
    ['"a \\": x": "b: c",', { key: '"a \\": x"', value: '"b: c"', comma: ',', tone: 'string' }],
    ['"a: b"', { key: '', value: '"a: b"', comma: '', tone: 'string' }],
    ['"ends with ,', { key: '', value: '"ends with ,', comma: '', tone: 'string' }],
    ['null', { key: '', value: 'null', comma: '', tone: 'keyword' }],
    ['"a": {', { key: '"a"', value: '{', comma: '', tone: 'bracket' }],
    ['],', { key: '', value: ']', comma: ',', tone: 'bracket' }],
  ])('is split into key, value and comma: %s', (text, parts) => {
    expect(splitLine(text)).toEqual(parts);
  });

  it('shows a preview of folded content, which can be copied in full', () => {
    const lines = buildLines({ step: { name: 'taxOf', at: [1, 2] }, last: 0 });
    expect(readFoldedPreview(lines, 1)).toBe('"name": "taxOf", "at": [ 1, 2 ]');
    expect(JSON.parse(readValueText(lines, 1))).toEqual({ name: 'taxOf', at: [1, 2] });
    expect(readFoldedPreview(buildLines([['é'.repeat(500)]]), 1)).toMatch(/^"é+…$/);
  });
});

describe('the window of lines', () => {
  it('begins with the first line at the top, and ends with the last line at the end, for any number of lines', () => {
    for (const count of [1, 30, 5_000, 3_000_000]) {
      const { spacePx } = computeLineWindow(count, 600, 0);
      expect(spacePx).toBeLessThanOrEqual(8_000_000);
      expect(computeLineWindow(count, 600, 0).first).toBe(0);
      const last = computeLineWindow(count, 600, Math.max(0, spacePx - 600));
      expect(last.end).toBe(count);
      expect(last.topPx + (last.end - last.first) * 20).toBeCloseTo(spacePx, 3);
    }
  });

  it('scrolls to a line out of view, and does not scroll to a line in view', () => {
    for (const count of [5_000, 3_000_000]) {
      expect(scrollToSee(count, 600, 0, 10)).toBeUndefined();
      for (const index of [40, count - 1, count >> 1]) {
        const scrolledPx = scrollToSee(count, 600, 0, index);
        const view = computeLineWindow(count, 600, scrolledPx ?? Number.NaN);
        expect(view.first).toBeLessThanOrEqual(index);
        expect(view.end).toBeGreaterThan(index);
      }
    }
  });
});
