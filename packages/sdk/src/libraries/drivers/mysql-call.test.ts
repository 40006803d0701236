import { expect, test } from 'vitest';
import { readMysqlCall } from './mysql-call.ts';

test('a statement and its values are read from a text and a list, or from an object', () => {
  expect(readMysqlCall(['SELECT ?', [7]])).toEqual({ text: 'SELECT ?', values: [7] });
  expect(readMysqlCall(['SELECT ?', 7])).toEqual({ text: 'SELECT ?', values: [7] });
  expect(readMysqlCall([{ sql: 'SELECT ?', values: [7] }])).toEqual({ text: 'SELECT ?', values: [7] });
});

test('no getter of a statement is called', () => {
  let calls = 0;
  const get = () => calls++;
  const asked = Object.defineProperties({}, { sql: { get }, values: { get } });
  expect(readMysqlCall([asked])).toEqual({ text: undefined, values: undefined });
  expect(calls).toBe(0);
});
