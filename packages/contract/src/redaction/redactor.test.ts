import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CapturedValue } from '../values.ts';
import { Redactor, redactValue } from './redactor.ts';
import { REDACTED_TEXT } from './texts/characters.ts';

const hidden = (of: string) => ({ $type: 'redacted', of });
const JWT =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

describe('tagged forms of captured values', () => {
  it('with a number beyond the precision of doubles are redacted if the number is a card number', () => {
    const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): CapturedValue };
    const value = { paid: [rawJSON('4000001234567890124')], large: rawJSON('12345678901234567890') };
    const shown = redactValue(value);
    expect(JSON.stringify(shown)).toBe(
      '{"paid":[{"$type":"redacted","of":"number"}],"large":12345678901234567890}',
    );
    expect(redactValue({ rawJSON: JWT })).toEqual({ rawJSON: hidden('string') });
    expect(redactValue([271292999003706.3, 4111111111111111])).toEqual([271292999003706.3, hidden('number')]);
  });

  it('are searched if they contain other values', () => {
    const value: CapturedValue = {
      map: {
        $type: 'Map',
        size: 3,
        entries: [
          ['token', 'x'],
          [JWT, 1],
          ['a', { pin: 1 }],
        ],
      },
      set: { $type: 'Set', size: 1, values: [JWT] },
      list: { $type: 'array', values: [{ $type: 'hole' }, JWT], length: 900 },
      instance: { $type: 'object', class: 'User', properties: { name: 'ann', password: 'x' } },
      error: {
        $type: 'Error',
        class: 'Error',
        message: `bad ${JWT}`,
        stack: `Error: bad ${JWT}\n at x`,
        cause: { pin: 1 },
        properties: { token: 't' },
      },
      text: { $type: 'string', value: `x ${JWT}`, length: 900 },
      whole: { $type: 'string', value: JWT, length: 900 },
      big: { $type: 'bigint', value: '4111111111111111' },
      buffer: { $type: 'Buffer', size: 20, base64: btoa('password=hunter2') },
      plain: { $type: 'Buffer', size: 20, base64: btoa('hello') },
      escaped: { $type: 'object', properties: { $type: 'Date', password: 'x' } },
      headers: { rawHeaders: ['Host', 'x', 'Cookie', 'a=b', 'Authorization', 'q'] },
    };
    expect(redactValue(value)).toEqual({
      map: {
        $type: 'Map',
        size: 3,
        entries: [
          ['token', hidden('string')],
          [hidden('string'), 1],
          ['a', { pin: hidden('number') }],
        ],
      },
      set: { $type: 'Set', size: 1, values: [hidden('string')] },
      list: { $type: 'array', values: [{ $type: 'hole' }, hidden('string')], length: 900 },
      instance: { $type: 'object', class: 'User', properties: { name: 'ann', password: hidden('string') } },
      error: {
        $type: 'Error',
        class: 'Error',
        message: `bad ${REDACTED_TEXT}`,
        stack: `Error: bad ${REDACTED_TEXT}\n at x`,
        cause: { pin: hidden('number') },
        properties: { token: hidden('string') },
      },
      text: { $type: 'string', value: `x ${REDACTED_TEXT}`, length: 900 },
      whole: hidden('string'),
      big: hidden('bigint'),
      buffer: hidden('Buffer'),
      plain: { $type: 'Buffer', size: 20, base64: btoa('hello') },
      escaped: { $type: 'object', properties: { $type: 'Date', password: hidden('string') } },
      headers: { rawHeaders: ['Host', 'x', 'Cookie', hidden('string'), 'Authorization', hidden('string')] },
    });
  });

  it('that no SDK creates cause no error', () => {
    const odd: unknown[] = [
      { $type: 'Map', entries: 5 },
      { $type: 'Map', entries: [[1], 'x', null] },
      { $type: 'object' },
      { $type: 'object', properties: [{ pin: 1 }] },
      { $type: 'Error', message: { pin: 1 } },
      { $type: 'Buffer', base64: 4 },
      { $type: 'Buffer', base64: 'é' },
      { $type: 'string' },
      { $type: 7 },
      { $type: 'Nope', pin: 2 },
    ];
    const text = JSON.stringify(redactValue(JSON.parse(JSON.stringify(odd))));
    expect(text).not.toContain('"pin":1');
    expect(text).not.toContain('"pin":2');
  });

  it('that are nested more deeply than any SDK captures are cut off', () => {
    const deep: CapturedValue = JSON.parse(`${'{"a":'.repeat(5000)}{"password":"x"}${'}'.repeat(5000)}`);
    expect(JSON.stringify(redactValue(deep))).not.toContain('password');
  });
});

describe("a project's own redaction rules", () => {
  it('hide values whose names contain the words of the rules', () => {
    const rules = { keys: ['customerRef', 'e-mail'] };
    expect(
      redactValue({ old_customer_ref: 1, EMail: 'a', customer: 2, ref: 3, note: '?customerRef=5' }, rules),
    ).toEqual({
      old_customer_ref: hidden('number'),
      EMail: hidden('string'),
      customer: 2,
      ref: 3,
      note: `?customerRef=${REDACTED_TEXT}`,
    });
  });

  it('hide values at the paths of the rules, also in the tagged form of an instance', () => {
    const rules = { paths: ['request.body.items.*.note', 'request.body.user.0', '*.headers'] };
    const body: CapturedValue = {
      items: [
        { note: 'a', id: 1 },
        { $type: 'object', class: 'Item', properties: { note: 'b' } },
      ],
      user: ['ann', 'bob'],
      note: 'c',
    };
    expect(redactValue(body, rules, ['request', 'body'])).toEqual({
      items: [
        { note: hidden('string'), id: 1 },
        { $type: 'object', class: 'Item', properties: { note: hidden('string') } },
      ],
      user: [hidden('string'), 'bob'],
      note: 'c',
    });
    expect(redactValue(body, rules, ['response', 'body'])).toBe(body);
    expect(redactValue('x', rules, ['response', 'headers', 'a'])).toEqual(hidden('string'));
    expect(new Redactor(rules).fields({ a: 'x' }, ['response', 'headers'])).toEqual({ a: hidden('string') });
  });
});

describe('any captured value', () => {
  const names = fc.oneof(
    fc.string(),
    fc.constantFrom(
      ...'password token __proto__ $type a shippingPin rawHeaders auth session mfa tokens card name value key code id label params sql columns rows zip keys'.split(
        ' ',
      ),
    ),
  );
  const statement = 'SELECT * FROM users WHERE token = ?';
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom(
      ...[JWT, '4111 1111 1111 1111', 'a://b:c@d', '?token=x', '{"pin":1}', 'Bearer abc123456', statement],
      ...['password', '-p', '--password', '-', 'mysql', 'hunter2', 'Your password:', 'id,password\n1,abc'],
    ),
  );
  const values = fc.letrec<{ value: CapturedValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      texts,
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(names, tie('value'), { maxKeys: 4 }),
      fc.record({
        $type: fc.constantFrom('Map' as const),
        size: fc.nat(),
        entries: fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }),
      }),
      fc.record({
        $type: fc.constantFrom('object' as const),
        properties: fc.dictionary(names, tie('value'), { maxKeys: 4 }),
      }),
    ),
  })).value;

  it.each<[CapturedValue]>([
    [{ shippingPin: { '': ['-', '?token=x'] } }],
    [{ token: { rawHeaders: ['Bearer abc123456', 'a://b:c@d'] } }],
    [[statement, 'a', ['b']]],
    [{ value: ['a', { b: JWT }], key: ['password', JWT] }],
  ])('with several rules that apply to one part is not changed by a second redaction: %j', (value) => {
    const shown = redactValue(value);
    expect(redactValue(shown)).toBe(shown);
  });

  it('hides the secrets in each item of a list if a sibling of the list names a secret', () => {
    const shown = redactValue({ label: 'Your password:', value: ['x', { note: JWT }] });
    expect(shown).toEqual({ label: 'Your password:', value: [hidden('string'), { note: hidden('string') }] });
  });

  it('is not changed by a second redaction, and redaction never changes the passed object', () => {
    fc.assert(
      fc.property(values, (value) => {
        const before = JSON.stringify(value);
        const shown = redactValue(value);
        expect(JSON.stringify(value)).toBe(before);
        expect(redactValue(shown)).toBe(shown);
        expect(before.includes(JWT) && JSON.stringify(shown).includes(JWT)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('is returned as the same reference if nothing is redacted', () => {
    const harmless = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(harmless, (json) => {
        const value: CapturedValue = JSON.parse(JSON.stringify({ a: json }));
        const shown = redactValue(value);
        if (JSON.stringify(shown) === JSON.stringify(value)) expect(shown).toBe(value);
      }),
    );
  });
});
