import { composePlanted, composeValue } from '@throughline/testkit/secrets';
import { repetitions } from '@throughline/testkit/thorough';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../redactor.ts';
import { REDACTED_TEXT } from './characters.ts';
import { CUT_MARGIN } from './cut-shown.ts';

const redactor = new Redactor();

/** Texts whose secret is recognized by characters at its end or after it. */
const TEXTS: readonly (readonly [text: string, secret: string])[] = [
  ['push with ghp_Kq7Lm2Np9Rs4Tv6Wx8Yz1Ab3Cd5Ef7Gh9Jk2 now', 'ghp_Kq7Lm2Np9Rs4Tv6Wx8Yz1Ab3Cd5Ef7Gh9Jk2'],
  ['connect postgres://shop:Habicht-22@db.example:5432/shop failed', 'Habicht-22'],
  ['mailed that Habicht-22 is my new password for the shop', 'Habicht-22'],
  ['paid by 4242 4242 4242 4242 today', '4242 4242 4242 4242'],
  ['transfer to DE89 3704 0044 0532 0130 00 done', 'DE89 3704 0044 0532 0130 00'],
  [
    'sent eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlMTIz to the client',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlMTIz',
  ],
  ["value 'Habicht-22' of field password is too short", 'Habicht-22'],
  ['key -----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n-----END PRIVATE KEY-----', 'MIIEvQIBADANBgkq'],
  ['UPDATE users SET password = $1 WHERE id = $2 -- PARAMETERS: ["Habicht",7]', 'Habicht'],
  ['use Habicht-22 as the password and write to the owner', 'Habicht-22'],
];
/** Number of characters of a secret that may be readable, such as the prefix that all keys of a service have. */
const MAX_READABLE = 4;

describe('the beginning of a text', () => {
  it.each(TEXTS)(
    'shows at most four characters of a secret in %j, wherever the secret is cut',
    (text, secret) => {
      const start = text.indexOf(secret);
      for (let length = start; length <= start + secret.length; length++) {
        const shown = redactor.beginning(text, length);
        expect(shown.length).toBeLessThanOrEqual(length);
        expect(shown).not.toContain(secret.slice(0, MAX_READABLE + 1));
      }
    },
  );

  it('consists of the first characters if the text has no secrets, and does not end with half a character', () => {
    const text = 'ordinary words 😀 and more'.repeat(40);
    for (let length = 1; length < 60; length++) {
      const shown = redactor.beginning(text, length);
      expect(text.startsWith(shown)).toBe(true);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown.length).toBeGreaterThanOrEqual(length - 1);
    }
  });

  it('shows nothing of the text after the cut, even if a long secret before the cut was replaced', () => {
    const text = `token ${'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.'}${'c2lnbmF0dXJl'.repeat(20)} first second third ${'x'.repeat(CUT_MARGIN)}`;
    const cut = text.indexOf(' second');
    expect(redactor.beginning(text, cut)).toBe(`token ${REDACTED_TEXT} first`);
  });

  it.each([
    'password=Hunter22 four',
    '{"a":[["id","password"],[1,"Habicht22"]]} password=zzz9 and more',
    'password=Hunter22 and token=Habicht22',
  ])('shows nothing of the text after the cut, even if this text contains secrets: %s', (behind) => {
    const token = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${'c2lnbmF0dXJl'.repeat(20)}`;
    const text = `token ${token} one two three ${behind}`;
    expect(redactor.beginning(text, 6 + token.length)).toBe(`token ${REDACTED_TEXT}`);
    expect(redactor.beginning(text, 10 + token.length)).toBe(`token ${REDACTED_TEXT} one`);
  });

  it('does not end within the mark of a redacted part', () => {
    const text = 'password=Habicht-22 and more words of the text';
    for (let length = 9; length < 9 + REDACTED_TEXT.length; length++)
      expect(redactor.beginning(text, length)).toBe('password=');
  });

  it('does not change if it is redacted again', () => {
    for (let item = 0; item < repetitions({ usually: 400, thoroughly: 10_000 }); item++) {
      const { value } = item % 2 === 0 ? composeValue(51, item) : composePlanted(51, item);
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      for (const length of [text.length >> 1, text.length - 5]) {
        if (length < 1) continue;
        const shown = redactor.beginning(text, length);
        expect(redactor.text(shown, true), `${length} of ${text}`).toBe(shown);
      }
    }
  });
});
