import { describe, expect, it } from 'vitest';
import { Redactor } from './redactor.ts';
import { HiddenTexts } from './texts/hidden-texts.ts';

const redactor = new Redactor();

describe('a text with a secret', () => {
  it.each([
    [
      'a bcrypt hash',
      'stored $2y$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy today',
      'N9qo8uLO',
    ],
    [
      'a yescrypt hash',
      '$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7',
      'X3DX6M94',
    ],
    [
      'a hash of scrypt without a sign before it',
      'scrypt$16384$c2FsdHNhbHQxMjM0$uYfbPOJ1qVMLoGNkXTOZuW8Kq4rIdqzz',
      'uYfbPOJ1',
    ],
    ['a hash of Django', 'pbkdf2_sha256$600000$5ZtnUlfP$uYfbPOJ1qVMLoGNkXTOZuW8Kq4rIdq', 'uYfbPOJ1'],
    [
      'the secret beside a key id',
      'AKIAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      'wJalrXUtn',
    ],
    ['a private member of a JSON Web Key', `{ kty: 'oct', k: 'FdFYFzERwC2uCBB46pZQ' }`, 'FdFYFz'],
    ['a default', `const apiKey = config.key || 'zx81spectrum';`, 'zx81'],
    ['a default of Python', 'password = os.environ.get("DB", "zx81spectrum")', 'zx81'],
    ['a value in braces', 'Uid=sa;Pwd={zx81spectrum};Encrypt=yes', 'zx81'],
    ['a value in quotation marks of French', 'mot de passe : « zx81 spectrum »', 'zx81'],
    ['a value before its name', "invalid value 'zx81spectrum' for parameter 'password'", 'zx81'],
    ['an entry of pgpass', 'localhost:6432:shop:ada:zx81spectrum', 'zx81'],
    ['a key of letters alone', 'x-api-key: bsluwLmLxmJuPOq, accept: */*', 'bsluw'],
    ['a sentence in Norwegian', 'Det nye passordet er zx81spectrum', 'zx81'],
    ['a sentence in Finnish', 'Uusi salasana on zx81spectrum', 'zx81'],
    ['a sentence in Hindi', 'आपका पासवर्ड: zx81spectrum', 'zx81'],
    ['a percent-encoded name', 'a=1&%D0%BF%D0%B0%D1%80%D0%BE%D0%BB%D1%8C=zx81spectrum', 'zx81'],
    ['JSON in base64', `state=${btoa('{"user":"ada","clientSecret":"zx81spectrum"}')}`, 'c3BlY3RydW0'],
  ])('is redacted: %s', (_what, text, secret) => {
    expect(redactor.text(text)).not.toContain(secret);
  });
});

describe('a text without a secret', () => {
  it.each([
    'level=warn tokens=812 key=cart attempts=3',
    'query { sessions(first: 5) { id } apiKeys(last: 2) { label } }',
    'function reset(password: string, token?: string): Promise<void>',
    'if (token === expected) return',
    'Password forgotten? Ask the office',
    'authorization: null (anonymous)',
    'it costs $5 or $6, $1 less than $7',
    `page=${btoa('{"order":1234,"sort":"date","limit":20}')}`,
    'verifyAccessToken: getUserById failed',
  ])('is unchanged: %s', (text) => {
    expect(redactor.text(text)).toBe(text);
  });
});

describe('objects', () => {
  it.each([
    [{ decodedToken: { sub: 'u-1', role: 'admin', exp: 1_767_000_000 } }],
    [{ cookieSettings: { theme: 'dark' }, authorizationRequest: { action: 'orders.read' } }],
    [{ session: { userId: 'u-1', cart: 'cart-7' }, tokensUsed: 1200, cardLast4: '4242' }],
    [{ auth: { userId: 'u-1', roles: ['admin'], exp: 1_767_000_000 }, accessTokenExpires: '2026-01-01' }],
    [{ p: 3, q: 'red shoes', k: 'page' }],
    [{ Name: 'city', Value: 'Berlin', path: '/orders/7', pwm: 7, encoding: 'utf8', PowerKw: 'pw' }],
  ])('%j is unchanged', (value) => {
    expect(redactor.value(value)).toBe(value);
  });

  it.each([
    [{ session: { id: 'zx81spectrum', userId: 'u-1' } }],
    [{ kty: 'EC', d: 'zx81spectrum' }],
    [{ id: 'AKIAIOSFODNN7EXAMPLE', other: 'zx81spectrum+K7MDENGbPxRfiCYzEXAMPLEKEYa' }],
    [{ accessTokens: 81_000_000, note: 1, refreshTokens: 'zx81spectrum' }],
    [{ tenantpasswordhash: 'zx81spectrum', prodpass: 'zx81spectrum' }],
    [{ bind_pw: 'zx81spectrum', adminPw: 'zx81spectrum', encKey: 'zx81spectrum' }],
    [{ Name: 'SMTP_PASS', Value: 'zx81spectrum' }],
    [{ NAME: 'token', VALUE: 'zx81spectrum' }],
    [{ ParameterKey: 'DbPassword', ParameterValue: 'zx81spectrum' }],
    [{ Name: '/prod/db/password', Type: 'String', Value: 'zx81spectrum' }],
    [{ op: 'replace', path: '/password', value: 'zx81spectrum' }],
    [{ type: 'field', value: 'zx81spectrum', msg: 'Too short', path: 'password', location: 'body' }],
    [{ name: 'ValidatorError', kind: 'minlength', path: 'user.password', value: 'zx81spectrum' }],
  ])('%j is shown without its secret', (value) => {
    expect(JSON.stringify(redactor.value(value))).not.toMatch(/zx81|81000000/);
  });
});

describe('a secret hidden in one place of a trace', () => {
  const found = new Set<string>();
  const redact = (value: object) => JSON.stringify(redactor.value(JSON.parse(JSON.stringify(value))));
  const once = (trace: object) => {
    found.clear();
    redactor.collectSecrets(found, () => redact(trace));
    return redactor.hideSecrets(new HiddenTexts(found), () => redact(trace));
  };

  it('is hidden in other places, also if encoded', () => {
    const password = 'zx81-spectrum-48k';
    const hex = Array.from(password, (sign) => sign.charCodeAt(0).toString(16)).join('');
    const copies = [password, btoa(`ada:${password}`), hex, [...password].reverse().join('')];
    const shown = once({ password, copies });
    for (const copy of copies) expect(shown).not.toContain(copy.slice(0, -4));
  });

  it.each(['hex', 'base64'] as const)(
    'is also hidden where its decoded bytes appear, if it is written in %s',
    (encoding) => {
      const key = Buffer.from('9f8e7d6c5b4a39281706f5e4d3c2b1a0', 'hex');
      const passwordHash = `c2FsdHNhbHQxMjM0:${key.toString(encoding)}`;
      const other = encoding === 'hex' ? 'base64' : 'hex';
      const shown = once({
        passwordHash,
        expected: { $type: 'Buffer', size: key.length, base64: key.toString('base64') },
        text: key.toString(other),
      });
      expect(shown).toContain('"expected":{"$type":"redacted","of":"Buffer"}');
      expect(shown).not.toContain(key.toString(other).slice(0, -4));
    },
  );

  it('is not searched for in words, short strings, numbers and booleans', () => {
    const rest = { role: 'admin', step: 4821, code: '4821', ok: true };
    expect(once({ password: 'admin', pin: '4821', token: 'true', rest })).toContain(JSON.stringify(rest));
  });
});
