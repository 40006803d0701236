import { argument, error, type Form, form, json, log, path, plain, query, statement } from './case.ts';

class Account {
  readonly user = 'eva';
  readonly passphrase: string;
  constructor(passphrase: string) {
    this.passphrase = passphrase;
  }
}

class Setting {
  readonly name: string;
  readonly value: unknown;
  constructor(name: string, value: unknown) {
    this.name = name;
    this.value = value;
  }
}

/** Card and account numbers, identity numbers of people, wallets, and secrets in structures whose own names do not suggest a secret. */
export const structureForms: readonly Form[] = [
  ['card alone', (m) => m.card('4'), (s) => argument(s)],
  [
    'card with spaces',
    (m) => m.card('51').replace(/(.{4})(?=.)/g, '$1 '),
    (s) => argument(`Please charge ${s}, Eva Klein`),
  ],
  [
    'card with dashes',
    (m) => m.card('4').replace(/(.{4})(?=.)/g, '$1-'),
    (s) => log(`payment refused for ${s}`),
  ],
  ['American Express', (m) => m.card('37', 15), (s) => json({ amount: 1200, cc: s })],
  ['card as number', (m) => m.card('4'), (s) => argument({ amount: 12, cardNumber: Number(s) })],
  ['card in a path', (m) => m.card('55'), (s) => path(`/cards/${s}/authorizations`)],
  ['card in SQL', (m) => m.card('4'), (s) => statement(`SELECT * FROM payments WHERE pan = '${s}'`)],
  ['CVV', (m) => m.digits(3), (s, m) => json({ number: m.card('4'), exp: '12/29', cvv: s })],
  ['CVC form', (m) => m.digits(3), (s) => form(`name=Eva&cvc=${s}&exp=1229`)],
  ['security code', (m) => m.digits(4), (s) => json({ card: { holder: 'Eva Klein', securityCode: s } })],
  ['track data', (m) => m.card('4'), (s) => argument(`%B${s}^KLEIN/EVA^29121011000?`)],
  ['PIN', (m) => m.digits(4), (s) => json({ account: 'A-7', pin: s })],
  ['PIN sentence', (m) => m.digits(4), (s) => argument(`Your new PIN is ${s}, keep it safe.`)],
  ['German PIN sentence', (m) => m.digits(4), (s) => argument(`Die PIN der Karte lautet ${s}.`)],
  ['Portuguese PIN sentence', (m) => m.digits(4), (s) => argument(`O PIN do cartão é ${s}.`)],
  ['door code', (m) => m.digits(4), (s) => argument({ room: 12, doorCode: s })],
  ['unlock code', (m) => m.digits(6), (s) => json({ device: 'd7', unlockCode: s })],
  ['PUK', (m) => m.digits(8), (s) => json({ iccid: '89490200001', puk: s })],
  ['IBAN alone', (m) => m.iban('DE'), (s) => argument(s)],
  [
    'IBAN with spaces',
    (m) => m.iban('PT').replace(/(.{4})(?=.)/g, '$1 '),
    (s) => argument(`Transfira para ${s} até sexta-feira`),
  ],
  ['IBAN in a body', (m) => m.iban('GB'), (s) => json({ beneficiary: 'Acme Ltd', account: s })],
  ['IBAN in XML', (m) => m.iban('DE'), (s) => plain(`<CdtrAcct><Id><IBAN>${s}</IBAN></Id></CdtrAcct>`)],
  ['bank account', (m) => m.digits(10), (s) => json({ sortCode: '20-00-00', bankAccountNumber: s })],
  [
    'SSN',
    (m) => `${String(1 + m.below(600)).padStart(3, '0')}-${10 + m.below(80)}-${1000 + m.below(8000)}`,
    (s) => json({ name: 'Tom', ssn: s }),
  ],
  [
    'SSN in a sentence',
    (m) => `${String(100 + m.below(500))}-${10 + m.below(80)}-${1000 + m.below(8000)}`,
    (s) => argument(`Applicant Tom Ray, SSN ${s}, born 1980`),
  ],
  ['passport', (m) => `C${m.digits(8)}`, (s) => json({ passportNumber: s })],
  ['tax number', (m) => m.digits(11), (s) => json({ steuerId: s })],
  ['mnemonic', (m) => m.words(12), (s) => argument({ mnemonic: s })],
  ['mnemonic in a sentence', (m) => m.words(12), (s) => argument(`seed phrase: ${s}`)],
  ['mnemonic alone', (m) => m.words(24), (s) => argument(s)],
  [
    'mnemonic as a list',
    (m) => m.words(1) + m.lower(6),
    (s, m) => argument({ recoveryPhrase: [...m.words(11).split(' '), s] }),
  ],
  ['Ethereum key', (m) => `0x${m.hex(64)}`, (s) => argument({ address: '0x1', privateKey: s })],
  ['extended key', (m) => `xprv9s21ZrQH143K${m.alnum(96)}`, (s) => argument({ root: s })],
  [
    'wallet import key',
    (m) => `K${m.text('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 51)}`,
    (s) => argument({ wif: s }),
  ],
  ['Nostr key', (m) => `nsec1${m.text('qpzry9x8gf2tvdw0s3jn54khce6mua7l', 58)}`, (s) => argument({ n: s })],
  [
    'Map',
    (m) => m.password(),
    (s) =>
      argument(
        new Map([
          ['user', 'eva'],
          ['password', s],
        ]),
      ),
  ],
  ['Map of objects', (m) => m.password(), (s) => argument(new Map([['db', { host: 'a', pwd: s }]]))],
  ['Map with object keys', (m) => m.password(), (s) => argument(new Map([[{ field: 'password' }, s]]))],
  ['Set of pairs', (m) => m.base64url(30), (s) => argument(new Set([['sessionToken', s]]))],
  ['class instance', (m) => m.words(3), (s) => argument(new Account(s))],
  ['name and value', (m) => m.password(), (s) => argument({ name: 'DB_PASSWORD', value: s })],
  ['class with name and value', (m) => m.password(), (s) => argument(new Setting('smtp.password', s))],
  [
    'key and value list',
    (m) => m.base64url(30),
    (s) =>
      argument([
        { key: 'Host', value: 'a' },
        { key: 'Authorization', value: s },
      ]),
  ],
  [
    'Key and Value',
    (m) => m.base64url(30),
    (s) => argument({ Parameters: [{ Key: 'MasterPassword', Value: s }] }),
  ],
  ['field and content', (m) => m.password(), (s) => json({ fields: [{ field: 'password', content: s }] })],
  ['id and answer', (m) => m.password(), (s) => json({ answers: [{ question: 'password', answer: s }] })],
  ['raw headers', (m) => m.base64url(30), (s) => argument(['Host', 'a', 'X-Api-Key', s, 'Accept', '*/*'])],
  ['entries', (m) => m.password(), (s) => argument(Object.entries({ user: 'eva', password: s }))],
  ['columns and rows', (m) => m.password(), (s) => argument({ columns: ['id', 'password'], rows: [[1, s]] })],
  [
    'fields and values',
    (m) => m.password(),
    (s) => argument({ fields: ['email', 'password'], values: ['a@b.c', s] }),
  ],
  [
    'URLSearchParams',
    (m) => m.alnum(20),
    (s) => argument(new URLSearchParams({ user: 'eva', client_secret: s })),
  ],
  ['URL object', (m) => m.alnum(20), (s) => argument(new URL(`https://eva:${s}@api.acme.example/`))],
  ['Headers object', (m) => m.base64url(30), (s) => argument(new Headers({ accept: '*/*', 'x-api-key': s }))],
  [
    'FormData',
    (m) => m.password(),
    (s) => {
      const data = new FormData();
      data.set('user', 'eva');
      data.set('password', s);
      return argument(data);
    },
  ],
  [
    'getter',
    (m) => m.password(),
    (s) => argument(Object.defineProperty({ user: 'eva' }, 'password', { get: () => s, enumerable: true })),
  ],
  ['symbol key', (m) => m.password(), (s) => argument({ user: 'eva', [Symbol('password')]: s })],
  ['null prototype', (m) => m.password(), (s) => argument(Object.assign(Object.create(null), { secret: s }))],
  ['deep', (m) => m.password(), (s) => argument({ a: { b: { c: { d: { e: { password: s } } } } } })],
  [
    'nested under a secret name',
    (m) => m.alnum(16),
    (s) => argument({ credentials: { left: s, right: 'x' } }),
  ],
  ['list under a secret name', (m) => m.alnum(16), (s) => argument({ passwords: ['x', s] })],
  ['JSON in a string', (m) => m.password(), (s) => argument(JSON.stringify({ user: 'eva', password: s }))],
  [
    'JSON in JSON in a string',
    (m) => m.password(),
    (s) => argument(JSON.stringify({ body: JSON.stringify({ inner: JSON.stringify({ password: s }) }) })),
  ],
  ['JSON cut off', (m) => m.alnum(20), (s) => argument(`{"user":"eva","password":"${s}`)],
  ['JSON lines', (m) => m.password(), (s) => plain(`{"user":"eva","password":"${s}"}\n{"user":"tom"}\n`)],
  ['JSON5', (m) => m.password(), (s) => argument(`{ user: 'eva', password: '${s}' }`)],
  [
    'SQS event',
    (m) => m.password(),
    (s) => json({ Records: [{ messageId: 'a', body: JSON.stringify({ type: 'signup', password: s }) }] }),
  ],
  ['URL-encoded JSON', (m) => m.alnum(20), (s) => query('state', JSON.stringify({ next: '/a', secret: s }))],
  ['form in JSON', (m) => m.alnum(20), (s) => argument({ payload: `user=eva&password=${s}` })],
  ['URL in JSON', (m) => m.alnum(20), (s) => json({ callback: `https://a.example/cb?x=1&api_key=${s}` })],
  ['template', (m) => m.password(), (s) => argument(`user "eva" with password "${s}" logged in`)],
  ['arrow', (m) => m.password(), (s) => log(`password -> ${s}`)],
  ['colon and space', (m) => m.password(), (s) => log(`Password: ${s}`)],
  ['changed from to', (m) => m.password(), (s) => log(`password changed from ${s} to something else`)],
  ['diff', (m) => m.password(), (s) => argument(`- password: old\n+ password: ${s}\n`)],
  ['tuple', (m) => m.password(), (s) => argument(`('eva', password='${s}')`)],
  ['comma list', (m) => m.password(), (s) => argument(`user=eva,password=${s},role=admin`)],
  ['pipe list', (m) => m.alnum(16), (s) => argument(`user:eva|password:${s}|role:admin`)],
  [
    'error with password',
    (m) => m.password(),
    (s) => error(`Access denied for user 'eva' (using password '${s}')`),
  ],
  ['error with token', (m) => m.hex(40), (s) => error(`invalid token "${s}"`)],
  ['error with session', (m) => m.base64url(32), (s) => error(`Session ${s} has expired`)],
  ['error with key', (m) => m.alnum(32), (s) => error(`API key ${s} is not allowed to use this endpoint`)],
  [
    'error with JSON',
    (m) => m.alnum(20),
    (s) => error(`Request failed: {"grant_type":"password","client_secret":"${s}"}`),
  ],
  ['German error', (m) => m.password(), (s) => error(`Das Passwort „${s}“ ist zu kurz`)],
  ['Portuguese error', (m) => m.password(), (s) => error(`A senha "${s}" é inválida`)],
  ['French log', (m) => m.password(), (s) => log(`le mot de passe est ${s}`)],
  ['security answer', (m) => m.words(2), (s) => json({ securityQuestion: 'First pet?', securityAnswer: s })],
  [
    'push subscription',
    (m) => m.base64url(22),
    (s, m) =>
      json({ endpoint: 'https://fcm.googleapis.com/fcm/send/x', keys: { p256dh: m.base64url(87), auth: s } }),
  ],
  ['Matrix token', (m) => `syt_${m.alnum(8)}_${m.alnum(20)}_${m.alnum(6)}`, (s) => argument({ m: s })],
  [
    'private calendar',
    (m) => m.hex(32),
    (s) => argument(`https://calendar.google.com/calendar/ical/eva%40example.com/private-${s}/basic.ics`),
  ],
  [
    'upper case environment',
    (m) => m.alnum(20),
    (s) => argument({ APP_KEY: `base64:${s}`, APP_NAME: 'Shop' }),
  ],
  ['dotted name', (m) => m.alnum(20), (s) => argument({ 'smtp.auth.pass': s })],
  ['dashed name', (m) => m.alnum(20), (s) => argument({ 'signing-key': s })],
  ['joined lower case', (m) => m.alnum(20), (s) => argument({ dbpassword: s, userpwd: s })],
  ['short names', (m) => m.alnum(20), (s) => argument({ usr: 'eva', pw: s })],
  ['old and new', (m) => m.password(), (s) => json({ oldPassword: 'x', newPassword: s, confirm: s })],
  ['repeated field', (m) => m.password(), (s) => json({ password: s, passwordConfirmation: s })],
];
