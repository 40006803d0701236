import { describe, expect, it } from 'vitest';
import type { CapturedValue } from '../values.ts';
import { Redactor } from './redactor.ts';
import { redactMarked, type SecretClass, toRows } from './secret-classes.fixture.ts';

const redactor = new Redactor();
const show = (value: CapturedValue) => JSON.stringify(redactor.value(value));

const RANDOM = 'kZ8vQ2mN5xR7tW1yB4cD6fG9';

const CLASSES: readonly SecretClass[] = [
  {
    title: 'values with blanks in lines of settings',
    secrets: [
      'A=1\nSESSION_SECRET=«velvet harbor lantern»\nB=2',
      'PORT=80\nDB_PASSWORD=«velvet harbor»',
      'export API_SECRET=«velvet harbor lantern» # rotate\nexport PORT=80\n',
      '# mail\nSMTP_PASSWORD=«Velvet Harbor»\n\nSMTP_USER=ann\n',
      'JWT_SECRET=«velvet harbor lantern four»\r\nHOST=a.example\r\n',
      'a=1\n  app.password=«velvet harbor»\n',
    ],
    ordinary: [
      'A=1\nTITLE=purple monkey dishwasher\nB=2',
      'A=1\nPASSWORD_POLICY=three random words\nB=2',
      'GREETING=hello big world\nTOKEN_COUNT=3\n',
      '# the secret of a long life\nA=1\n',
      'TOKEN_TYPE=bearer or basic\nA=1',
    ],
  },
  {
    title: 'passwords that a message refuses',
    secrets: [
      'Password «sommer» does not match policy',
      'password «velvet» is too short',
      'Passwort «Lavendel» entspricht nicht der Richtlinie',
      'Password «harbor» was found in a data breach',
      'passphrase «velvets» is too common',
      'Kennwort «hafen» ist zu kurz',
      'Password «lantern» does not meet the requirements',
    ],
    ordinary: [
      'Password confirmation does not match',
      'Password policy does not meet the requirements',
      'Password field is too short',
      'Password hash does not match',
      'Password prompt does not match the expected text',
      'The password you entered does not match',
      'Password manager was found in the browser',
      'Passwort Eingabe ist zu kurz',
    ],
  },
  {
    title: 'subcommands that set or check a password',
    secrets: [
      'rabbitmqctl change_password worker «Haselmaus»',
      'rabbitmqctl -n rabbit@a add_user worker «Haselmaus»',
      "sudo rabbitmqctl authenticate_user worker '«Haselmaus»'",
      'mysqladmin -u root password «Haselmaus»',
      'ejabberdctl register ann a.example «Haselmaus»',
      'redis-cli -h a.example AUTH worker «Haselmaus»',
      'redis-cli CONFIG SET requirepass «Haselmaus»',
      'WRONGPASS invalid pair, tried AUTH worker «Haselmaus»',
      'redis: sent AUTH «Haselmaus»',
    ],
    ordinary: [
      'rabbitmqctl list_users --formatter json',
      'rabbitmqctl add_vhost orders',
      'mysqladmin -u root status',
      'net user growth was flat in May',
      'ejabberdctl connected_users_number a.example',
      'grafana-cli plugins install clock-panel',
      'redis-cli -h a.example GET orders',
      'openssl x509 -in cert.pem -noout',
      'app-cli user:reset-password ann',
      'occ user:add ann',
      'ipmitool -H a.example user list 2',
    ],
  },
  {
    title: 'segments of a path that sets a password',
    secrets: [
      '/setpassword/ann/«Knusper1»',
      '/api/users/7/change-password/«Knusper1»',
      '/set-password/ann/«Knusper»',
      '/v1/updatePassword/ann/«Knusper_»',
      '/account/new_password/«Knusper!»?lang=de',
      'PUT /resetpassword/ann/«Knusper1» 200',
    ],
    ordinary: [
      '/setpassword/confirm',
      '/reset-password/ann/done',
      '/change-password/7',
      '/password/reset',
      '/setpassword/:user/:password',
      '/reset-password/email',
      '/docs/set-password/index.html',
      '/update-password/success',
    ],
  },
  {
    title: 'tokens in the paths of webhooks and bots',
    secrets: [
      '/bot6012345678:«AAevGQHJ9rdb2JGgp8DcI_9AhbWjLKvUyoR»/getUpdates',
      '/services/T0AB12CD3/B0EF45GH6/«daUschy3aHCIUSq37uOBwt4P»',
      '/hooks/catch/123456/«b3xyz9»',
      '/hooks/«k9w3tq7r8pyx5mzn4b2cd6fg1h»',
    ],
    ordinary: [
      '/services/orders/T0AB12CD3/items',
      '/hooks/pre-commit',
      '/hooks/useEffect',
      '/workflows/T0AB12CD3/runs/12',
      '/triggers/daily',
      '/bots/6012345678',
      '/react/hooks/catch/errors',
      '/hook/0a1b2c3d-1111-4222-8333-0a1b2c3d4e5f',
    ],
  },
  {
    title: 'codes and tokens of links',
    secrets: [
      { code: '«4/0AJGb2OarkZ_vwHj5pahC5keBNe1k5GmFWoqDY»', state: 'xyz' },
      { code: '«4%2F0AJGb2OarkZ_vwHj5pahC5keBNe1k5GmFWoq»' },
      { magic: `«${RANDOM}»` },
      { invite: `«inv_${RANDOM}»`, team: 'ops' },
      { invitation: `«${RANDOM}»` },
      `https://a.example/join?invite=«inv_${RANDOM}»&team=ops`,
      `/login?magic=«${RANDOM}»`,
    ],
    ordinary: [
      { code: '4/0', state: 'xyz' },
      { code: 'E_VALIDATION_404', state: 'failed' },
      { invite: { id: 'inv-2025-001', email: 'ann@a.example', code: 'SPRING-2025' } },
      { invite: 'spring-2025' },
      { invite: '8c2b1c68-fd97-4de5-b6f7-c8091a2b3c4d' },
      { magic: 'wand' },
      { ticket: 'SHOP-1234' },
      { magic: 4822, invitation: 'https://a.example/i' },
      'GET /join?invite=summer-party-2025',
    ],
  },
  {
    title: 'one-time keys and codes',
    secrets: [
      { manualEntryKey: '«NB2W 45DF OIZA 7QKP»' },
      { setupKey: '«nb2w 45df oiza 7qkp»' },
      { otpKey: '«NB2W45DFOIZA7QKP»' },
      'Ihr Freigabecode lautet «591822» für 49,90 EUR',
      'Der Prüfcode ist «591822».',
      'Anmeldecode: «591822»',
      'Code «118274» expired for +49151 (login verification code)',
      'SMS code «118274» is invalid, please try to log in again',
      'Your one-time password is «LX48-QP» .',
      'Ihr Passwort lautet «VI77-KD»',
    ],
    ordinary: [
      { entryKey: 'home', manualEntry: 'NB2W 45DF' },
      { setup: 'NB2W 45DF OIZA 7QKP' },
      'Code 118274 expired for the parcel shop',
      'Promo code 118274 expired',
      'Error code 118274 is invalid',
      'Der Farbcode ist 591822',
      'The password is hashed with SHA-256',
    ],
  },
  {
    title: 'plain words as passwords of calls and argument lists',
    secrets: [
      { cmd: "db.auth('shop','«Schornstein»')" },
      { cmd: "client.login('ann', '«velvets»')" },
      { cmd: 'ftp.login("ann", "«Schornstein»")' },
      { args: ['password', '«Fliederduft»'] },
      { args: ['DB_PASSWORD', '«Fliederduft»'] },
      { argv: ['new_password', '«Sommer»'] },
      [
        ['user', 'ann'],
        ['password', '«isabella»'],
      ],
      '["token", "«issue»"]',
      "VALUES ('password', '«isabella»')",
    ],
    ordinary: [
      { cmd: "passport.authenticate('local', 'session')" },
      { cmd: "app.auth('jwt', 'required')" },
      { cmd: "socket.bind('message', 'handleMessage')" },
      { cmd: "api.login('google', 'redirect')" },
      ['password', 'minlength'],
      ['password', 'Email'],
      ['Password', 'Username'],
      ['password', 'Required'],
      [['password', 'minlength']],
      '["password","maxlength"]',
      ['hasPassword', 'Sommer'],
    ],
  },
  {
    title: 'results of a key management service',
    secrets: [
      { KeyId: 'alias/app', Plaintext: '«P2cuvj6QT5rhH2Mua1j8gfVOHkwJyGc98ogF5U4»' },
      { CiphertextBlob: 'x', Plaintext: '«velvet»' },
      { keyId: 'k', plaintext: '«velvet harbor»', encryptionAlgorithm: 'SYMMETRIC_DEFAULT' },
      { plaintext: '«dmVsdmV0»', plaintextCrc32c: '1', usedPrimary: true },
      { plaintext: '«velvet harbor»', plaintextCrc32c: { value: '1' } },
    ],
    ordinary: [
      { keyId: 'alias/app', enabled: true, text: 'velvet harbor' },
      { plaintext: 'Hello Ann, your order has shipped', html: '<p>Hello Ann</p>' },
      { mimeType: 'text/plain', plaintext: 'velvet' },
    ],
  },
  {
    title: 'values of fixed vocabularies below names of secrets',
    secrets: [
      { password: { value: '«velvet»' } },
      { password: { hint: '«velvet»' } },
      { password: { pattern: '«velvet»' } },
      { password: { pattern: '«velvet harbor»$' } },
      { password: { format: '[«Sommer»]' } },
      { password: { hint: '«Correct Horse Battery Staple»' } },
      { secret: { message: 'The «launch» code' } },
      { cookie: { secure: '«passwordisthis»' } },
      { passwordMatch: '«sommer»' },
      { confirmPasswordMatch: '«sommer»' },
      { apiKey: { index: '«velvet»' } },
      { cookie: { value: '«velvet»', path: '/' } },
      { pin: '«GP1017»' },
      { passwordMatches: '«kZ8vQ2mN5x»' },
      { secretId: '«8c2b1c68-fd97-4de5-b6f7-c8091a2b3c4d»' },
      { claveAcceso: '«MX-50211503»' },
      { secrets: ['«velvet-17»'] },
      { password: '«read-1only»' },
    ],
    ordinary: [
      { password: { hint: 'Use three random words' } },
      { password: { pattern: '[A-Za-z0-9]{8,}', minLength: 8 } },
      { apiKey: { index: 'unique_sparse', required: true } },
      { password: { label: 'Your password', autocomplete: 'new-password' } },
      { password: { type: 'password', required: true } },
      { session: { cookie: { expires: '2025-04-11T08:15:02.000Z', httpOnly: true, path: '/' } } },
      { pin: 'GPIO17', mode: 'output' },
      { pin: 'A0' },
      { passwordMatches: 'mismatch', passwordMatch: 'partial' },
      { acl: { secrets: 'read-only', tokens: 'no-access' } },
      { secretId: 'prod/mail/smtp' },
      { claveProducto: 'MX-50211503', claveUnidad: 'H87-10' },
    ],
  },
];

describe.each(CLASSES)('$title', ({ secrets, ordinary }) => {
  it.each(toRows(secrets))('are hidden, and a second redaction changes nothing: %j', (value) => {
    const { shown, again, parts } = redactMarked(value);
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) expect(JSON.stringify(shown)).not.toContain(part);
    expect(again).toBe(shown);
  });

  it.each(toRows(ordinary))('have harmless neighbours, which stay readable: %j', (value) => {
    expect(redactMarked(value).shown).toEqual(value);
  });
});

describe("a project's own rule", () => {
  it('hides a member of an object, even if the object only describes a secret', () => {
    const own = new Redactor({ paths: ['user.password.hint'] });
    const value = { user: { password: { hint: 'Name of my first dog is' } } };
    expect(JSON.stringify(own.value(value))).not.toContain('first dog');
  });

  it('hides a word that is also the name of a validator’s rule', () => {
    const own = new Redactor({ keys: ['kundennummer'] });
    expect(own.value('["kundennummer","optional"]')).not.toContain('optional');
  });
});

it('passwords in the rows of a batch are hidden even if one of the rows has another length', () => {
  const rows = [
    ['ann', 'Sommer'],
    ['bob', 'Winter', 'x'],
  ];
  const shown = show(['INSERT INTO users (name, password) VALUES ($1, $2)', rows]);
  expect(shown).not.toMatch(/Sommer|Winter/);
});
