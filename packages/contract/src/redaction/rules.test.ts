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
    ['an IBAN', 'Please pay to DE89370400440532013000 today', 'DE8937'],
    ['an IBAN in groups', 'Transfira para PT50 0002 0123 1234 5678 9015 4 até sexta', '1234 5678'],
    ['the shortest IBAN', 'NO9386011117947', '8601'],
    ['the track of a card', '%B4111111111111111^KLEIN/EVA^2912101?', '41111'],
    ['the password of Oracle', 'jdbc:oracle:thin:scott/zx81spectrum@//db.internal:1521/shop', 'zx81'],
    ["the password of Go's driver", 'app:zx81spectrum@tcp(db.internal:3306)/shop', 'zx81'],
    ['the key of a cipher in SQL', "SELECT pgp_sym_decrypt(iban, 'zx81spectrum') FROM accounts", 'zx81'],
    ['the password of Redis', 'AUTH zx81spectrum', 'zx81'],
    ['a stored session', 'GET sess:kX81sPectrum9aLbQ2w4T', 'kX81'],
    ['a session in an error', 'Session kX81sPectrum9aLbQ2w4T has expired', 'kX81'],
    ['the token of a link', '/reset-password/kX81sPectrum9aLbQ2w4T', 'kX81'],
    ["the token behind a user's id", '/accounts/reset/MQ/c3x-9f8e7d6c5b4a39281706f5e4d3c2b1a0/', '9f8e'],
    [
      'the token of a private calendar',
      'https://a.b/ical/private-9f8e7d6c5b4a39281706f5e4/basic.ics',
      '9f8e',
    ],
    ['an authorization code without a URL', 'code=4%2F0AX81sPectrum9aLbQ2w4T&state=1', 'sPectrum'],
    [
      'a value of a manifest',
      'kind: Secret\nmetadata:\n  name: db\ndata:\n  shop: eng4MXNwZWN0cnVt\n',
      'eng4',
    ],
    ['a variable of a container', '  - name: DB_PASSWORD\n    value: zx81spectrum\n', 'zx81'],
    ['a value serialized by PHP', 'a:1:{s:8:"password";s:12:"zx81spectrum";}', 'zx81'],
    ['a key of PuTTY', 'Private-Lines: 1\nAAAAzx81spectrum\nPrivate-MAC: 9f\n', 'zx81'],
    ['the password of a wireless network', 'WIFI:T:WPA;S:office;P:zx81spectrum;;', 'zx81'],
    ['credentials as a protocol', 'bearer, kX81sPectrum9aLbQ2w4T', 'kX81'],
    ['each item of a list', 'Your backup codes: a1b2-c3d4, zx81-sp3c', 'zx81'],
    ['quoted before its verb', 'Ihr Kennwort wurde auf „zx81spectrum“ gesetzt', 'zx81'],
    ['a German transaction number', 'Die mobileTAN für Ihre Überweisung ist 482913', '482913'],
    ['a hash of htpasswd', 'eva:{SHA}fEqNCco3Yq9h5ZUglD3CZJT4lBs=', 'fEqN'],
    [
      'a recovery phrase',
      'legal winner thank year wave sausage worth useful legal winner thank yellow',
      'sausage',
    ],
    ['a password in a sentence', 'the login with password=zx81spectrum failed for ada', 'zx81'],
    ['a password after a colon', 'the login failed, password: zx81spectrum', 'zx81'],
    ['a password in an object of JavaScript', "connect({ user: 'app', password: 'zx81spectrum' })", 'zx81'],
    ['a password in SQL', "UPDATE users SET password = 'zx81spectrum' WHERE id = 7", 'zx81'],
    ['the credentials of curl', 'curl -u ada:zx81spectrum https://a.b/', 'zx81'],
    ['the value of a flag', 'mysqldump --password=zx81spectrum shop', 'zx81'],
    ['the signature of a link to S3', 'https://a.b/x?X-Amz-Date=2&X-Amz-Signature=9f8e7d6c5b4a3928', '9f8e'],
    ['the signature of a link to Azure', 'https://a.b/x?sv=2024-11-04&sig=kX81sPectrum9aLbQ2w4T', 'kX81'],
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
    'Our order DE89370400440532013001 was shipped from GB12 3456',
    '/orders/550e8400-e29b-41d4-a716-446655440000/confirm/64b7f9e2a1c3d4e5f6a7b8c9',
    '/help/reset/how-to-reset-your-router-2024',
    '/transactions/verify/pi_3Mx81sPectrum9aLbQ2w4T',
    'kind: ConfigMap\ndata:\n  region: eu-west-1\n',
    '  - name: PORT\n    value: 8080\n',
    's:4:"city";s:6:"Berlin";',
    'copied src/a@b:1521 lines',
    'auth service started',
    'small green apples from three farms near the river were sold here today',
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
    [{ user: 'eva', salt: '9f8e7d6c', hash: 'zx81spectrum9f8e' }],
    [{ cipher: 'aes-256-cbc', key: 'zx81spectrum9f8e', iv: '00ff' }],
    [{ iccid: '8949', puk: 'zx81spectrum' }],
    [['sshpass', '-p', 'zx81spectrum', 'ssh', 'root@10.0.0.1']],
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

describe('a secret redacted in one place of a trace', () => {
  const found = new Set<string>();
  const redact = (value: object) => JSON.stringify(redactor.value(JSON.parse(JSON.stringify(value))));
  const once = (trace: object) => {
    found.clear();
    redactor.collectSecrets(found, () => redact(trace));
    return redactor.hideSecrets(new HiddenTexts(found), () => redact(trace));
  };

  it('is also redacted in the other places, even in encoded form', () => {
    const password = 'zx81-spectrum-48k';
    const hex = Array.from(password, (sign) => sign.charCodeAt(0).toString(16)).join('');
    const copies = [password, btoa(`ada:${password}`), hex, [...password].reverse().join('')];
    const shown = once({ password, copies });
    for (const copy of copies) expect(shown).not.toContain(copy.slice(0, -4));
  });

  it.each(['hex', 'base64'] as const)(
    'is also hidden where the decoded bytes of the secret appear, if the secret is written in %s',
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

  it('is not redacted in the other places if it is a word, a short string, a number or a boolean', () => {
    const rest = { role: 'admin', step: 4821, code: '4821', ok: true };
    expect(once({ password: 'admin', pin: '4821', token: 'true', rest })).toContain(JSON.stringify(rest));
  });
});
