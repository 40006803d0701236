import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { type Call, readCalls } from '../comparison/read-calls.fixture.ts';
import { examineSteps } from './read-request.ts';

const NAN: CapturedValue = { $type: 'number', value: 'NaN' };
const examine = (call: Omit<Call, 'name'>) => examineSteps('t', readCalls({ name: 'parse', ...call }).steps);

test('NaN in one variable is not passed on if no other value of the function contains NaN', () => {
  const [step] = examine({ locals: { wanted: NAN, limit: 20 }, parameters: { text: 'all' }, returns: 20 });
  expect(step).toMatchObject({ hasNaN: 'wanted', passesNaN: false });
});

test.each<readonly [string, Omit<Call, 'name'>]>([
  ['another variable', { locals: { wanted: NAN, page: { limit: NAN } } }],
  ['a changed argument', { locals: { wanted: NAN }, parameters: { order: { total: NAN } } }],
  ['the result', { locals: { wanted: NAN }, returns: { total: NAN } }],
  ['a text', { locals: { wanted: NAN }, returns: 'NaN €' }],
])('NaN in a variable is passed on if %s contains NaN, too', (_, call) => {
  expect(examine(call)[0]).toMatchObject({ hasNaN: 'wanted', passesNaN: true });
});
