import { expect, it } from 'vitest';
import { countWork } from '../text-work.fixture.ts';
import { EchoSearch } from './echoes.ts';
import { HiddenTexts } from './hidden-texts.ts';

/** Lists the bytes of a text in three places: in the SDK's JSON, and in the server's columns of values and of plain texts. */
function listWritings(text: string): readonly Uint8Array[] {
  const json = JSON.stringify({ note: text });
  const column = json.replaceAll('\\', '\\\\');
  const plain = text.replace(/[\\\t\n]/g, (char) => (char === '\t' ? '\\t' : char === '\n' ? '\\n' : '\\\\'));
  return [json, column, plain].map((written) => new TextEncoder().encode(written));
}

it.each([
  'пароль-ключ',
  'geheim-ÄÖÜß',
  'Ää7Öö8Üü9',
  '密码很长很安全1',
  'ключ🔑1',
  'a"b"c"d"e"f',
  'пар"оль"ключ"1',
  'a\\b\\c\\d\\e',
  'ab\ncd\nef\ngh',
  'Tr0mbone!55',
  `${'x'.repeat(63)}ключ`,
])('a search for the secret %j reports each text in which the secret is hidden', (secret) => {
  const search = new EchoSearch([secret]);
  const text = `hashing ${secret} for ada`;
  // Secrets of less than eight characters are hidden only as complete texts.
  const texts = new HiddenTexts([secret]).hide(text) === text ? [secret] : [text, secret];
  for (const bytes of texts.flatMap(listWritings)) expect(search.isIn(bytes)).toBe(true);
});

it.each(['abcd', 'ключ', 'p"ss', 'ä1ö2'])(
  'a search for the short secret %j reports the secret as a complete text',
  (secret) => {
    const [json = new Uint8Array(), column = json] = listWritings(secret);
    const search = new EchoSearch([secret]);
    expect([search.isIn(json), search.isIn(column)]).toEqual([true, true]);
  },
);

it.each(['geheim-ÄÖÜß', 'пароль-ключ'])(
  'a search for %s reports the encoded forms of the secret',
  (secret) => {
    const search = new EchoSearch([secret]);
    const bytes = Buffer.from(secret);
    for (const form of [bytes.toString('base64'), bytes.toString('hex'), [...secret].reverse().join('')])
      for (const written of listWritings(form)) expect(search.isIn(written)).toBe(true);
  },
);

it('a search reports a long secret whose end was cut off after the characters that are compared', () => {
  const secret = `sk_${'a1b2c3d4'.repeat(40)}`;
  const [json = new Uint8Array()] = listWritings(secret.slice(0, 100));
  expect(new HiddenTexts([secret]).hide(secret.slice(0, 100))).not.toContain('a1b2');
  expect(new EchoSearch([secret]).isIn(json)).toBe(true);
});

it('a search reports no trace that contains none of the secrets', () => {
  const search = new EchoSearch(['пароль-ключ', 'geheim-ÄÖÜß', 'Tr0mbone!55', 'ключ']);
  for (const bytes of listWritings('пароль и ключи, geheim-ÄÖÜ, Tr0m'))
    expect(search.isIn(bytes)).toBe(false);
});

it.each([
  ['a', 15],
  ['ä', 15],
  ['密', 15],
  ['a', 4000],
  ['ä', 1300],
])(
  'a search takes linear time in a text that repeats the character %j, for a secret that begins with %i of this character',
  (repeated, count) => {
    const search = new EchoSearch([`${repeated.repeat(count)}b1`]);
    const measure = (length: number) => {
      const bytes = new TextEncoder().encode(repeated.repeat(length));
      return countWork(() => void search.isIn(bytes));
    };
    expect(measure(2000)).toBeGreaterThan(0);
    expect(measure(4000)).toBeLessThan(2.1 * measure(2000));
  },
);
