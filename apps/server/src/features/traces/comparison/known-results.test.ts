import type { CapturedValue, Step } from '@throughline/contract';
import { describe, expect, test } from 'vitest';
import { KnownResults } from './known-results.ts';
import { readCalls } from './read-calls.fixture.ts';

function call(inputs: CapturedValue, returns: CapturedValue): Step {
  const [step] = readCalls({ name: 'findCustomer', inputs, returns }).steps;
  if (step === undefined) throw new Error('there is a call');
  return step;
}

/** Compares a call with one call of a successful request. */
function compare(step: Step, good: Step) {
  const results = new KnownResults([[good]]);
  return { isOther: results.isOtherResult(step), isKnown: results.isKnownResult(step) };
}

const [ada, bob] = [{ name: 'Ada' }, { name: 'Bob' }];
const UNKNOWN = { isOther: false, isKnown: false };

describe('the result of a call', () => {
  test.each<readonly [string, CapturedValue]>([
    ['a text', { id: 'c-1' }],
    ['a whole list', { ids: ['c-1', 'c-2'] }],
    ['an instance of a class', { key: { $type: 'object', class: 'Key', properties: { id: 1 } } }],
    ['a list with a hole', { ids: { $type: 'array', values: [1, { $type: 'hole' }], length: 2 } }],
    ['a whole Buffer', { id: { $type: 'Buffer', size: 4, base64: 'YWRhMQ==' } }],
  ])('is recognized as known or as different if the inputs were recorded completely: %s', (_, inputs) => {
    expect(compare(call(inputs, ada), call(inputs, ada))).toEqual({ isOther: false, isKnown: true });
    expect(compare(call(inputs, bob), call(inputs, ada))).toEqual({ isOther: true, isKnown: false });
  });

  test.each<readonly [string, CapturedValue]>([
    ['a redacted value', { token: { $type: 'redacted', of: 'string' } }],
    ['a text with a redacted part', { url: '/sessions?token=‹redacted›' }],
    ['a redacted value in a list of an object', { options: { keys: [{ $type: 'redacted', of: 'string' }] } }],
    ['a truncated text', { text: { $type: 'string', value: 'Dear', length: 5000 } }],
    ['a truncated list', { ids: { $type: 'array', values: ['c-1'], length: 300 } }],
    ['a truncated object', { query: { $type: 'object', size: 90, properties: { id: 1 } } }],
    ['a truncated Map', { ids: { $type: 'Map', size: 9, entries: [['c-1', 1]] } }],
    [
      'a Map with a truncated key',
      { ids: { $type: 'Map', size: 1, entries: [[{ $type: 'cut', of: 'object', reason: 'depth' }, 1]] } },
    ],
    ['a truncated Buffer', { id: { $type: 'Buffer', size: 5, base64: 'YWRhMQ==' } }],
    ['a value that was left out', { query: { $type: 'cut', of: 'object', reason: 'depth' } }],
    ['a getter', { query: { id: { $type: 'accessor' } } }],
    ['a proxy', { query: { $type: 'proxy' } }],
  ])('is unknown if an input is %s', (_, inputs) => {
    expect(compare(call(inputs, ada), call(inputs, ada))).toEqual(UNKNOWN);
    expect(compare(call(inputs, bob), call(inputs, ada))).toEqual(UNKNOWN);
  });

  test('is unknown if the result itself was redacted or truncated', () => {
    const inputs = { id: 'c-1' };
    const hidden: CapturedValue = { ...ada, notes: { $type: 'string', value: 'pays', length: 900 } };
    expect(compare(call(inputs, hidden), call(inputs, hidden))).toEqual(UNKNOWN);
    expect(compare(call(inputs, hidden), call(inputs, bob))).toEqual(UNKNOWN);
  });

  test.each(['IncomingMessage', 'Request', 'Context'])(
    'does not count as another result if an input is a framework’s object of the class %s, because only some of its members are recorded',
    (name) => {
      const inputs = { request: { $type: 'object', class: name, properties: { method: 'POST' } } } as const;
      expect(compare(call(inputs, bob), call(inputs, ada))).toEqual(UNKNOWN);
      expect(compare(call(inputs, ada), call(inputs, ada))).toEqual({ isOther: false, isKnown: true });
    },
  );
});
