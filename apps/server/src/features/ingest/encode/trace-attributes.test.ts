import { expect, test } from 'vitest';
import { hashOfName, hashOfPair } from '../../../platform/trace-store/index.ts';
import { TraceAttributes } from './trace-attributes.ts';

const collectFields = (...all: Parameters<TraceAttributes['add']>[0][]) => {
  const found = new TraceAttributes();
  for (const each of all) found.add(each);
  return { fields: found.fields(), whole: found.whole };
};

test('the names of all attributes are hashed once each; pairs of name and value are hashed only for values that can be searched', () => {
  const attributes = {
    tenant: 't1',
    size: 3,
    ok: true,
    none: null,
    cart: { size: 3 },
    list: [1],
    long: 'x'.repeat(1001),
  };
  const pairs = [
    hashOfPair('tenant', '"t1"'),
    hashOfPair('size', '3'),
    hashOfPair('ok', 'true'),
    hashOfPair('none', 'null'),
  ];
  const names = Object.keys(attributes).map(hashOfName);
  expect(collectFields(attributes, { tenant: 't1' })).toEqual({
    fields: `[${pairs.join(',')}]\t[${names.join(',')}]`,
    whole: true,
  });
});

test('a value that is not an object has no attributes', () => {
  const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): never };
  for (const nothing of [undefined, null, 'text', 17, [1, 2], {}, rawJSON('1e400')]) {
    expect(collectFields(nothing)).toEqual({ fields: '[]\t[]', whole: true });
  }
  expect(collectFields({ large: rawJSON('12345678901234567890') }).fields).toBe(
    `[${hashOfPair('large', '12345678901234567890')}]\t[${hashOfName('large')}]`,
  );
});

test('attributes beyond the limit are not hashed, and the list is marked as incomplete', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, 'x']));
  expect(collectFields(many(1000)).whole).toBe(true);
  const over = collectFields(many(1001));
  expect(over.whole).toBe(false);
  expect(over.fields.split('\t')[1]?.split(',')).toHaveLength(1000);
});

test('a hash is 64 bits of the SHA-256 of the string', () => {
  // The output of sha256sum for "tenant".
  expect(hashOfName('tenant')).toBe(0xe9da86d351cf9a76n.toString());
  expect(hashOfPair('a', '1')).toBe(hashOfName('a:1'));
});
