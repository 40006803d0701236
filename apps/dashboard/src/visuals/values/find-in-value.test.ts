import type { CapturedValue } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findInValue } from './find-in-value.ts';
import { listValueRows, type ValueNodeRow, type ValueRow } from './value-rows.ts';

const ORDER: CapturedValue = {
  id: 17,
  customer: { name: 'Ada', address: { country: 'UK', 'post code': 'N1' } },
  rates: {
    $type: 'Map',
    size: 2,
    entries: [
      ['UK', 0.2],
      ['DE', 0.19],
    ],
  },
  note: `${'x'.repeat(200)} deliver to the uk office`,
  placed: { $type: 'Date', value: '2026-01-01T00:00:00.000Z' },
  owner: { $type: 'object', class: 'Customer', properties: { ok: true } },
};

const isNode = (row: ValueRow): row is ValueNodeRow => row.kind === 'value';
const findHits = (text: string) => {
  const found = findInValue(ORDER, text);
  return listValueRows(ORDER, [], new Set(), found)
    .filter(isNode)
    .filter(({ hit }) => hit)
    .map(({ path }) => path);
};

describe('a search in a value', () => {
  it.each([
    ['a name', 'country', ['customer.address.country']],
    [
      'a string, ignoring case, also beyond the visible part of a line',
      'uk',
      ['customer.address.country', 'rates.get("UK")', 'note'],
    ],
    ['a number', '0.19', ['rates.get("DE")']],
    ['a name that needs quotes in code', 'post code', ['customer.address["post code"]']],
    ['a day', '2026-01-01', ['placed']],
    ['a class', 'customer', ['customer', 'owner']],
    ['no match', 'nowhere', []],
  ])('finds every occurrence of %s', (_what, text, paths) => {
    expect(findHits(text)).toEqual(paths);
  });

  it('shows only hits with their parents, and a hit can be expanded', () => {
    const found = findInValue(ORDER, 'address');
    const paths = (opened: string[]) =>
      listValueRows(ORDER, [], new Set(opened), found)
        .filter(isNode)
        .map(({ path }) => path);
    expect(paths([])).toEqual(['customer', 'customer.address']);
    const [hit = ''] = found.hits;
    expect(paths([hit])).toEqual([
      'customer',
      'customer.address',
      'customer.address.country',
      'customer.address["post code"]',
    ]);
  });

  it('has no hits for an empty string', () => {
    expect(findInValue(ORDER, '').hits.size).toBe(0);
  });

  it('reports if there are more hits than it lists', () => {
    const found = findInValue(
      Array.from({ length: 2000 }, () => 'same'),
      'same',
    );
    expect(found.hits.size).toBe(500);
    expect(found.more).toBe(true);
  });

  it('finds the same hits as a walk over all members of the JSON, in display order, with one row per hit', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ depthSize: 'medium' }),
        fc.constantFrom('a', '1', 'true', 'e'),
        (json, text) => {
          // JSON values are captured unchanged.
          const value = json as CapturedValue;
          const found = findInValue(value, text);
          const rows = listValueRows(value, ['v'], new Set(), found).filter(isNode);
          const hits = rows.filter(({ hit }) => hit);
          const expected = listMatches(json, text, undefined);
          expect(hits.map(({ label, value: one }) => [readLabel(label), one])).toEqual(expected);
          expect(found.hits).toEqual(new Set(hits.map(({ key }) => key)));
        },
      ),
      { numRuns: 100 },
    );
  });
});

/** Lists the members whose name or simple value contains the text, each before its own members. */
function listMatches(json: unknown, text: string, name: string | number | undefined): unknown[] {
  const isSimple = json === null || typeof json !== 'object';
  const words = [typeof name === 'string' ? name : '', isSimple ? String(json) : ''];
  const own = words.some((word) => word.toLowerCase().includes(text)) ? [[name, json]] : [];
  const members = isSimple
    ? []
    : Array.isArray(json)
      ? json.map((item: unknown, index) => [index, item] as const)
      : Object.entries(json);
  return [...own, ...members.flatMap(([key, member]) => listMatches(member, text, key))];
}

function readLabel(label: ValueNodeRow['label']): string | number | undefined {
  if (label === undefined || label.kind === 'entry') return undefined;
  return label.kind === 'index' ? label.index : label.text;
}
