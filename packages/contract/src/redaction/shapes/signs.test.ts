import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SecretNames } from '../names/names.ts';
import { redactText } from '../texts/text.ts';
import { characterSigns, DIGIT_SIGN, mayBeginSecret, mayHoldSecret, WIDE_SIGN } from './signs.ts';

function mayHold(text: string, cut: boolean): boolean {
  let signs = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at) < 128 ? (characterSigns[text.charCodeAt(at)] ?? 0) : WIDE_SIGN;
    signs |= sign;
    digits += sign === DIGIT_SIGN ? 1 : 0;
  }
  return mayHoldSecret(signs, digits, cut, text.length);
}

describe('signs of secrets in a text', () => {
  it('are found in every text in which the redactor hides something', () => {
    const names = new SecretNames();
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        ...['eyJhbGciOiJIUzI1NiJ9.eyJzdWIi', '4111 1111 1111 1111', '411111111', 'Bearer abc123456'],
        ...[
          'basic dXNlcjpwYXNz',
          'a://b:c@d',
          '?token=x',
          '{"pin":1}',
          'bearer',
          ' ',
          '4',
          '-',
          'eyJ',
          'token',
        ],
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.boolean(), (pieces, cut) => {
        const text = pieces.join('');
        if (!mayHold(text, cut)) expect(redactText(text, names, cut)).toBe(text);
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    "mysql -h db -uroot -pHarbor9 -e 'show'",
    'lftp -u lab,Harbor9 x',
    "echo 'Harbor9!' | sudo -S make",
  ])('are found in the bytes of a command whose flags name no secret: %s', (text) => {
    let signs = 0;
    for (const character of text) signs |= characterSigns[character.charCodeAt(0)] ?? 0;
    expect(redactText(text, new SecretNames())).not.toBe(text);
    const bytes = new TextEncoder().encode(text);
    expect(mayBeginSecret(signs, 0, bytes, 0, bytes.length)).toBe(true);
  });

  it.each(['first line\npassword hunter2', 'a "\tpasswort hunter2', 'one\r\nmysql -u root -phunter2'])(
    'are found in the bytes of a JSON string in which an escape precedes a word: %j',
    (text) => {
      const json = JSON.stringify(text).slice(1, -1);
      let signs = 0;
      for (const character of json) signs |= characterSigns[character.charCodeAt(0)] ?? 0;
      expect(redactText(text, new SecretNames())).not.toBe(text);
      const bytes = new TextEncoder().encode(json);
      expect(mayBeginSecret(signs, 0, bytes, 0, bytes.length)).toBe(true);
    },
  );

  it.each(['order_status', 'Ada', 'o-1234', 'Berlin', 'PENDING', '2026-11-21', ''])(
    'are not in the ordinary text %s',
    (text) => {
      expect(mayHold(text, false)).toBe(false);
    },
  );
});
