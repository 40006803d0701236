import { expect, it } from 'vitest';
import { REDACTED_TEXT } from './characters.ts';
import { noteSecret } from './derived-texts.ts';

const SALT = 'c2FsdHNhbHQxMjM0';
const KEY = '9f8e7d6c5b4a39281706f5e4d3c2b1a0';

function listNoted(text: string): readonly string[] {
  const found = new Set<string>();
  noteSecret(text, found);
  return [...found];
}

it('the salt and the key of a redacted password hash are also redacted where they occur alone', () => {
  expect(listNoted(`scrypt$16384$${SALT}$${KEY}`)).toEqual(expect.arrayContaining([SALT, KEY]));
});

it('the parts of a secret that an earlier redaction left readable are redacted in the rest of the trace, too', () => {
  expect(listNoted(`${REDACTED_TEXT}$${SALT}$${KEY}`)).toEqual(expect.arrayContaining([SALT, KEY]));
});

it('if a parameter of a URL is redacted, its decoded form is redacted in the rest of the trace, too', () => {
  expect(listNoted('4%2F0AX81sPectrum')).toContain('4/0AX81sPectrum');
});

it('the name of the algorithm and the cost of a redacted password hash are not redacted in the rest of the trace', () => {
  const noted = listNoted(`scrypt$16384$${SALT}$${KEY}`);
  expect(noted).not.toContain('scrypt');
  expect(noted).not.toContain('16384');
});

it.each(['api-token', 'admin-api-token', 'refresh_token', 'client_secret', 'session-cookie'])(
  'a redacted value that is only the name of a kind of credential, %s, is not redacted in the rest of the trace',
  (name) => {
    expect(listNoted(name)).toEqual([]);
  },
);

it.each(['my-secret', 'api-token-7f3a', 'super-secret'])(
  'a redacted value such as %s, which contains more than the name of a kind of credential, is redacted in the rest of the trace',
  (weak) => {
    expect(listNoted(weak)).toContain(weak);
  },
);
