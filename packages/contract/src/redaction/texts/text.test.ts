import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CapturedValue } from '../../values.ts';
import { Redactor } from '../redactor.ts';
import { REDACTED_TEXT } from './characters.ts';

const redactor = new Redactor();
const hidden = (of: string) => ({ $type: 'redacted', of });
const JWT =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

describe('card numbers', () => {
  it.each([
    ['4111111111111111', REDACTED_TEXT],
    ['pays with 5555555555554444.', `pays with ${REDACTED_TEXT}.`],
    ['4111 1111 1111 1111', REDACTED_TEXT],
    ['4111-1111-1111-1111, 12/27', `${REDACTED_TEXT}, 12/27`],
    ['3782 822463 10005 and 6011000990139424', `${REDACTED_TEXT} and ${REDACTED_TEXT}`],
    ['no 12 4111 1111 1111 1111 7', `no 12 ${REDACTED_TEXT} 7`],
    ['4222222222222', REDACTED_TEXT],
    ['{"n":4111111111111111}', `{"n":${REDACTED_TEXT}}`],
    ['カード4111111111111111番', `カード${REDACTED_TEXT}番`],
  ])('are hidden: %s', (text, shown) => {
    expect(redactor.text(text)).toBe(shown);
  });

  it.each([
    '4111111111111112', // fails the Luhn check
    '1111111111111117', // begins with 1
    '7992739871371113',
    'x4111111111111111',
    'order_4111111111111111',
    '4111111111111111a',
    '0.4111111111111111',
    '4111111111111111.5',
    '+4915112345678',
    '41111111111111110000',
    '4111 1111-1111 1111',
    '4111  1111  1111  1111',
    '411111111111',
    '12345678-4111-1111-1111-123456789012',
    '1764000000000',
    '1764000000000000',
    '2026-11-21 10:00:00',
    '',
  ])('%s is not a card number', (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  it('are also found if they are numbers instead of strings', () => {
    expect(redactor.value([4111111111111111, 4111111111111112, 1764000000000, 4.5])).toEqual([
      hidden('number'),
      4111111111111112,
      1764000000000,
      4.5,
    ]);
  });

  it('are redacted if a string is cut off in the middle of a number', () => {
    const cut = (value: string): CapturedValue => ({ $type: 'string', value, length: 400 });
    expect(redactor.value(cut('card 4111 1111 11'))).toEqual(cut(`card ${REDACTED_TEXT}`));
    expect(redactor.value(cut('card 411111111'))).toEqual(cut(`card ${REDACTED_TEXT}`));
    expect(redactor.value(cut('in 2026'))).toEqual(cut('in 2026'));
  });

  it("with the first digits and the length of an issuer's card numbers are redacted exactly if the last digit is the check digit of the Luhn algorithm", () => {
    const issued = fc.constantFrom(
      ...([
        ['4', 13],
        ['4', 16],
        ['55', 16],
        ['2221', 16],
        ['37', 15],
        ['36', 14],
        ['3528', 16],
        ['62', 19],
        ['6011', 16],
        ['50', 13],
      ] as const),
    );
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 18, maxLength: 18 });
    const word = fc.constantFrom('', 'pays', 'x,', '(', '"', 'カード');
    fc.assert(
      fc.property(issued, digits, fc.nat(9), word, ([prefix, length], rest, last, around) => {
        const payload = [...Array.from(prefix, Number), ...rest].slice(0, length - 1);
        // From the right, every second digit is doubled, beginning with the digit before the check digit.
        const sum = payload.toReversed().reduce((all, digit, index) => {
          const doubled = `${digit * 2}`.split('').reduce((total, one) => total + Number(one), 0);
          return all + (index % 2 === 0 ? doubled : digit);
        }, 0);
        const write = (check: number) => `${around} ${payload.join('')}${check} ${around}`;
        const check = (10 - (sum % 10)) % 10;
        expect(redactor.text(write(check))).toBe(`${around} ${REDACTED_TEXT} ${around}`);
        if (last !== check) expect(redactor.text(write(last))).toBe(write(last));
      }),
    );
  });
});

describe('texts', () => {
  it.each([
    [JWT, REDACTED_TEXT],
    [`got ${JWT}.`, `got ${REDACTED_TEXT}.`],
    [JWT.slice(0, 60), REDACTED_TEXT],
    ['Bearer sk_live_51H8', `Bearer ${REDACTED_TEXT}`],
    ['authorization was basic dXNlcjpwYXNz', `authorization was basic ${REDACTED_TEXT}`],
    ['postgres://app:hunter2@db:5432/shop', `postgres://${REDACTED_TEXT}@db:5432/shop`],
    ['https://ghp_abc@github.com/x', `https://${REDACTED_TEXT}@github.com/x`],
    ['mysql://app:p/ss@w#rd@db/shop', `mysql://${REDACTED_TEXT}@db/shop`],
    ['/cb?code=1&access_token=abc&x=2', `/cb?code=1&access_token=${REDACTED_TEXT}&x=2`],
    ['/cb#id_token=abc', `/cb#id_token=${REDACTED_TEXT}`],
    ['password=hunter2&user=ann', `password=${REDACTED_TEXT}&user=ann`],
    ['theme=dark; session=abc', `theme=dark; session=${REDACTED_TEXT}`],
    ['Server=db;Password=x y;Timeout=5', `Server=db;Password=${REDACTED_TEXT};Timeout=5`],
    ['user[password]=x&a=1', `user[password]=${REDACTED_TEXT}&a=1`],
    ['GET / HTTP/1.1\r\nCookie: a=b\r\nHost: x', `GET / HTTP/1.1\r\nCookie: ${REDACTED_TEXT}\r\nHost: x`],
    [
      '{"user":"ann","password":"hun\\"ter2","pin": 1234}',
      `{"user":"ann","password":"${REDACTED_TEXT}","pin": "${REDACTED_TEXT}"}`,
    ],
    ['"{\\"token\\":\\"a\\\\\\"b\\",\\"id\\":1}"', `"{\\"token\\":\\"${REDACTED_TEXT}\\",\\"id\\":1}"`],
    ['{"password":"hunter', `{"password":"${REDACTED_TEXT}`],
  ])('are redacted: %s', (text, shown) => {
    expect(redactor.text(text)).toBe(shown);
    expect(redactor.text(shown)).toBe(shown);
  });

  it.each([
    'eyJ',
    'eyJhbGciOiJIUzI1NiJ9',
    'heyJude.whatever',
    'Basic authentication is required',
    'the bearer certificate',
    'http://localhost:3000/a@b',
    'https://example.com/user@2x.png',
    'a://b',
    '://@',
    'http://[::1]:80/@',
    'WHERE s.token=$1',
    'x = token',
    '/a?tokenize=1&shipping=2',
    '?token=',
    'note: cookie: x',
    '{"shipping":"pin"}',
    '{"password":null,"token":true}',
    'password',
    '‹redacted›',
  ])('%s is unchanged', (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  it('are redacted in time proportional to their length, even if they are hostile', () => {
    // For each of these pieces, the test would take minutes if a search read the same characters again from every start.
    for (const piece of [
      'eyJ',
      'eyJ.',
      '://a:b',
      'a://b:c/',
      '"a":"',
      '\\"a\\":\\"',
      '4111 ',
      '4111-',
      'Cookie:',
      '&token=',
      'bearer ',
      'basic A',
      '\\\\\\"',
      'a_-.[',
    ]) {
      expect(
        typeof redactor.text(
          piece.repeat(repetitions({ usually: 100_000, thoroughly: 500_000 }) / piece.length),
        ),
      ).toBe('string');
    }
  });

  it('are not changed by a second redaction', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(JWT, 'a://b:c@d', '4111 1111 1111 1111', '?token=x', '{"pin":1}', 'Bearer abc123456'),
      fc.constantFrom(...'=|:|"|\\|://|@|&|;| |\n|token|Cookie|eyJ|4111|-|.|‹redacted›'.split('|')),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const once = redactor.text(pieces.join(''));
        expect(redactor.text(once)).toBe(once);
      }),
      { numRuns: 3000 },
    );
  });
});
