import type { CapturedValue } from '@throughline/contract';
import { VALUE_FORMS } from '@throughline/contract';
import { formatPath, hasParts, listParts, summarise } from '@throughline/contract/captured';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPlainText } from './plain-text.ts';
import { findParentRow, listMemberKeys, listValueRows, type ValueRow } from './value-rows.ts';

const VALUE_TAGS = Object.keys(VALUE_FORMS);

describe('the one-line form of a value', () => {
  const cases: [CapturedValue, string][] = [
    [null, 'null'],
    [true, 'true'],
    [0.1, '0.1'],
    ['UK', '"UK"'],
    ['', '""'],
    ['a "b"\n', '"a \\"b\\"\\n"'],
    ['\u202eevil', '"\\u202eevil"'],
    [[], '[]'],
    [[3], '[3]'],
    [[[1, 2, 3], []], '[2: Array(3), []]'],
    [{ list: [1, 2, 3] }, '{ list: Array(3) }'],
    [{}, '{}'],
    [[1, 'a', { b: 1 }], '[3: 1, "a", {…}]'],
    [{ code: 'GB', rate: 0.2 }, '{ code: "GB", rate: 0.2 }'],
    [{ $type: 'undefined' }, 'undefined'],
    [{ $type: 'number', value: '-0' }, '-0'],
    [{ $type: 'bigint', value: '12' }, '12n'],
    [{ $type: 'symbol', description: 's' }, 'Symbol(s)'],
    [{ $type: 'function', name: 'f' }, 'ƒ f'],
    [{ $type: 'function', name: 'F', isClass: true }, 'class F'],
    [{ $type: 'function', name: '' }, 'ƒ (anonymous)'],
    [{ $type: 'Date', value: '2026-01-01T00:00:00.000Z' }, 'Date 2026-01-01T00:00:00.000Z'],
    [{ $type: 'Date', value: null }, 'Date Invalid Date'],
    [{ $type: 'RegExp', source: 'a+', flags: 'g' }, '/a+/g'],
    [{ $type: 'Map', size: 27, entries: [] }, 'Map(27)'],
    [{ $type: 'Set', size: 1204, values: [] }, 'Set(1,204)'],
    [{ $type: 'Buffer', size: 4096, base64: '' }, 'Buffer 4 kB'],
    [{ $type: 'TypedArray', class: 'Uint8Array', length: 3, values: [1, 2, 3] }, 'Uint8Array(3)'],
    [{ $type: 'object', class: 'Order', properties: { id: 7 } }, 'Order { id: 7 }'],
    [{ $type: 'object', size: 50, properties: {} }, '{… 50 }'],
    [{ $type: 'object', size: 50, properties: { a: 1 } }, '{ a: 1, … }'],
    [{ $type: 'Error', class: 'TypeError', message: 'no' }, 'TypeError no'],
    [{ $type: 'reference', path: ['parameters', 'order', 0] }, '‹same as parameters.order[0]›'],
    [{ $type: 'reference', step: '7', path: ['inputs', 'order'] }, '‹same as inputs.order of step 7›'],
    [{ $type: 'string', value: 'abc', length: 1000 }, '"abc…" 1,000 characters'],
    [{ $type: 'array', values: [1], length: 481 }, '[481: 1, …]'],
    [{ $type: 'hole' }, 'empty'],
    [{ $type: 'accessor' }, '‹getter, not read›'],
    [{ $type: 'proxy' }, '‹proxy, not read›'],
    [{ $type: 'cut', of: 'Map', size: 9, reason: 'depth' }, '‹Map(9) not captured: too deep›'],
    [{ $type: 'cut', of: 'body', size: 9, reason: 'budget' }, '‹body(9) not captured: over the CPU budget›'],
    [{ $type: 'redacted', of: 'string' }, '‹redacted string›'],
  ];
  it.each(cases)('for %j is %s', (value, text) => {
    expect(formatLine(value)).toBe(text);
  });

  it('is tested for every tag that a captured value can have', () => {
    const met = new Set(cases.map(([value]) => (value as { $type?: string } | null)?.$type));
    expect(VALUE_TAGS.filter((tag) => !met.has(tag))).toEqual([]);
  });
});

function formatLine(value: CapturedValue): string {
  const summary = summarise(value);
  return [summary.className, summary.text, summary.note].filter((part) => part !== undefined).join(' ');
}

describe('a malformed value', () => {
  it.each([...VALUE_TAGS])('is shown without an error if a %s has no fields', (tag) => {
    expect(() => formatLine({ $type: tag })).not.toThrow();
  });

  it('is shown as a plain object if it has a tag, but not the fields of the tag', () => {
    const malformed: unknown = { $type: 'Map', entries: 3 };
    expect(formatLine(malformed as CapturedValue)).toBe('{ $type: "Map", entries: 3 }');
    expect(listParts({ $type: 'Map' }).children).toHaveLength(1);
  });
});

describe('an expanded value', () => {
  it('shows the properties of a plain object at the top, without a line for the object', () => {
    expect(shapes(listValueRows({ country: 'UK', table: { GB: 1 } }, ['parameters'], new Set()))).toEqual([
      '1 parameters.country "UK"',
      '1 parameters.table { GB: 1 } closed',
    ]);
  });

  it('shows one line for a value without parts', () => {
    expect(shapes(listValueRows(42, ['returnValue'], new Set()))).toEqual(['1 returnValue 42']);
    expect(shapes(listValueRows({}, [], new Set()))).toEqual(['1  {}']);
  });

  it('shows how many further items a truncated list had', () => {
    const rows = listValueRows({ $type: 'array', values: [1, 2], length: 482 }, ['list'], new Set(['$']));
    expect(shapes(rows)).toEqual(['1 list [482: 1, 2, …] open', '2 list[0] 1', '2 list[1] 2', '2 480 more']);
  });

  it('shows the path to a Map entry and to keys that are not identifiers', () => {
    const value: CapturedValue = { 'a-b': { $type: 'Map', size: 1, entries: [['GB', { rate: 1 }]] } };
    const rows = listValueRows(value, ['locals'], new Set(['/0', '/0/0']));
    expect(rows.map((row) => row.kind === 'value' && row.path)).toEqual([
      'locals["a-b"]',
      'locals["a-b"].get("GB")',
      'locals["a-b"].get("GB").rate',
    ]);
  });

  it('shows long and multi-line strings in full', () => {
    const rows = listValueRows({ a: 'x'.repeat(500), b: 'one\ntwo', c: 'short' }, [], new Set(['/0', '/1']));
    expect(rows.map((row) => (row.kind === 'value' ? (row.longText?.length ?? row.open) : 0))).toEqual([
      500,
      7,
      undefined,
    ]);
  });

  it('finds the parent of each row, which the left arrow key selects', () => {
    const rows = listValueRows({ a: { b: 1, c: 2 } }, [], new Set(['/0']));
    expect([0, 1, 2].map((index) => findParentRow(rows, index))).toEqual([-1, 0, 0]);
  });
});

function shapes(rows: readonly ValueRow[]): string[] {
  return rows.map((row) =>
    row.kind === 'missing'
      ? `${row.level} ${row.count} more`
      : `${row.level} ${row.path} ${formatLine(row.value)}${row.open === undefined ? '' : row.open ? ' open' : ' closed'}`,
  );
}

describe('any captured value', () => {
  const anyTag = fc.constantFrom(...VALUE_TAGS);
  const { value: anyValue } = fc.letrec<{ value: CapturedValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue() as fc.Arbitrary<CapturedValue>,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.record(
        {
          $type: anyTag,
          value: tie('value'),
          values: tie('value'),
          entries: fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }),
          properties: fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
          size: fc.oneof(fc.nat(), tie('value')),
          length: fc.oneof(fc.nat(), tie('value')),
          class: fc.string(),
          message: fc.string(),
          of: fc.string(),
          reason: fc.string(),
          path: fc.array(fc.oneof(fc.string(), fc.nat())),
        },
        { requiredKeys: ['$type'] },
      ) as fc.Arbitrary<CapturedValue>,
    ),
  }));

  it('is rendered on single lines, copied and expanded without an error', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const line = summarise(value).text;
        expect(line).not.toMatch(/[\n\r\u202e]/);
        expect(line.length).toBeLessThan(2000);
        expect(typeof formatPlainText(value)).toBe('string');
        const { children, missing } = listParts(value);
        if (children.length > 0 || missing > 0) expect(hasParts(value)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('never has rows for collapsed parts', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const closed = listValueRows(value, [], new Set());
        const { children, missing } = listParts(value);
        expect(closed.length).toBeLessThanOrEqual(Math.max(1, children.length + (missing > 0 ? 1 : 0)));
        expect(new Set(closed.map((row) => row.key)).size).toBe(closed.length);
      }),
    );
  });
});

it('values are copied as plain strings, numbers and JSON', () => {
  expect(formatPlainText('text')).toBe('text');
  expect(formatPlainText({ $type: 'bigint', value: '9' })).toBe('9');
  expect(
    JSON.parse(
      formatPlainText({
        at: { $type: 'Date', value: 'D' },
        list: { $type: 'array', values: [1], length: 3 },
      }),
    ),
  ).toEqual({
    at: 'D',
    list: [1, '… 2 more'],
  });
});

it('paths are written as in code', () => {
  expect(formatPath(['a', 0, 'b c', 'ünï', '1x'])).toBe('a[0]["b c"].ünï["1x"]');
});

describe('a member that is open at first', () => {
  const answer = { rows: 60, firstRows: [{ id: 1 }, { id: 2 }] };

  it('shows its parts, which stay closed', () => {
    const shown = listValueRows(answer, [], listMemberKeys(answer, 'firstRows'));
    expect(shown.map((row) => (row.kind === 'value' ? [row.path, row.open] : row.kind))).toEqual([
      ['rows', undefined],
      ['firstRows', true],
      ['firstRows[0]', false],
      ['firstRows[1]', false],
    ]);
  });

  it.each<[string, CapturedValue, string | undefined]>([
    ['the object has no such member', answer, 'other'],
    ['no member is named', answer, undefined],
    ['the value is a list', [answer], 'firstRows'],
  ])('does not exist if %s', (_, value, member) => {
    expect(listMemberKeys(value, member).size).toBe(0);
  });
});
