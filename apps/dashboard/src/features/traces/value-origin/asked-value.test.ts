import { type CapturedValue, MAX_VALUE_PATH } from '@throughline/contract';
import { findValueAt } from '@throughline/contract/captured';
import { expect, it } from 'vitest';
import { listValueRows } from '../../../visuals/values/value-rows.ts';
import { findPathOfLine, readAsked, writeAsked } from './asked-value.ts';

it('the followed value is the same after it is written to the URL and read again', () => {
  for (const asked of [
    { stepId: 's 1', place: 'parameters', path: ['order', 0, 'a.b', ''] },
    { stepId: null, place: 'request.body', path: [] },
  ] as const)
    expect(readAsked(writeAsked({ ...asked, path: [...asked.path] }))).toEqual(asked);
});

it.each([undefined, '', '1', '{', '["s"]', '["s","nowhere"]', '["s","inputs",{}]', '[1,"inputs"]'])(
  'the URL parameter %j selects no value',
  (text) => expect(readAsked(text)).toBeUndefined(),
);

it('a value is not written to the URL if its path is too long for a URL', () => {
  const path = Array.from({ length: 1000 }, (_, at) => `name ${at}`);
  expect(JSON.stringify(path).length).toBeGreaterThan(MAX_VALUE_PATH);
  expect(writeAsked({ stepId: 's', place: 'inputs', path })).toBeUndefined();
});

it('the key of each row of a value tree is converted to the path of the row’s value', () => {
  const values: CapturedValue[] = [
    {
      order: { items: [{ sku: 'a' }, { sku: 'b' }] },
      rates: { $type: 'Map', size: 1, entries: [['GB', 0.2]] },
    },
    [1, [2, 3]],
    'alone',
  ];
  for (const value of values) {
    const all = new Set(['$', '$/1', '/0', '/0/0', '/0/0/0', '/0/0/1', '/1']);
    for (const row of listValueRows(value, [], all)) {
      const path = findPathOfLine(value, row.key);
      expect(row.kind === 'value' && path && findValueAt(value, path)).toEqual(
        row.kind === 'value' && row.value,
      );
    }
  }
});

it('the key of a row that does not exist in the value tree has no path', () => {
  expect(findPathOfLine({ a: 1 }, '/4')).toBeUndefined();
});
