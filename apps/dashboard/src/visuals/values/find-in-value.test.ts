import type { CapturedValue } from '@throughline/contract';
import { listParts } from '@throughline/contract/captured';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findInValue } from './find-in-value.ts';
import { type ValueNodeRow, type ValueRow, valueRows } from './value-rows.ts';

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
  return valueRows(ORDER, [], new Set(), found)
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
      valueRows(ORDER, [], new Set(opened), found)
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

  it('reports more hits than it lists', () => {
    const found = findInValue(
      Array.from({ length: 2000 }, () => 'same'),
      'same',
    );
    expect(found.hits.size).toBe(500);
    expect(found.more).toBe(true);
  });

  it('has the same hits as a walk over all parts, each with a line', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ depthSize: 'medium' }),
        fc.constantFrom('a', '1', 'true', 'e'),
        (json, text) => {
          // JSON values are captured unchanged.
          const value = json as CapturedValue;
          const found = findInValue(value, text);
          const rows = valueRows(value, ['v'], new Set(), found).filter(isNode);
          expect(new Set(rows.filter(({ hit }) => hit).map(({ key }) => key))).toEqual(found.hits);
          if (!found.more) expect(found.hits.size).toBe(countMatches(value, text, undefined));
        },
      ),
      { numRuns: 100 },
    );
  });
});

/** Counts matches independently of the implementation: names, and values without parts. */
function countMatches(value: CapturedValue, text: string, name: string | undefined): number {
  const { children } = listParts(value);
  const simple = value === null || typeof value !== 'object';
  const own = `${name ?? ''}\n${simple ? String(value) : ''}`.toLowerCase().includes(text);
  return children.reduce(
    (sum, { label, value: child }) =>
      sum + countMatches(child, text, label.kind === 'key' ? label.text : undefined),
    own ? 1 : 0,
  );
}
