import { type CapturedValue, parseTraceQuery } from '@throughline/contract';
import { REDACTED_TEXT } from '@throughline/contract/redaction';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAttributeTerm } from './tenant-attributes.ts';

const attributes: CapturedValue = {
  tenant: 'acme',
  retries: 3,
  'a:b': 'c "d"',
  plan: { name: 'pro' },
  card: `visa ${REDACTED_TEXT}`,
  note: 'n'.repeat(2000),
};

describe('the filter term of an attribute', () => {
  it.each([
    ['/0', 'attribute:tenant:acme'],
    ['/1', 'attribute:retries:3'],
  ])('names the attribute and its value: %s', (key, term) => {
    expect(findAttributeTerm(attributes, key)).toBe(term);
  });

  it('selects the attribute, whatever characters its name and value have', () => {
    const name = fc
      .string({ minLength: 1, maxLength: 40, unit: 'binary' })
      .filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(name, fc.string({ minLength: 1, maxLength: 40 }), (attribute, value) => {
        fc.pre(value.trim() !== '' && !/^\d+$/.test(attribute));
        const term = findAttributeTerm(Object.fromEntries([[attribute, value]]), '/0');
        if (term === undefined) return;
        const { filters, problem } = parseTraceQuery(term);
        expect(problem, term).toBeUndefined();
        expect(Object.keys(filters ?? {}), term).toEqual(['attribute']);
      }),
    );
  });

  it.each([
    ['a part of a value', '/3/0'],
    ['an object', '/3'],
    ['a value with a redacted part', '/4'],
    ['a value that is too long for a URL', '/5'],
    ['a row that does not exist', '/9'],
  ])('does not exist for %s', (_, key) => {
    expect(findAttributeTerm(attributes, key)).toBeUndefined();
  });
});
